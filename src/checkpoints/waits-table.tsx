/** While a checkpoint is under way: the channels whose barriers are awaited, and those that are blocked because of them. */
import type { JobGraph } from '../../workers/model/job-graph.ts'
import type { EngineTime } from '../../workers/model/time.ts'
import type { BarrierWait, SubtaskWaits } from '../../workers/projections/barrier-waits.ts'
import { senderName, subtaskName } from '../../workers/projections/plan.ts'
import { count, duration } from '../widgets/figures.ts'
import { Icon } from '../widgets/icon.tsx'

interface WaitsProps {
  readonly waits: readonly SubtaskWaits[]
  readonly graph: JobGraph
  readonly now: EngineTime
}

export function WaitsTable({ waits, graph, now }: WaitsProps) {
  if (waits.length === 0) return null
  return (
    <table className="ck-table waits-table">
      <caption>Barriers awaited</caption>
      <thead>
        <tr>
          <th scope="col">Channel, and its barrier</th>
          <th scope="col" className="n">
            Before it
          </th>
          <th scope="col" className="n">
            Behind it
          </th>
          <th scope="col" className="n">
            For
          </th>
        </tr>
      </thead>
      {waits.map((at) => (
        <tbody key={`${at.vertex}_${at.subtask}`}>
          <tr className="group">
            <th scope="rowgroup" colSpan={4}>
              {subtaskName(graph, at.vertex, at.subtask)} <span>has {at.arrived.length} of {at.arrived.length + at.awaited.length}</span>
            </th>
          </tr>
          {at.awaited.map((wait) => (
            <WaitRow key={wait.channel} wait={wait} graph={graph} now={now} because={null} />
          ))}
          {at.arrived.map((wait) => (
            <WaitRow key={wait.channel} wait={wait} graph={graph} now={now} because={at.awaited[0] ?? null} />
          ))}
        </tbody>
      ))}
    </table>
  )
}

interface RowProps {
  readonly wait: BarrierWait
  readonly graph: JobGraph
  readonly now: EngineTime
  /** What a blocked channel is blocked because of. */
  readonly because: BarrierWait | null
}

const PLACE: Readonly<Record<BarrierWait['place'], string>> = {
  'not-sent': 'awaited, not sent yet',
  sent: 'awaited, sent just now',
  output: 'awaited, in the sender’s queue',
  link: 'awaited, on its way',
  input: 'awaited, in the queue',
  taken: 'came',
}

function WaitRow({ wait, graph, now, because }: RowProps) {
  const words = wait.state === 'blocked' && because !== null ? `blocked until ${senderName(graph, because.channel)}’s is there` : wait.state === 'arrived' ? 'came; the channel stays open' : PLACE[wait.place]
  return (
    <tr className={wait.state}>
      <th scope="row">
        <Icon name={wait.state === 'awaited' ? 'hourglass' : wait.state === 'blocked' ? 'padlock' : 'check'} size={12} /> from {senderName(graph, wait.channel)}
        <small>{words}</small>
      </th>
      <td className="n">{amount(wait.ahead)}</td>
      <td className="n">{amount(wait.behind)}</td>
      <td className="n">{duration(Math.max(0, now - wait.since))}</td>
    </tr>
  )
}

function amount(of: BarrierWait['ahead']): string {
  if (of === null) return '–'
  return of.records === 0 && of.buffers === 0 ? '0' : `${count(of.buffers)} buf, ${count(of.records)} rec`
}
