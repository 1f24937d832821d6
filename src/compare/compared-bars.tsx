/** The phases of one checkpoint on both sides, per subtask, on one axis. */
import { scaleLinear } from 'd3'
import { useLayoutEffect, useRef, useState } from 'react'
import { phaseBars } from '../../workers/projections/checkpoint-phases.ts'
import type { CheckpointRecord } from '../../workers/projections/checkpoint-view.ts'
import type { ComparedRun } from '../../workers/projections/compared-run.ts'
import { PHASE_STYLE, ScaleBar } from '../checkpoints/phase-timeline.tsx'
import { duration } from '../widgets/figures.ts'

const HEAD = 24
const BAR = 12
const ROW = 42
const LABEL = 196
const RIGHT = 90
/** Narrower phases would vanish. */
const BAR_MIN = 1.6

export function ComparedBars({ runs, id }: { readonly runs: readonly ComparedRun[]; readonly id: number }) {
  const [box, width] = useWidth()
  const records = runs.map((run) => ({ run, record: run.checkpoints.find((one) => one.id === id) }))
  const longest = Math.max(1000, ...records.map(({ run, record }) => (record === undefined ? 0 : (record.endedAt ?? run.endedAt) - record.triggeredAt)))
  const x = scaleLinear([0, longest], [LABEL, Math.max(LABEL + 40, width - RIGHT)]).nice(4)
  const rows = records.find(({ record }) => record !== undefined)?.record?.subtasks ?? []
  const names = new Map(runs[0]?.graph.vertices.map((vertex) => [vertex.id, vertex.name]))
  const height = HEAD + rows.length * ROW
  return (
    <figure className="compared-bars" ref={box}>
      <figcaption>
        Checkpoint {id}, phases of each subtask on one axis
        {Object.entries(PHASE_STYLE).map(([phase, style]) => (
          <span key={phase}>
            <svg width="16" height="10" aria-hidden="true">
              <rect x=".5" y=".5" width="15" height="9" fill={style.fill} stroke={style.edge} />
            </svg>{' '}
            {style.word}
          </span>
        ))}
      </figcaption>
      <svg width={width} height={height} role="img" aria-label={`Phases of checkpoint ${id}: ${records.map(({ run, record }) => `${run.mode} ${record?.endedAt == null ? 'not ended' : duration(record.endedAt - record.triggeredAt)}`).join(', ')}`}>
        <ScaleBar ticks={x.ticks(4)} x={x} height={height} />
        {rows.map((row, index) => {
          const y = HEAD + index * ROW
          return (
            <g key={`${row.vertex}_${row.subtask}`}>
              <path d={`M0 ${y + 0.5}H${width}`} stroke="var(--line-1)" />
              <text x="0" y={y + 25} fill="var(--text-1)">{`${clipped(names.get(row.vertex) ?? '')} ${row.subtask}`}</text>
              {records.map(({ run, record }, side) => (
                <Side key={run.mode} run={run} record={record} at={{ vertex: row.vertex, subtask: row.subtask }} x={x} y={y + 6 + side * 17} />
              ))}
            </g>
          )
        })}
      </svg>
    </figure>
  )
}

interface SideProps {
  readonly run: ComparedRun
  readonly record: CheckpointRecord | undefined
  readonly at: { readonly vertex: string; readonly subtask: number }
  readonly x: (value: number) => number
  readonly y: number
}

function Side({ run, record, at, x, y }: SideProps) {
  const subtask = record?.subtasks.find((one) => one.vertex === at.vertex && one.subtask === at.subtask)
  const bars = record === undefined || subtask === undefined ? [] : phaseBars(record, subtask, run.endedAt)
  const end = bars.at(-1)?.to ?? 0
  const acknowledged = subtask?.acknowledgedAt !== null && subtask?.acknowledgedAt !== undefined
  return (
    <g>
      <text x={LABEL - 8} y={y + 10} textAnchor="end" fill="var(--text-2)">
        {run.mode}
      </text>
      {bars.map((bar) => (
        <rect key={bar.phase} x={x(bar.from) + 0.5} y={y} width={Math.max(BAR_MIN, x(bar.to) - x(bar.from) - 0.5)} height={BAR} fill={PHASE_STYLE[bar.phase].fill} stroke={PHASE_STYLE[bar.phase].edge}>
          <title>{`${PHASE_STYLE[bar.phase].word} ${duration(bar.to - bar.from)}`}</title>
        </rect>
      ))}
      <text className="num" x={x(end) + 7} y={y + 10} fill="var(--text-1)">
        {bars.length === 0 ? 'not reached' : acknowledged ? duration(end) : record?.status === 'FAILED' ? 'aborted' : 'under way'}
      </text>
    </g>
  )
}

const NAME_MAX = 18
const clipped = (name: string): string => (name.length > NAME_MAX ? `${name.slice(0, NAME_MAX - 1)}…` : name)

function useWidth() {
  const box = useRef<HTMLElement>(null)
  const [width, setWidth] = useState(800)
  useLayoutEffect(() => {
    if (box.current === null) return undefined
    const observer = new ResizeObserver(([entry]) => entry !== undefined && setWidth(Math.floor(entry.contentRect.width)))
    observer.observe(box.current)
    return () => observer.disconnect()
  }, [])
  return [box, width] as const
}
