/** Key groups as a bar, cut where one subtask's end and the next one's begin: a small one for a row, a large one with the keys on it. */
import type { OperatorView } from '../../workers/model/snapshot-view.ts'
import { keyHue, keyLetter } from '../widgets/key-letter.tsx'
import { useWidth } from '../widgets/use-width.ts'
import { keyGroupsOf, sampleKeys } from './snapshot-facts.ts'
import type { SubtaskRange } from './snapshot-facts.ts'

/** More are not told apart in a row. */
const CUTS_MAX = 64

export function KeyGroupStrip({ operator }: { readonly operator: OperatorView }) {
  const ranges = keyGroupsOf(operator)
  if (ranges.length === 0) return <span className="na">not keyed</span>
  const whole = operator.maxParallelism
  return (
    <svg className="group-strip" viewBox={`0 0 ${whole} 10`} preserveAspectRatio="none" role="img" aria-label={said(ranges)}>
      <rect width={whole} height="10" fill="var(--bore)" />
      {ranges.slice(0, CUTS_MAX).map((range, index) => (
        <rect key={range.subtask} x={range.start} y="0" width={range.end - range.start + 1} height="10" fill={index % 2 === 0 ? 'var(--line-3)' : 'var(--line-2)'} />
      ))}
    </svg>
  )
}

const said = (ranges: readonly SubtaskRange[]): string => ranges.map((range) => `subtask ${range.subtask}: ${range.start} to ${range.end}`).join(', ')

const HEIGHT = 20
/** As many as a state's sample has at first. */
const KEYS_MAX = 100
const DISC = 6.5
const LANES = 3
/** A subtask narrower than this has no room for its number. */
const NUMBER_WIDTH = 16
const RANGE_WIDTH = 64

/** As on the restore sheet: ticks at eighths, a disc for each key that was shown, in the group where it lies. */
export function KeyGroupBar({ operator }: { readonly operator: OperatorView }) {
  const [width, measured] = useWidth()
  const ranges = keyGroupsOf(operator)
  if (ranges.length === 0) return null
  const whole = operator.maxParallelism
  const keys = sampleKeys(operator, KEYS_MAX)
  const placed = place(keys, width / whole)
  const lanes = Math.max(0, ...placed.map((key) => key.lane + 1))
  const top = lanes * (2 * DISC + 1) + 3
  const at = (group: number): number => (group / whole) * width
  return (
    <div className="group-bar" ref={measured}>
      {width > 0 && (
        <svg width={width} height={top + HEIGHT + 2} role="img" aria-label={`${whole} key groups; ${said(ranges)}`}>
          {placed.map((key) => (
            <g key={key.key} transform={`translate(${Math.max(DISC, Math.min(width - DISC, at(key.group + 0.5))).toFixed(1)} ${top - 4 - DISC - key.lane * (2 * DISC + 1)})`}>
              <title>
                {key.key}, key group {key.group}
              </title>
              <circle r={DISC} fill={`var(--key-${keyHue(key.key)})`} stroke="var(--key-edge)" strokeWidth="var(--key-edge-w)" />
              <text className="num" y="3.2" textAnchor="middle" fontSize="9" fontWeight="700" fill="#0a0f12">
                {keyLetter(key.key.replace(/^[^\p{L}\p{N}]+/u, ''))}
              </text>
            </g>
          ))}
          {ranges.map((range) => (
            <Segment key={range.subtask} range={range} x={at(range.start)} width={at(range.end + 1) - at(range.start)} top={top} whole={whole} groupWidth={width / whole} />
          ))}
        </svg>
      )}
      <p className="group-note">
        <span>
          <b className="num">{whole}</b> key groups (max parallelism), {ranges.length} {ranges.length === 1 ? 'subtask' : 'subtasks'}
        </span>
        {keys.length > 0 && <span>{keys.length === 1 ? 'disc: the one key read, over its group' : `discs: ${keys.length} of its keys, each over its group`}{placed.length < keys.length && `; ${keys.length - placed.length} find no room`}</span>}
      </p>
    </div>
  )
}

interface SegmentProps {
  readonly range: SubtaskRange
  readonly x: number
  readonly width: number
  readonly top: number
  readonly whole: number
  readonly groupWidth: number
}

function Segment({ range, x, width, top, whole, groupWidth }: SegmentProps) {
  // A tick for each group where they can be told apart, else at eighths of the whole.
  const step = groupWidth >= 5 ? 1 : Math.max(1, Math.round(whole / 32))
  const ticks: number[] = []
  for (let group = Math.ceil((range.start + 1) / step) * step; group <= range.end; group += step) ticks.push(group)
  return (
    <g transform={`translate(${x.toFixed(1)} ${top})`}>
      <rect x=".5" y=".5" width={Math.max(1, width - 1)} height={HEIGHT} fill="var(--inset)" stroke="var(--text-2)" />
      <path d={ticks.map((group) => `M${((group - range.start) * groupWidth).toFixed(1)} ${HEIGHT - 3}v3`).join('')} stroke="var(--line-3)" />
      {width >= NUMBER_WIDTH && (
        <text className="num" x="5" y="13.5" fontSize="11" fontWeight="700" fill="var(--text-1)">
          {range.subtask}
        </text>
      )}
      {width >= RANGE_WIDTH && (
        <text className="num" x={width - 5} y="13.5" fontSize="10.5" textAnchor="end" fill="var(--text-2)">
          {range.start === range.end ? range.start : `${range.start}–${range.end}`}
        </text>
      )}
    </g>
  )
}

interface PlacedKey {
  readonly key: string
  readonly group: number
  readonly lane: number
}

/** Discs that would cover one another go up a lane; what finds no lane is left out. */
function place(keys: readonly { readonly key: string; readonly group: number }[], groupWidth: number): readonly PlacedKey[] {
  const ends: number[] = []
  const placed: PlacedKey[] = []
  for (const key of keys.toSorted((a, b) => a.group - b.group)) {
    const x = (key.group + 0.5) * groupWidth
    let lane = 0
    while (lane < LANES && (ends[lane] ?? -Infinity) > x - DISC) lane++
    if (lane === LANES) continue
    ends[lane] = x + DISC + 1
    placed.push({ ...key, lane })
  }
  return placed
}
