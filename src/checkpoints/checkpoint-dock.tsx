/** The protocol act in hand: one checkpoint as a head with its figures, the snapshot matrix and the phase timeline on one set of rows. */
import type { CheckpointId } from '../../workers/model/ids.ts'
import type { JobGraph } from '../../workers/model/job-graph.ts'
import type { EngineTime } from '../../workers/model/time.ts'
import { checkpointAge, checkpointType, currentCheckpoint, findCheckpoint, PART_KINDS } from '../../workers/projections/checkpoint-view.ts'
import type { CheckpointRecord, CheckpointView } from '../../workers/projections/checkpoint-view.ts'
import type { JobView } from '../../workers/projections/job-view.ts'
import { slotsSentence, slotsWanted } from '../../workers/projections/slots.ts'
import { bytes, duration } from '../widgets/figures.ts'
import { useWidth } from '../widgets/use-width.ts'
import { CheckpointStrip } from './checkpoint-strip.tsx'
import { CheckpointFlag } from './flag.tsx'
import { nextCheckpoint } from './next-checkpoint.ts'
import { PhaseTimeline } from './phase-timeline.tsx'
import { MATRIX_COLUMNS, MatrixRow } from './snapshot-matrix.tsx'
import './checkpoints.css'

interface DockProps {
  readonly view: CheckpointView
  readonly graph: JobGraph | null
  readonly job: JobView
  readonly now: EngineTime
  /** Of each completed checkpoint, where a right answer is known: "59 of 59 airports exact". */
  readonly verdicts: ReadonlyMap<CheckpointId, { readonly text: string; readonly exact: boolean }>
  readonly pinned: CheckpointId | null
  readonly onPin: (id: CheckpointId | null) => void
}

export function CheckpointDock({ view, graph, job, now, verdicts, pinned, onPin }: DockProps) {
  const record = (pinned === null ? undefined : findCheckpoint(view, pinned)) ?? currentCheckpoint(view)
  if (record === undefined) {
    const wanted = slotsWanted(job, graph)
    return (
      <section className="dock" aria-label="Checkpoints">
        <div className="dock-head">
          <h2>No checkpoint yet</h2>
          <p className="dock-note">
            {nextCheckpoint({ status: job.status, cause: job.cause, nextAt: view.nextAt, now, slots: wanted === null ? null : slotsSentence(wanted), first: true })}
          </p>
        </div>
      </section>
    )
  }
  return (
    <section className={`dock${record.status === 'COMPLETED' ? ' sealed' : ''}`} aria-label={`Checkpoint ${record.id}`}>
      <DockHead record={record} now={now} verdict={verdicts.get(record.id) ?? null}>
        <CheckpointStrip history={view.history} now={now} shown={record.id} pinned={pinned} onPin={onPin} />
      </DockHead>
      <DockBody record={record} graph={graph} now={now} />
    </section>
  )
}

interface HeadProps {
  readonly record: CheckpointRecord
  readonly now: EngineTime
  readonly verdict: { readonly text: string; readonly exact: boolean } | null
  readonly children: React.ReactNode
}

const STATUS_WORD = { IN_PROGRESS: 'in progress', COMPLETED: 'completed', FAILED: 'failed' } as const

function DockHead({ record, now, verdict, children }: HeadProps) {
  return (
    <div className="dock-head">
      <h2>
        <CheckpointFlag id={record.id} savepoint={record.savepoint} />
        {record.savepoint ? 'Savepoint' : 'Checkpoint'} {record.id}
      </h2>
      <Figure label="type" value={typeWords(record)} />
      <Figure label="status" value={STATUS_WORD[record.status]} />
      <Figure label="acknowledged" value={`${record.acknowledged} of ${record.tasks}`} />
      <Figure label="written" value={bytes(record.checkpointedBytes)} />
      <Figure label={record.endedAt === null ? 'age' : 'duration'} value={duration(checkpointAge(record, now))} />
      {record.status === 'FAILED' && <Figure label="cause" value={record.message ?? record.reason ?? 'n/a'} failure />}
      {verdict !== null && <Figure label="checked against the log" value={verdict.text} failure={!verdict.exact} />}
      <span className="grow" />
      <div className="legend" aria-hidden="true">
        {(['start-delay', 'alignment', 'sync', 'async'] as const).map((phase) => (
          <span key={phase}>
            <i style={{ background: `var(--pat-${phase})`, boxShadow: `0 0 0 1px var(--${phase}-edge)` }} />
            {phase.replace('-', ' ')}
          </span>
        ))}
      </div>
      {children}
    </div>
  )
}

/** Flink's types: unaligned is what holds in-flight data. */
const typeWords = (record: CheckpointRecord): string => `${checkpointType(record)}, ${record.periodic ? 'periodic' : 'by hand'}`

function Figure({ label, value, failure = false }: { readonly label: string; readonly value: string; readonly failure?: boolean }) {
  return (
    <div className={`kv${failure ? ' kv-failure' : ''}`}>
      <span>{label}</span>
      <span>{value}</span>
    </div>
  )
}

function DockBody({ record, graph, now }: { readonly record: CheckpointRecord; readonly graph: JobGraph | null; readonly now: EngineTime }) {
  const [width, measure] = useWidth()
  return (
    <div className="dock-body">
      <table className="mx">
        <thead>
          <tr>
            <th scope="col">
              <span className="sr">subtask</span>
            </th>
            {PART_KINDS.map((kind) => (
              <th key={kind} scope="col">
                {MATRIX_COLUMNS[kind]}
              </th>
            ))}
            <th scope="col">ack</th>
          </tr>
        </thead>
        <tbody>
          {record.subtasks.map((subtask) => (
            <MatrixRow key={`${subtask.vertex}_${subtask.subtask}`} record={record} subtask={subtask} graph={graph} />
          ))}
        </tbody>
      </table>
      <div className="dock-timeline" ref={measure}>
        {width > 0 && <PhaseTimeline record={record} now={now} width={width} />}
      </div>
    </div>
  )
}
