/** Flink's History (behaviour 20.2): a row a checkpoint, newest first; a row opens its detail. */
import { Fragment, useState } from 'react'
import type { CheckpointId } from '../../workers/model/ids.ts'
import { findCheckpoint } from '../../workers/projections/checkpoint-view.ts'
import { useRun } from '../stores/run-store.ts'
import { clock } from '../widgets/figures.ts'
import { Icon } from '../widgets/icon.tsx'
import type { CheckpointAnswer } from './checkpoint-answers.ts'
import { CheckpointDetail } from './checkpoint-detail.tsx'
import { Expander } from './expander.tsx'
import { reasonOfMessage } from './failure-meaning.ts'
import { failureAnchor } from './failure-sentence.tsx'
import { CheckpointFlag } from './flag.tsx'
import { acknowledgedOf, flinkBytes, flinkDuration, orNa, processedPersisted } from './flink-format.ts'
import { SizeNote } from './size-note.tsx'

interface HistoryTabProps {
  readonly history: readonly CheckpointAnswer[]
  readonly tolerable: number | null
  readonly open: ReadonlySet<CheckpointId>
  readonly onToggle: (id: CheckpointId) => void
}

export function HistoryTab({ history, tolerable, open, onToggle }: HistoryTabProps) {
  const older = [...open].filter((id) => history.every((one) => one.id !== id))
  return (
    <>
      <table className="ck-table ck-history">
        <caption className="sr">Checkpoints, newest first</caption>
        <thead>
          <tr>
            <th scope="col" className="x">
              <span className="sr">Detail</span>
            </th>
            <th scope="col">ID</th>
            <th scope="col">Status</th>
            <th scope="col" className="n">Acknowledged</th>
            <th scope="col" className="n">Trigger Time</th>
            <th scope="col" className="n">Latest Acknowledgement</th>
            <th scope="col" className="n">End to End Duration</th>
            <th scope="col" className="n">Checkpointed Data Size <SizeNote /></th>
            <th scope="col" className="n">Full Checkpoint Data Size</th>
            <th scope="col" className="n">Processed (persisted) in-flight data</th>
          </tr>
        </thead>
        <tbody>
          {history.map((one) => (
            <Fragment key={one.id}>
              <HistoryRow one={one} open={open.has(one.id)} onToggle={() => onToggle(one.id)} />
              {open.has(one.id) && (
                <tr className="inner">
                  <td colSpan={10}>
                    <CheckpointDetail id={one.id} listed={one} tolerable={tolerable} />
                  </td>
                </tr>
              )}
            </Fragment>
          ))}
        </tbody>
      </table>
      {older.map((id) => (
        <section key={id} className="older" data-checkpoint={id} aria-label={`Checkpoint ${id}`}>
          <h3>
            <CheckpointFlag id={id} /> Checkpoint {id}
            <small>older than the history that the JobManager keeps (web.checkpoints.history); from the event log</small>
            <button type="button" className="first-link" onClick={() => onToggle(id)}>
              Close
            </button>
          </h3>
          <CheckpointDetail id={id} listed={null} tolerable={tolerable} />
        </section>
      ))}
    </>
  )
}

function HistoryRow({ one, open, onToggle }: { readonly one: CheckpointAnswer; readonly open: boolean; readonly onToggle: () => void }) {
  return (
    <tr className={open ? 'open' : ''} data-checkpoint={one.id}>
      <td className="x">
        <Expander open={open} label={`Detail of checkpoint ${one.id}`} onToggle={onToggle} />
      </td>
      <th scope="row">
        <CheckpointFlag id={one.id} savepoint={one.is_savepoint} />
        <span className="sr">{one.id}</span>
      </th>
      <td>
        <StatusBadge one={one} open={open} onOpen={onToggle} />
      </td>
      <td className="n">{acknowledgedOf(one.num_acknowledged_subtasks, one.num_subtasks, one.status === 'IN_PROGRESS')}</td>
      <td className="n">{clock(one.trigger_timestamp * 1000)}</td>
      <td className="n">{orNa(one.latest_ack_timestamp, (at) => clock(at * 1000))}</td>
      <td className="n strong">{orNa(one.end_to_end_duration, flinkDuration)}</td>
      <td className="n">{flinkBytes(one.checkpointed_size)}</td>
      <td className="n">{flinkBytes(one.state_size)}</td>
      <td className="n">{processedPersisted(one.processed_data, one.persisted_data)}</td>
    </tr>
  )
}

function StatusBadge({ one, open, onOpen }: { readonly one: CheckpointAnswer; readonly open: boolean; readonly onOpen: () => void }) {
  const [asked, setAsked] = useState(false)
  const logged = useRun((state) => findCheckpoint(state.run.checkpoints, one.id)?.reason ?? null)
  const reason = logged ?? reasonOfMessage(one.failure_message)
  // The sentence is below only after the row is open.
  if (asked && open) {
    setAsked(false)
    setTimeout(() => document.getElementById(failureAnchor(one.id))?.focus())
  }
  return (
    <span className={`badge ${one.status}`}>
      <Icon name={one.status === 'COMPLETED' ? 'acknowledged' : one.status === 'FAILED' ? 'failed' : 'processing'} size={14} />
      {one.status}
      {one.is_savepoint && <i>[Savepoint]</i>}
      {one.status === 'FAILED' && reason !== null && (
        <a
          href={`#${failureAnchor(one.id)}`}
          onClick={(event) => {
            event.preventDefault()
            setAsked(true)
            if (!open) onOpen()
          }}
        >
          {reason}
        </a>
      )}
    </span>
  )
}
