/** Per subtask the phases of the checkpoint on one time axis, with the playhead at now. Rows stand beside those of the matrix. */
import { scaleLinear } from 'd3'
import type { EngineTime } from '../../workers/model/time.ts'
import { phaseBars, subtaskDuration } from '../../workers/projections/checkpoint-phases.ts'
import type { PhaseName } from '../../workers/projections/checkpoint-phases.ts'
import { checkpointAge } from '../../workers/projections/checkpoint-view.ts'
import type { CheckpointRecord } from '../../workers/projections/checkpoint-view.ts'
import { count, duration } from '../widgets/figures.ts'

export const ROW_HEIGHT = 22
const HEAD = 22
const LEFT = 8
const RIGHT = 92

export const PHASE_STYLE: Readonly<Record<PhaseName, { readonly fill: string; readonly edge: string; readonly word: string }>> = {
  'start-delay': { fill: 'url(#phase-start-delay)', edge: 'var(--start-delay-edge)', word: 'start delay' },
  alignment: { fill: 'url(#phase-alignment)', edge: 'var(--alignment-edge)', word: 'alignment' },
  sync: { fill: 'var(--sync)', edge: 'var(--sync-edge)', word: 'sync' },
  async: { fill: 'url(#phase-async)', edge: 'var(--async-edge)', word: 'async' },
}

export function PhaseTimeline({ record, now, width }: { readonly record: CheckpointRecord; readonly now: EngineTime; readonly width: number }) {
  const age = checkpointAge(record, now)
  const x = scaleLinear([0, Math.max(age, 1000)], [LEFT, Math.max(LEFT + 40, width - RIGHT)]).nice(4)
  const ticks = x.ticks(4)
  const height = HEAD + record.subtasks.length * ROW_HEIGHT
  return (
    <svg className="timeline" width={width} height={height} role="img" aria-label={`Phases of checkpoint ${record.id}, ${duration(age)} so far`}>
      <ScaleBar ticks={ticks} x={x} height={height} playhead={x(age)} />
      <path d={`M${x(age)} 8V${height}`} stroke="var(--ink)" strokeWidth="1.5" />
      {record.subtasks.map((subtask, row) => {
        const y = HEAD + row * ROW_HEIGHT + 5
        const bars = phaseBars(record, subtask, now)
        const total = subtaskDuration(record, subtask)
        const end = bars.at(-1)
        return (
          <g key={`${subtask.vertex}_${subtask.subtask}`}>
            {bars.map((bar) => (
              <rect
                key={bar.phase}
                x={x(bar.from) + 0.5}
                y={y}
                width={Math.max(1.6, x(bar.to) - x(bar.from) - 0.5)}
                height={12}
                fill={PHASE_STYLE[bar.phase].fill}
                stroke={PHASE_STYLE[bar.phase].edge}
              >
                <title>{`${PHASE_STYLE[bar.phase].word} ${duration(bar.to - bar.from)}`}</title>
              </rect>
            ))}
            {end !== undefined && (
              <text className="num over-line" x={x(end.to) + 6} y={y + 9.5} fill="var(--text-1)">
                {total !== null ? duration(total) : subtask.startedAt === null ? '' : PHASE_STYLE[end.phase].word}
              </text>
            )}
            {subtask.startedAt === null && record.status === 'IN_PROGRESS' && (
              <text x={x(age) + 6} y={y + 9.5} fill="var(--text-2)">
                no barrier yet
              </text>
            )}
          </g>
        )
      })}
      <path d={`M${x(age) - 5} 0h10v5l-5 5-5-5z`} fill="var(--ink)" />
    </svg>
  )
}

/** A label nearer than this to the playhead would lie under it. */
const LABEL_CLEARANCE = 28

interface ScaleBarProps {
  readonly ticks: readonly number[]
  readonly x: (value: number) => number
  readonly height: number
  /** Where the playhead stands; without one every label is drawn. */
  readonly playhead?: number
}

/** A map-scale bar: one block is one step of engine time. */
export function ScaleBar({ ticks, x, height, playhead = -Infinity }: ScaleBarProps) {
  const first = ticks[0] ?? 0
  const last = ticks.at(-1) ?? 0
  return (
    <g>
      <rect x={x(first)} y="12" width={x(last) - x(first)} height="4" fill="var(--plane)" stroke="var(--text-2)" />
      {ticks.slice(0, -1).map((tick, i) =>
        i % 2 === 0 ? <rect key={tick} x={x(tick)} y="12" width={x(ticks[i + 1] ?? tick) - x(tick)} height="4" fill="var(--text-2)" /> : null,
      )}
      {ticks.map((tick, i) => (
        <g key={tick}>
          <path d={`M${x(tick)} 18V${height}`} stroke={i === 0 ? 'var(--line-2)' : 'var(--line-1)'} />
          {Math.abs(x(tick) - playhead) > LABEL_CLEARANCE && (
            <text className="num" x={x(tick)} y="8" textAnchor={i === 0 ? 'start' : 'middle'}>
              {i === 0 ? '0 ms' : `+${count(tick / 1000)}`}
            </text>
          )}
        </g>
      ))}
    </g>
  )
}
