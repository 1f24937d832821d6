/** The last checkpoints as a strip: height = duration, hatch = number, shape = outcome. A click pins one; again releases it. */
import type { CheckpointId } from '../../workers/model/ids.ts'
import type { EngineTime } from '../../workers/model/time.ts'
import { checkpointAge } from '../../workers/projections/checkpoint-view.ts'
import type { CheckpointRecord } from '../../workers/projections/checkpoint-view.ts'
import { duration } from '../widgets/figures.ts'
import { hatchOf } from './flag.tsx'

const BAR_PITCH = 18
const BAR_WIDTH = 12
const HEIGHT = 24
export const STRIP_BARS_MAX = 12

interface StripProps {
  readonly history: readonly CheckpointRecord[]
  readonly now: EngineTime
  readonly shown: CheckpointId | null
  readonly pinned: CheckpointId | null
  readonly onPin: (id: CheckpointId | null) => void
}

const OUTCOME = { IN_PROGRESS: 'in progress', COMPLETED: 'completed', FAILED: 'failed' } as const

export function CheckpointStrip({ history, now, shown, pinned, onPin }: StripProps) {
  const bars = history.slice(-STRIP_BARS_MAX)
  const longest = Math.max(1, ...bars.map((record) => checkpointAge(record, now)))
  return (
    <div className="strip" role="group" aria-label="Recent checkpoints, height is duration">
      {bars.map((record) => {
        const age = checkpointAge(record, now)
        const height = Math.max(4, (age / longest) * (HEIGHT - 1))
        const label = `Checkpoint ${record.id}, ${OUTCOME[record.status]}, ${duration(age)}`
        return (
          <button
            key={record.id}
            type="button"
            className={`strip-bar${record.id === shown ? ' shown' : ''}`}
            aria-pressed={record.id === pinned}
            aria-label={label}
            title={label}
            onClick={() => onPin(record.id === pinned ? null : record.id)}
          >
            <svg width={BAR_PITCH} height={HEIGHT + 12} aria-hidden="true">
              <Bar record={record} height={height} />
              <text className="num" x={BAR_PITCH / 2} y={HEIGHT + 10} textAnchor="middle">
                {record.id}
              </text>
            </svg>
          </button>
        )
      })}
    </div>
  )
}

function Bar({ record, height }: { readonly record: CheckpointRecord; readonly height: number }) {
  const x = (BAR_PITCH - BAR_WIDTH) / 2
  const top = HEIGHT - height
  if (record.status === 'FAILED') {
    const middle = Math.max(top + height / 2, HEIGHT - 11)
    return (
      <g fill="none" stroke="var(--failure-edge)" strokeWidth="1.3">
        <path d={`M${x} ${HEIGHT}V${top}h${BAR_WIDTH - 3.5}l3.5 ${Math.min(4, height)}V${HEIGHT}z`} />
        <path d={`M${x + 3} ${middle - 3}l6 6M${x + 9} ${middle - 3}l-6 6`} />
      </g>
    )
  }
  const running = record.status === 'IN_PROGRESS'
  return (
    <rect
      x={x + 0.5}
      y={top + 0.5}
      width={BAR_WIDTH - 1}
      height={height - 0.5}
      fill={running ? 'none' : hatchOf(record.id)}
      stroke="var(--ink)"
      strokeWidth="1.2"
      {...(running ? { strokeDasharray: '2 1.8' } : {})}
    />
  )
}
