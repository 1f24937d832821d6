/** Everything that is known of one operator of a snapshot. */
import type { OffsetView, OperatorView, SnapshotView } from '../../workers/model/snapshot-view.ts'
import { bytes, count } from '../widgets/figures.ts'
import { Facts } from './facts.tsx'
import { KeyGroupBar } from './key-group-strip.tsx'
import { StateSection } from './state-section.tsx'
import { SubtasksTable } from './subtasks-table.tsx'
import { UidBox } from './uid-box.tsx'
import { HexDump, ValueCell } from './value-cell.tsx'

interface DetailProps {
  readonly operator: OperatorView
  readonly view: SnapshotView
  /** The uid of the job at hand that its id is the hash of, where the file has none. */
  readonly hashOf: string | null
}

export function OperatorDetail({ operator, view, hashOf }: DetailProps) {
  const { inFlight } = operator
  const problems = view.problems.filter((problem) => problem.operatorId === operator.operatorId)
  const unread = problems.length > 0 ? 'the problems say why' : 'it is in the files of the state backend itself, which are listed below'
  return (
    <div className="operator-detail">
      <Facts
        facts={[
          ['uid', operator.uid === '' ? <i key="none" className="fact-note">not in the file</i> : operator.uid, 'mono'],
          ['Operator ID', operator.operatorId, 'mono'],
          ['Name', operator.name === '' ? <i key="none" className="fact-note">not in the file</i> : operator.name],
          ['Max parallelism', count(operator.maxParallelism), 'mono'],
          ['In-flight data', inFlight.size === 0 && inFlight.buffers === 0 ? 'none' : `${bytes(inFlight.size)} in ${count(inFlight.buffers)} buffers of ${count(inFlight.inputChannels)} input and ${count(inFlight.outputChannels)} output channels`],
        ]}
      />
      {operator.uid === '' && <UidBox operatorId={operator.operatorId} known={hashOf} />}
      {operator.isFullyFinished && <p className="panel-note">All its subtasks had finished: it has no state, and stays finished after a restore.</p>}
      <KeyGroupBar operator={operator} />
      {operator.states.map((state) => (
        <StateSection key={`${state.kind} ${state.name}`} state={state} unread={unread} />
      ))}
      {operator.states.length === 0 && !operator.isFullyFinished && <p className="panel-note">{problems.length > 0 ? 'No state of it could be read: the problems say why.' : 'It holds no state of its own.'}</p>}
      <Offsets title="Positions of the source readers" offsets={operator.offsets} />
      <Coordinator operator={operator} />
      {operator.subtasks.length > 0 && <SubtasksTable subtasks={operator.subtasks} />}
    </div>
  )
}

function Coordinator({ operator }: { readonly operator: OperatorView }) {
  const { coordinator } = operator
  if (coordinator === null) return null
  return (
    <section className="panel-section">
      <h4>
        Coordinator state <small>{coordinator.kind === '' ? 'not understood' : coordinator.kind}, {bytes(coordinator.size)}</small>
      </h4>
      <Offsets title="Positions in it" offsets={coordinator.offsets} />
      {(coordinator.kind === '' || coordinator.offsets.length === 0) && coordinator.hex !== '' && <HexDump hex={coordinator.hex} size={coordinator.size} />}
    </section>
  )
}

function Offsets({ title, offsets }: { readonly title: string; readonly offsets: readonly OffsetView[] }) {
  if (offsets.length === 0) return null
  const hasEnd = offsets.some((offset) => offset.end !== null)
  return (
    <section className="panel-section">
      <table className="ck-table narrow">
        <caption>{title}</caption>
        <thead>
          <tr>
            <th scope="col">Split</th>
            <th scope="col">Position</th>
            {hasEnd && <th scope="col">End</th>}
          </tr>
        </thead>
        <tbody>
          {offsets.map((offset, index) => (
            // oxlint-disable-next-line react/no-array-index-key -- two readers may tell of one split
            <tr key={`${index} ${offset.split}`}>
              <th scope="row" className="mono">
                {offset.split}
              </th>
              <td className="mono">
                <ValueCell value={offset.position} />
              </td>
              {hasEnd && (
                <td className="mono">
                  <ValueCell value={offset.end} />
                </td>
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}
