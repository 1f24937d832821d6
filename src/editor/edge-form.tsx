/** How records are shipped along the selected edge. */
import type { EdgeDocument, JobDocument, Ship } from '../../workers/model/job-document.ts'
import type { Problem } from '../../workers/model/job-graph.ts'
import { disconnect, edgeKey, findOperator, setLink, setShip } from './edit-job.ts'
import { Choice, Fields, Text } from './operator-form.tsx'

const SHIPS: readonly { readonly value: Ship | ''; readonly title: string }[] = [
  { value: '', title: 'default: forward at equal parallelism, else rebalance' },
  { value: 'forward', title: 'forward: subtask i to subtask i' },
  { value: 'rebalance', title: 'rebalance: to all subtasks in turn' },
  { value: 'hash', title: 'hash: by key, so that a key has one subtask' },
  { value: 'broadcast', title: 'broadcast: each record to every subtask' },
  { value: 'rescale', title: 'rescale: in turn among the near subtasks' },
]

interface EdgeFormProps {
  readonly job: JobDocument
  readonly edge: EdgeDocument
  readonly problems: readonly Problem[]
  /** Fields that travel along it, as far as they are known. */
  readonly fields: readonly string[]
  readonly onEdit: (next: JobDocument, tag?: string) => void
}

export function EdgeForm({ job, edge, problems, fields, onEdit }: EdgeFormProps) {
  const key = edgeKey(edge)
  const at = `/edges/${job.edges.indexOf(edge)}`
  const own = problems.filter((problem) => problem.path === at || problem.path.startsWith(`${at}/`))
  const name = (uid: string): string => findOperator(job, uid)?.name ?? uid
  return (
    <form className="op-form" onSubmit={(event) => event.preventDefault()}>
      <h2>
        {name(edge.from)} → {name(edge.to)} <small>{`input ${key.input}`}</small>
      </h2>
      <div className="op-form-grid">
        <Choice
          label="Shipped"
          value={edge.ship ?? ''}
          choices={SHIPS}
          problem={own.find((problem) => !['by', 'rate', 'delay'].some((field) => problem.path === `${at}/${field}`))}
          onChange={(ship) => onEdit(setShip(job, key, ship === '' ? undefined : (ship as Ship), edge.by ?? fields.slice(0, 1)))}
        />
        {edge.ship === 'hash' && (
          <Fields label="Key" value={edge.by ?? []} fields={fields} problem={own.find((problem) => problem.path === `${at}/by`)} onChange={(by) => onEdit(setShip(job, key, 'hash', by ?? []))} />
        )}
        <Text
          label="Rate of each channel"
          help="Bytes a second, such as 64 kb; empty: no limit."
          value={edge.rate ?? ''}
          problem={own.find((problem) => problem.path === `${at}/rate`)}
          onChange={(rate) => onEdit(setLink(job, key, 'rate', rate === '' ? undefined : rate), 'rate')}
        />
        <Text
          label="Delay of each channel"
          help="A duration, such as 200 ms; empty: none."
          value={edge.delay ?? ''}
          problem={own.find((problem) => problem.path === `${at}/delay`)}
          onChange={(delay) => onEdit(setLink(job, key, 'delay', delay === '' ? undefined : delay), 'delay')}
        />
      </div>
      <button type="button" className="btn small" onClick={() => onEdit(disconnect(job, key))}>
        Remove this edge
      </button>
    </form>
  )
}
