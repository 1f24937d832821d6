/** Flink's Overview (behaviour 20.1): counts, and the latest of each kind with its detail. */
import { useState } from 'react'
import type { CheckpointView } from '../../workers/projections/checkpoint-view.ts'
import { useRun } from '../stores/run-store.ts'
import { clock } from '../widgets/figures.ts'
import type { CheckpointAnswer, RestoredAnswer, StatisticsAnswer } from './checkpoint-answers.ts'
import { BackpressureSection } from './backpressure-section.tsx'
import { CheckpointDetail } from './checkpoint-detail.tsx'
import { flinkBytes, flinkDuration } from './flink-format.ts'

type Figures = readonly (readonly [name: string, value: string])[]

export function OverviewTab({ statistics, tolerable }: { readonly statistics: StatisticsAnswer; readonly tolerable: number | null }) {
  const { counts, latest } = statistics
  const graph = useRun((state) => state.run.graph)
  const flows = useRun((state) => state.run.flows)
  const channels = useRun((state) => state.run.channels)
  const held = useRun((state) => state.run.checkpoints.held)
  return (
    <div className="overview">
      <Row title="Checkpoint Counts" figures={countFigures(counts)} />
      <Row title="Latest Completed Checkpoint" figures={latest.completed === null ? null : completedFigures(latest.completed)}>
        {latest.completed !== null && <CheckpointDetail id={latest.completed.id} listed={latest.completed} tolerable={tolerable} />}
      </Row>
      <Row title="Latest Failed Checkpoint" figures={latest.failed === null ? null : failedFigures(latest.failed)}>
        {latest.failed !== null && <CheckpointDetail id={latest.failed.id} listed={latest.failed} tolerable={tolerable} />}
      </Row>
      <Row title="Latest Savepoint" figures={latest.savepoint === null ? null : savepointFigures(latest.savepoint)}>
        {latest.savepoint !== null && <CheckpointDetail id={latest.savepoint.id} listed={latest.savepoint} tolerable={tolerable} brief />}
      </Row>
      <Row title="Latest Restore" figures={latest.restored === null ? null : restoredFigures(latest.restored)} />
      <Row title="Held by the JobManager" figures={heldFigures(held)} />
      {graph !== null && (
        <section className="overview-pressure">
          <BackpressureSection graph={graph} flows={flows} channels={channels} />
        </section>
      )}
    </div>
  )
}

function countFigures(counts: StatisticsAnswer['counts']): Figures {
  return [
    ['Triggered', String(counts.total)],
    ['In Progress', String(counts.in_progress)],
    ['Completed', String(counts.completed)],
    ['Failed', String(counts.failed)],
    ['Restored', String(counts.restored)],
  ]
}

const time = (millis: number): string => (millis < 0 ? 'n/a' : clock(millis * 1000))

function completedFigures(one: CheckpointAnswer): Figures {
  return [
    ['ID', String(one.id)],
    ['Completion Time', time(one.latest_ack_timestamp)],
    ['End to End Duration', flinkDuration(one.end_to_end_duration)],
    ['Checkpointed Data Size', flinkBytes(one.checkpointed_size)],
    ['Full Checkpoint Data Size', flinkBytes(one.state_size)],
  ]
}

function failedFigures(one: CheckpointAnswer): Figures {
  return [
    ['ID', String(one.id)],
    ['Failure Time', time(one.failure_timestamp ?? -1)],
    ['Cause', one.failure_message ?? 'n/a'],
  ]
}

function savepointFigures(one: CheckpointAnswer): Figures {
  return [
    ['ID', String(one.id)],
    ['Completion Time', time(one.latest_ack_timestamp)],
    ['Checkpointed Data Size', flinkBytes(one.checkpointed_size)],
    ['Full Checkpoint Data Size', flinkBytes(one.state_size)],
    ...(one.savepointFormat == null ? [] : [['Savepoint Format', one.savepointFormat] as const]),
    ['Path', one.external_path ?? '-'],
  ]
}

function restoredFigures(one: RestoredAnswer): Figures {
  return [
    ['ID', String(one.id)],
    ['Restore Time', time(one.restore_timestamp)],
    ['Type', one.is_savepoint ? 'Savepoint' : 'Checkpoint'],
    ...(one.external_path == null ? [] : [['Path', one.external_path] as const]),
  ]
}

/** Ours alone: what is lost with the JobManager, where nothing else has it. */
function heldFigures(held: CheckpointView['held']): Figures | null {
  if (held.length === 0) return null
  const total = held.reduce((sum, { bytes }) => sum + bytes, 0)
  return [['State in Memory', flinkBytes(total)], ...held.map(({ checkpointId, bytes }) => [`Checkpoint ${checkpointId}`, flinkBytes(bytes)] as const)]
}

interface RowProps {
  readonly title: string
  readonly figures: Figures | null
  readonly children?: React.ReactNode
}

/** A detail is open as in Flink; here it can be closed. */
function Row({ title, figures, children }: RowProps) {
  const [open, setOpen] = useState(true)
  const hasDetail = children !== undefined && children !== false && figures !== null
  return (
    <section className="overview-row" aria-label={title}>
      <div className="overview-line">
        <h3>{title}</h3>
        {figures === null ? (
          <p className="none">None</p>
        ) : (
          <dl>
            {figures.map(([name, value]) => (
              <div key={name}>
                <dt>{name}:</dt>
                <dd>{value}</dd>
              </div>
            ))}
          </dl>
        )}
        {hasDetail && (
          <button type="button" className="first-link" aria-expanded={open} onClick={() => setOpen(!open)}>
            {open ? 'Hide detail' : 'Show detail'}
          </button>
        )}
      </div>
      {hasDetail && open && children}
    </section>
  )
}
