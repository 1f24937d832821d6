/** What could not be read, where, and why. The rest is shown all the same. */
import { useState } from 'react'
import type { SnapshotView } from '../../workers/model/snapshot-view.ts'
import { Expander } from '../checkpoints/expander.tsx'
import { Icon } from '../widgets/icon.tsx'
import { operatorTitle } from './snapshot-facts.ts'

/** So many are shown without asking. */
const OPEN_UP_TO = 3

export function ProblemsList({ view }: { readonly view: SnapshotView }) {
  const { problems } = view
  // A file that is missing is mostly told of where it was wanted.
  const missing = view.missing.filter((path) => !problems.some((problem) => problem.message.includes(path)))
  const [open, setOpen] = useState(problems.length + missing.length <= OPEN_UP_TO)
  if (problems.length === 0 && missing.length === 0) return null
  const titles = new Map(view.operators.map((operator) => [operator.operatorId, operatorTitle(operator)]))
  const total = problems.length + missing.length
  return (
    <section className="problems-list" aria-label="Problems">
      <p>
        <Expander open={open} label="Problems" onToggle={() => setOpen(!open)} />
        <Icon name="warning" />
        <b>
          {total} {total === 1 ? 'thing' : 'things'} could not be read.
        </b>{' '}
        The rest is below.
      </p>
      {open && (
        <ul>
          {missing.map((path) => (
            <li key={path}>
              <span className="t3">file</span> <span className="mono">{path}</span> <span>is missing</span>
            </li>
          ))}
          {problems.map((problem, index) => (
            // oxlint-disable-next-line react/no-array-index-key -- a list that never changes
            <li key={index}>
              <span className="t3">
                {titles.get(problem.operatorId) ?? problem.operatorId.slice(0, 8)}
                {problem.subtask !== null && `, subtask ${problem.subtask}`}
              </span>{' '}
              <span>{problem.message}</span>
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}
