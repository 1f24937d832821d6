/** Joins the selected operator by keyboard: every input that its output may go to, and every output that may come into it. */
import { useEffect, useRef } from 'react'
import { findOperatorType } from '../../workers/model/catalogue/catalogue.ts'
import type { JobDocument, OperatorDocument } from '../../workers/model/job-document.ts'
import { walkMenu } from '../widgets/walk-menu.ts'
import { edgeKey } from './edit-job.ts'
import type { EdgeKey } from './edit-job.ts'

interface JoinProps {
  readonly job: JobDocument
  readonly operator: OperatorDocument
  readonly onJoin: (key: EdgeKey) => void
  readonly onClose: () => void
}

export function JoinMenu({ job, operator, onJoin, onClose }: JoinProps) {
  const menu = useRef<HTMLDivElement>(null)
  useEffect(() => menu.current?.querySelector<HTMLElement>('[role="menuitem"]')?.focus(), [])
  const { to, from } = possibleJoins(job, operator)
  const name = operator.name ?? operator.uid
  const entries = (title: string, keys: readonly EdgeKey[], other: 'from' | 'to') =>
    keys.length > 0 && (
      <>
        <p className="t3">{title}</p>
        {keys.map((key) => (
          <button key={`${key.from} ${key.to} ${key.input}`} type="button" role="menuitem" onClick={() => onJoin(key)}>
            {nameOf(job, key[other])}
            {inputsOf(job, key.to) > 1 && <small> input {key.input}</small>}
          </button>
        ))}
      </>
    )
  return (
    <div
      ref={menu}
      className="menu join-menu"
      role="menu"
      aria-label={`Connect ${name}`}
      tabIndex={-1}
      onKeyDown={(event) => walkMenu(event, onClose)}
      onBlur={(event) => {
        if (event.relatedTarget !== null && !event.currentTarget.contains(event.relatedTarget)) onClose()
      }}
    >
      {entries(`From ${name} to`, to, 'to')}
      {entries(`Into ${name} from`, from, 'from')}
      {to.length + from.length === 0 && (
        <button type="button" role="menuitem" onClick={onClose}>
          Nothing is left to connect it with. Close
        </button>
      )}
    </div>
  )
}

const nameOf = (job: JobDocument, uid: string): string => job.operators.find((operator) => operator.uid === uid)?.name ?? uid
const inputsOf = (job: JobDocument, uid: string): number => findOperatorType(job.operators.find((operator) => operator.uid === uid)?.type ?? '')?.inputs ?? 1

/** Edges that are not there yet and close no circle. */
export function possibleJoins(job: JobDocument, { uid }: OperatorDocument): { readonly to: readonly EdgeKey[]; readonly from: readonly EdgeKey[] } {
  const below = reach(job, uid, 'from', 'to')
  const above = reach(job, uid, 'to', 'from')
  const isSink = (operator: OperatorDocument): boolean => findOperatorType(operator.type)?.isSink === true
  const free = (key: EdgeKey): boolean => !job.edges.some((edge) => JSON.stringify(edgeKey(edge)) === JSON.stringify(key))
  const into = (target: string, source: string): EdgeKey[] => Array.from({ length: inputsOf(job, target) }, (_, i) => ({ from: source, to: target, input: i + 1 })).filter(free)
  const self = job.operators.find((operator) => operator.uid === uid)
  if (self === undefined) return { to: [], from: [] }
  return {
    to: isSink(self) ? [] : job.operators.filter((operator) => !above.has(operator.uid)).flatMap((operator) => into(operator.uid, uid)),
    from: job.operators.filter((operator) => !below.has(operator.uid) && !isSink(operator)).flatMap((operator) => into(uid, operator.uid)),
  }
}

/** The operator and all that is reached from it along the edges. */
function reach(job: JobDocument, uid: string, start: 'from' | 'to', end: 'from' | 'to'): ReadonlySet<string> {
  const found = new Set([uid])
  for (const next of found) {
    for (const edge of job.edges) if (edge[start] === next) found.add(edge[end])
  }
  return found
}
