/**
 * The phases of one checkpoint, subtask by subtask, on one axis of engine time; stragglers are framed, and the longest chain of waits is an ink line
 * over them, straightened below.
 */
import { scaleLinear } from 'd3'
import type { JobGraph } from '../../workers/model/job-graph.ts'
import type { EngineTime } from '../../workers/model/time.ts'
import { phaseBars } from '../../workers/projections/checkpoint-phases.ts'
import { checkpointAge } from '../../workers/projections/checkpoint-view.ts'
import type { CheckpointRecord, SubtaskCheckpoint } from '../../workers/projections/checkpoint-view.ts'
import type { CriticalPath, PathSegment } from '../../workers/projections/critical-path.ts'
import { subtaskName } from '../../workers/projections/plan.ts'
import { duration } from '../widgets/figures.ts'
import { exactMillis } from './path-words.ts'
import { PHASE_STYLE, ScaleBar } from './phase-timeline.tsx'

const ROW = 23
const GROUP_GAP = 5
const HEAD = 24
const RIGHT = 92
const BAR = 13

interface TimelineProps {
  readonly record: CheckpointRecord
  readonly graph: JobGraph | null
  readonly path: CriticalPath | null
  readonly letters: ReadonlyMap<PathSegment, string>
  readonly stragglers: readonly SubtaskCheckpoint[]
  readonly now: EngineTime
  readonly width: number
}

type Scale = (value: number) => number

export function DetailTimeline({ record, graph, path, letters, stragglers, now, width }: TimelineProps) {
  const age = checkpointAge(record, now)
  const left = labelWidth(record, graph)
  const x = scaleLinear([0, Math.max(age, path?.durationMicros ?? 0, 1000)], [left, Math.max(left + 60, width - RIGHT)]).nice(5)
  const rows = rowsOf(record)
  const bottom = (rows.at(-1)?.y ?? HEAD) + ROW
  const height = bottom + (path === null ? 4 : 34)
  return (
    <svg className="timeline detail-timeline" width={width} height={height} role="img" aria-label={`Phases of checkpoint ${record.id} by subtask, ${duration(age)} in all. The tables beside and below have the same figures.`}>
      <ScaleBar ticks={x.ticks(5)} x={x} height={bottom} />
      {rows.map((row) => (
        <SubtaskRow key={`${row.subtask.vertex}_${row.subtask.subtask}`} record={record} row={row} name={subtaskName(graph, row.subtask.vertex, row.subtask.subtask)} straggles={stragglers.includes(row.subtask)} now={now} x={x} />
      ))}
      {record.status === 'IN_PROGRESS' && <path d={`M${x(age)} 14V${bottom}`} stroke="var(--ink)" strokeWidth="1.5" />}
      {path !== null && <PathLine path={path} letters={letters} rows={rows} x={x} />}
      {path !== null && <StraightPath path={path} since={record.triggeredAt} letters={letters} y={bottom + 10} x={x} />}
    </svg>
  )
}

interface Row {
  readonly subtask: SubtaskCheckpoint
  readonly y: number
}

/** Operators stand a little apart. */
function rowsOf(record: CheckpointRecord): Row[] {
  let y = HEAD
  return record.subtasks.map((subtask, index) => {
    const before = record.subtasks[index - 1]
    if (before !== undefined) y += before.vertex === subtask.vertex ? ROW : ROW + GROUP_GAP
    return { subtask, y }
  })
}

function labelWidth(record: CheckpointRecord, graph: JobGraph | null): number {
  const longest = Math.max(6, ...record.subtasks.map((subtask) => subtaskName(graph, subtask.vertex, subtask.subtask).length))
  return Math.min(190, 12 + longest * 6.1)
}

interface SubtaskRowProps {
  readonly record: CheckpointRecord
  readonly row: Row
  readonly name: string
  readonly straggles: boolean
  readonly now: EngineTime
  readonly x: Scale
}

function SubtaskRow({ record, row, name, straggles, now, x }: SubtaskRowProps) {
  const bars = phaseBars(record, row.subtask, now)
  const end = bars.at(-1)
  const last = x(end?.to ?? 0)
  const acknowledged = row.subtask.acknowledgedAt
  const at = acknowledged === null ? last : Math.max(last, x(acknowledged - record.triggeredAt))
  return (
    <g>
      <foreignObject x="0" y={row.y + 1} width={Math.max(0, x(0) - 8)} height={ROW - 4}>
        <div className="timeline-name" title={name}>
          <span>{name.slice(0, name.lastIndexOf(' '))}</span>
          <span>{name.slice(name.lastIndexOf(' ') + 1)}</span>
        </div>
      </foreignObject>
      {bars.map((bar) => (
        <rect key={bar.phase} x={x(bar.from) + 0.5} y={row.y + 4} width={Math.max(1.6, x(bar.to) - x(bar.from) - 0.5)} height={BAR} fill={PHASE_STYLE[bar.phase].fill} stroke={PHASE_STYLE[bar.phase].edge} {...(bar.open ? { strokeDasharray: '3 2' } : {})}>
          <title>{`${PHASE_STYLE[bar.phase].word} ${duration(bar.to - bar.from)}`}</title>
        </rect>
      ))}
      {straggles && <rect x={x(0) - 2.5} y={row.y + 1.5} width={last - x(0) + 5} height={BAR + 5} fill="none" stroke="var(--failure-edge)" strokeWidth="1.3" strokeDasharray="4 2.5" />}
      {acknowledged !== null && <circle cx={at + 7} cy={row.y + 10.5} r="2.6" fill="var(--ink)" />}
      <text className="num" x={at + (acknowledged === null ? 7 : 14)} y={row.y + 14}>
        {rowWords(record, row.subtask, end === undefined ? '' : PHASE_STYLE[end.phase].word)}
      </text>
    </g>
  )
}

function rowWords(record: CheckpointRecord, subtask: SubtaskCheckpoint, phase: string): string {
  if (subtask.acknowledgedAt !== null) return exactMillis(0, subtask.acknowledgedAt - record.triggeredAt, subtask.acknowledgedAt - record.triggeredAt, record.triggeredAt)
  if (record.status === 'FAILED') return subtask.startedAt === null ? 'no barrier came' : `ended in ${phase}`
  return subtask.startedAt === null ? 'no barrier yet' : phase
}

interface PathProps {
  readonly path: CriticalPath
  readonly letters: ReadonlyMap<PathSegment, string>
  readonly rows: readonly Row[]
  readonly x: Scale
}

function PathLine({ path, letters, rows, x }: PathProps) {
  const middleOf = (segment: PathSegment): number => (rows.find(({ subtask }) => subtask.vertex === segment.vertex && subtask.subtask === segment.subtask)?.y ?? HEAD) + 10.5
  const first = path.segments[0]
  if (first === undefined) return null
  const points = [{ x: x(0), y: middleOf(first) }, ...path.segments.map((segment) => ({ x: x(segment.to), y: middleOf(segment) }))]
  return (
    <g>
      <path d={`M${points.map((point) => `${point.x} ${point.y}`).join('L')}`} fill="none" stroke="var(--plane)" strokeWidth="4.5" strokeLinejoin="round" />
      <path d={`M${points.map((point) => `${point.x} ${point.y}`).join('L')}`} fill="none" stroke="var(--ink)" strokeWidth="1.8" strokeLinejoin="round" />
      {points.map((point, index) => (
        <rect key={index} x={point.x - 2} y={point.y - 2} width="4" height="4" fill="var(--ink)" />
      ))}
      {path.segments.map((segment, index) => {
        const letter = letters.get(segment)
        const from = points[index]
        const to = points[index + 1]
        if (letter === undefined || from === undefined || to === undefined || Math.hypot(to.x - from.x, to.y - from.y) < 26) return null
        const [cx, cy] = [(from.x + to.x) / 2, (from.y + to.y) / 2]
        return (
          <g key={letter}>
            <rect x={cx - 8} y={cy - 8} width="16" height="16" fill="var(--plane)" stroke="var(--ink)" />
            <text className="num letter" x={cx} y={cy + 3.6} textAnchor="middle">
              {letter}
            </text>
          </g>
        )
      })}
    </g>
  )
}

/** The same chain as one bar: its segments are the duration. */
function StraightPath({ path, since, letters, y, x }: Omit<PathProps, 'rows'> & { readonly since: EngineTime; readonly y: number }) {
  const longest = path.segments.reduce((best, segment) => Math.max(best, segment.to - segment.from), 0)
  return (
    <g>
      <text className="label" x="0" y={y + 13}>
        {path.isComplete ? 'path' : 'path so far'}
      </text>
      {path.segments.map((segment) => {
        const letter = letters.get(segment)
        const [from, to] = [x(segment.from), x(segment.to)]
        const main = segment.to - segment.from === longest
        const text = letter === undefined ? '' : to - from > 90 ? `${letter}  ${exactMillis(segment.from, segment.to, path.durationMicros, since)}` : to - from > 14 ? letter : ''
        return (
          <g key={segment.from}>
            <rect x={from + 0.5} y={y} width={Math.max(1, to - from - 1)} height="17" fill={main ? 'var(--ink)' : 'var(--hover)'} stroke="var(--text-2)" strokeWidth=".8" />
            <text className="num letter" x={(from + to) / 2} y={y + 12.3} textAnchor="middle" style={{ fill: main ? 'var(--on-ink)' : 'var(--text-1)' }}>
              {text}
            </text>
          </g>
        )
      })}
      <text className="num strong" x={x(path.durationMicros) + 8} y={y + 12.5}>
        {exactMillis(0, path.durationMicros, path.durationMicros, since)}
      </text>
    </g>
  )
}
