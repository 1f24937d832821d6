/** The last sixty checkpoints: height = duration, hatch = number, shape = outcome. A click pins one and opens it below. */
import { memo } from 'react'
import type { CheckpointId } from '../../workers/model/ids.ts'
import type { EngineTime } from '../../workers/model/time.ts'
import { checkpointAge, CHECKPOINT_HISTORY_MAX } from '../../workers/projections/checkpoint-view.ts'
import type { CheckpointRecord } from '../../workers/projections/checkpoint-view.ts'
import type { AttemptView } from '../../workers/projections/job-view.ts'
import { duration } from '../widgets/figures.ts'
import { useWidth } from '../widgets/use-width.ts'
import { hatchOf } from './flag.tsx'
import { roundDuration } from './round-duration.ts'

const PITCH_MAX = 19
const PITCH_MIN = 12
const GAP = 4
const HEIGHT = 46
/** Room above for words. */
const ABOVE = 14
const SCALE_WIDTH = 44
/** A bar that is longer than this many medians is drawn broken, so that the others can be told apart. */
const OFF_SCALE = 4

interface RecentProps {
  readonly history: readonly CheckpointRecord[]
  readonly attempts: readonly AttemptView[]
  readonly now: EngineTime
  readonly pinned: CheckpointId | null
  readonly onPin: (id: CheckpointId) => void
}

const OUTCOME = { IN_PROGRESS: 'in progress', COMPLETED: 'completed', FAILED: 'failed' } as const

/** Drawn again only when something in it changes. */
export const RecentStrip = memo(function RecentStrip({ history, attempts, now, pinned, onPin }: RecentProps) {
  const [width, measured] = useWidth()
  // The same whether there are many or few: bars keep their width while they come.
  const pitch = Math.max(PITCH_MIN, Math.min(PITCH_MAX, Math.floor((width - SCALE_WIDTH) / CHECKPOINT_HISTORY_MAX)))
  const bars = history.slice(-Math.max(1, Math.floor((width - SCALE_WIDTH) / pitch)))
  const top = topOf(bars.map((record) => checkpointAge(record, now)))
  return (
    <div className="recent" ref={measured} role="group" aria-label="Recent checkpoints; height is duration">
      {history.length > 0 && (
        <span className="recent-scale" aria-hidden="true">
          {roundDuration(top)}
        </span>
      )}
      {bars.map((record) => {
        const age = checkpointAge(record, now)
        const restored = restoredBefore(history, record, attempts)
        const name = `${record.savepoint ? 'Savepoint' : 'Checkpoint'} ${record.id}, ${OUTCOME[record.status]}, ${duration(age)}${restored === null ? '' : `, the first after a restore from ${restored}`}`
        return (
          <button key={record.id} type="button" className={`recent-bar${record.id === pinned ? ' pinned' : ''}`} aria-pressed={record.id === pinned} aria-label={name} title={name} onClick={() => onPin(record.id)}>
            <svg width={pitch} height={ABOVE + HEIGHT + 16} aria-hidden="true">
              {restored !== null && <path d={`M1 2V${ABOVE + HEIGHT + 4}`} stroke="var(--ink)" strokeDasharray="2 2" />}
              {restored !== null && (
                <text x="5" y="9">
                  restored from {restored}
                </text>
              )}
              <RecentBar record={record} bar={pitch - GAP} height={Math.max(4, Math.min(1, age / top) * HEIGHT)} broken={age > top} strong={record.id === pinned} />
              {(record.savepoint || record.id % 5 === 0 || record.id === pinned) && (
                <text className="num" x={pitch / 2} y={ABOVE + HEIGHT + 13} textAnchor="middle">
                  {record.savepoint ? `S${record.id}` : record.id}
                </text>
              )}
            </svg>
          </button>
        )
      })}
    </div>
  )
})

/** A round duration that the bars are drawn against. */
function topOf(ages: readonly EngineTime[]): EngineTime {
  const sorted = ages.toSorted((a, b) => a - b)
  const median = sorted[Math.floor(sorted.length / 2)] ?? 1000
  const highest = Math.max(1000, Math.min(sorted.at(-1) ?? 1000, Math.max(1000, median * OFF_SCALE)))
  const unit = 10 ** Math.floor(Math.log10(highest))
  return Math.ceil(highest / unit) * unit
}

/** The checkpoint that the job was restored from, where `record` is the first after it. */
function restoredBefore(history: readonly CheckpointRecord[], record: CheckpointRecord, attempts: readonly AttemptView[]): CheckpointId | null {
  const attempt = attempts.findLast((one) => one.number > 1 && one.from !== null && one.runningAt !== null && one.runningAt <= record.triggeredAt)
  if (attempt?.runningAt == null) return null
  const first = history.find((one) => one.triggeredAt >= (attempt.runningAt ?? 0))
  return first?.id === record.id ? attempt.from : null
}

function RecentBar({ record, bar, height, broken, strong }: { readonly record: CheckpointRecord; readonly bar: number; readonly height: number; readonly broken: boolean; readonly strong: boolean }) {
  const x = GAP / 2
  const top = HEIGHT + ABOVE - height
  const bottom = HEIGHT + ABOVE
  if (record.status === 'FAILED') {
    const middle = Math.max(top + height / 2, bottom - 9)
    return (
      <g fill="none" stroke="var(--failure-edge)" strokeWidth="1.3">
        <path d={`M${x} ${bottom}V${top}h${bar - 4.5}l4.5 ${Math.min(5, height)}V${bottom}z`} />
        <path d={`M${x + bar / 2 - 2.6} ${middle - 2.6}l5.2 5.2M${x + bar / 2 + 2.6} ${middle - 2.6}l-5.2 5.2`} />
        {broken && <Break x={x} y={top + 10} />}
      </g>
    )
  }
  const ink = record.savepoint ? 'var(--savepoint-edge)' : strong ? 'var(--ink)' : 'var(--text-2)'
  const running = record.status === 'IN_PROGRESS'
  return (
    <g>
      <rect x={x + 0.6} y={top + 0.6} width={bar - 1.2} height={height - 0.6} fill={running ? 'none' : record.savepoint ? `url(#hatch-savepoint-${record.id % 4})` : hatchOf(record.id)} fillOpacity={strong || record.savepoint ? 1 : 0.62} stroke={ink} strokeWidth="1.2" {...(running ? { strokeDasharray: '2 1.8' } : {})} />
      {broken && <Break x={x} y={top + 10} />}
    </g>
  )
}

const Break = ({ x, y }: { readonly x: number; readonly y: number }) => <path d={`M${x - 1.5} ${y}l17 -5v4l-17 5z`} fill="var(--plane)" stroke="none" />
