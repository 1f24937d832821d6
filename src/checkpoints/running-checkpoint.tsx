/** The age of the checkpoint under way against its timeout, and whether it moves: three states, by a rule that stands beside them. */
import type { JobGraph } from '../../workers/model/job-graph.ts'
import type { EngineTime } from '../../workers/model/time.ts'
import { findProgress, motionOf, quietMicros, stuckMicros } from '../../workers/projections/checkpoint-progress.ts'
import type { Motion, ProgressView } from '../../workers/projections/checkpoint-progress.ts'
import { checkpointAge } from '../../workers/projections/checkpoint-view.ts'
import type { CheckpointView } from '../../workers/projections/checkpoint-view.ts'
import type { JobView } from '../../workers/projections/job-view.ts'
import { slotsSentence, slotsWanted } from '../../workers/projections/slots.ts'
import { duration } from '../widgets/figures.ts'
import { CheckpointFlag } from './flag.tsx'
import { nextCheckpoint } from './next-checkpoint.ts'
import { roundDuration } from './round-duration.ts'

interface RunningProps {
  readonly view: CheckpointView
  readonly progress: ProgressView
  readonly graph: JobGraph | null
  readonly job: JobView
  readonly now: EngineTime
}

export function RunningCheckpoint({ view, progress, graph, job, now }: RunningProps) {
  const record = view.history.find((one) => one.status === 'IN_PROGRESS')
  if (record === undefined) {
    const wanted = slotsWanted(job, graph)
    return (
      <div className="running" role="status">
        <AgeRing share={0} motion={null} />
        <p>
          <b>No checkpoint under way</b>
          <span>{nextCheckpoint({ status: job.status, cause: job.cause, nextAt: view.nextAt, now, slots: wanted === null ? null : slotsSentence(wanted), first: false })}</span>
        </p>
      </div>
    )
  }
  const timeout = graph?.settings.checkpointing.timeoutMicros ?? 600_000_000
  const age = checkpointAge(record, now)
  const known = findProgress(progress, record.id)
  const { motion, stillMicros } = known === undefined ? ({ motion: 'moving', stillMicros: 0 } as const) : motionOf(known, timeout)
  const more = view.history.filter((one) => one.status === 'IN_PROGRESS').length - 1
  return (
    <div className={`running ${motion}`}>
      <AgeRing share={age / timeout} motion={motion} />
      <p>
        <b>
          <CheckpointFlag id={record.id} savepoint={record.savepoint} /> {duration(age)} of {roundDuration(timeout)}, <em>{motion}</em>
          {more > 0 && <small> and {more} more</small>}
        </b>
        <span>{motionRule(motion, timeout, stillMicros)}</span>
      </p>
    </div>
  )
}

function motionRule(motion: Motion, timeout: EngineTime, still: EngineTime): string {
  const quiet = roundDuration(quietMicros(timeout))
  const stuck = roundDuration(stuckMicros(timeout))
  if (motion === 'moving') return `moving: an event within ${quiet}`
  if (motion === 'slow') return `slow: no event for ${duration(still)}, but data before its barriers is worked off`
  return `stuck: nothing came forward for ${duration(still)}; the limit is ${stuck}`
}

const RADIUS = 15
const ROUND = 2 * Math.PI * RADIUS

export function AgeRing({ share, motion }: { readonly share: number; readonly motion: Motion | null }) {
  const filled = Math.min(1, Math.max(0, share)) * ROUND
  const end = (Math.min(1, Math.max(0, share)) * 2 - 0.5) * Math.PI
  return (
    <svg className="age-ring" width="40" height="40" viewBox="-20 -20 40 40" aria-hidden="true">
      <circle r={RADIUS} fill="none" stroke="var(--line-2)" strokeWidth="3" />
      {Array.from({ length: 12 }, (_, tick) => (
        <path key={tick} d="M0 -18.6V-17" stroke="var(--text-3)" transform={`rotate(${tick * 30})`} />
      ))}
      {motion !== null && <circle r={RADIUS} fill="none" stroke={motion === 'stuck' ? 'var(--failure-edge)' : 'var(--ink)'} strokeWidth="3.4" strokeDasharray={`${filled} ${ROUND}`} transform="rotate(-90)" />}
      {motion !== null && <circle cx={RADIUS * Math.cos(end)} cy={RADIUS * Math.sin(end)} r="2.6" fill={motion === 'stuck' ? 'var(--failure-edge)' : 'var(--ink)'} />}
      {motion === 'moving' && <path d="M-4 -5 1 0-4 5M1 -5 6 0 1 5" fill="none" stroke="var(--ink)" strokeWidth="1.6" />}
      {motion === 'slow' && <path d="M-5 -6H5M-5 6H5M-4 -6C-4 -1 4 1 4 6M4 -6C4 -1 -4 1 -4 6" fill="none" stroke="var(--ink)" strokeWidth="1.3" />}
      {motion === 'stuck' && <path d="M-5 -5 5 5M5 -5-5 5" fill="none" stroke="var(--failure-edge)" strokeWidth="2" />}
    </svg>
  )
}
