/** The key groups of operators that are cut alike: as saved above, as they will be below, what moves hatched between. */
import type { SnapshotView } from '../../workers/model/snapshot-view.ts'
import type { KeyGroupRange } from '../../workers/model/state-handles.ts'
import { sampleKeys } from '../storage/snapshot-facts.ts'
import { keyHue, keyLetter } from '../widgets/key-letter.tsx'
import { useWidth } from '../widgets/use-width.ts'
import { movedGroups, type CutOperators, type MovedGroups } from './key-group-cut.ts'

const BAR = 21
const BETWEEN = 40
const DISC = 7
/** Narrower than this has no room for its words. */
const WORDS_WIDTH = 110
const NUMBER_WIDTH = 16
const RANGE_WIDTH = 64

interface CutProps {
  readonly operators: CutOperators
  readonly snapshot: SnapshotView | null
}

export function KeyGroupCutView({ operators, snapshot }: CutProps) {
  const [width, measured] = useWidth()
  const { old, cut, maxParallelism, uids, operatorIds } = operators
  const moved = movedGroups(old, cut)
  const shown = snapshot?.operators.find((operator) => operatorIds.includes(operator.operatorId))
  const at = (group: number): number => (group / maxParallelism) * width
  const known = shown === undefined ? [] : sampleKeys(shown, Infinity)
  const keys = apart(known, at)
  // Of a sample nobody can say how many keys move.
  const isAll = shown?.states.every((state) => state.isComplete && state.sample.length === state.entries) === true
  return (
    <section className="cut" aria-label={`Key groups of ${uids.join(' and ')}`}>
      <h3>
        Key groups of{' '}
        {uids.map((uid, index) => (
          <span key={uid}>
            {index > 0 && (index === uids.length - 1 ? ' and ' : ', ')}
            <b className="mono">{uid}</b>
          </span>
        ))}
      </h3>
      <p className="cut-note">
        <span>{subtasks(old.length)}, as saved</span>
        <span>
          {moved.length === 0 ? 'every group stays with its subtask' : `${moved.reduce((sum, one) => sum + one.end - one.start + 1, 0)} of ${maxParallelism} key groups move`}
        </span>
      </p>
      <div ref={measured}>
        {width > 0 && (
          <svg width={width} height={2 * BAR + BETWEEN} role="img" aria-label={said(operators, moved)}>
            <rect y={BAR} width={width} height={BETWEEN} fill="var(--inset)" />
            {moved.map((one) => (
              <Moved key={`${one.start}`} one={one} x={at(one.start)} width={at(one.end + 1) - at(one.start)} keys={isAll ? known.filter((key) => key.group >= one.start && key.group <= one.end).length : 0} />
            ))}
            {keys.map((key) => (
              <g key={key.key} transform={`translate(${Math.max(DISC, Math.min(width - DISC, at(key.group + 0.5))).toFixed(1)} ${BAR + BETWEEN - DISC - 5})`}>
                <title>
                  {key.key}, key group {key.group}
                </title>
                <circle r={DISC} fill={`var(--key-${keyHue(key.key)})`} stroke="var(--key-edge)" strokeWidth="var(--key-edge-w)" />
                <text className="num" y="3.3" textAnchor="middle" fontSize="9.5" fontWeight="700" fill="#0a0f12">
                  {keyLetter(key.key)}
                </text>
              </g>
            ))}
            <Bar ranges={old} top={0} at={at} />
            <Bar ranges={cut} top={BAR + BETWEEN} at={at} />
          </svg>
        )}
      </div>
      <p className="cut-note">
        <span>{subtasks(cut.length)} in this job</span>
        <span className="num">{maxParallelism} key groups</span>
      </p>
    </section>
  )
}

/** Those that would cover another one are left out. */
function apart<K extends { readonly group: number }>(keys: readonly K[], at: (group: number) => number): readonly K[] {
  let last = -Infinity
  return keys
    .toSorted((a, b) => a.group - b.group)
    .filter(({ group }) => {
      if (at(group) - last < 2 * DISC + 1) return false
      last = at(group)
      return true
    })
}

const subtasks = (count: number): string => (count === 1 ? '1 subtask' : `${count} subtasks`)

const said = ({ old, cut }: CutOperators, moved: readonly MovedGroups[]): string =>
  `${subtasks(old.length)} before, ${subtasks(cut.length)} now; ${moved.map((one) => `groups ${one.start} to ${one.end} from subtask ${one.from} to ${one.to}`).join(', ') || 'nothing moves'}`

function Bar({ ranges, top, at }: { readonly ranges: readonly KeyGroupRange[]; readonly top: number; readonly at: (group: number) => number }) {
  return (
    <g>
      {ranges.map((range, subtask) => {
        const x = at(range.start)
        const width = at(range.end + 1) - x
        return (
          <g key={range.start} transform={`translate(${x.toFixed(1)} ${top})`}>
            <rect x=".5" y=".5" width={Math.max(1, width - 1)} height={BAR - 1} fill="var(--card)" stroke="var(--text-2)" />
            {width >= NUMBER_WIDTH && (
              <text className="num" x="6" y="14.5" fontSize="11" fontWeight="700" fill="var(--text-1)">
                {subtask}
              </text>
            )}
            {width >= RANGE_WIDTH && (
              <text className="num" x={width - 6} y="14.5" fontSize="10.5" textAnchor="end" fill="var(--text-2)">
                {range.start}–{range.end}
              </text>
            )}
          </g>
        )
      })}
    </g>
  )
}

function Moved({ one, x, width, keys }: { readonly one: MovedGroups; readonly x: number; readonly width: number; readonly keys: number }) {
  const groups = one.end - one.start + 1
  return (
    <g transform={`translate(${x.toFixed(1)} ${BAR})`}>
      <rect width={Math.max(1, width)} height={BETWEEN} fill="url(#restore-moved)" />
      {width >= WORDS_WIDTH && (
        <text x={width / 2} y="13" textAnchor="middle" fontSize="11" fill="var(--text-1)" className="on-hatch">
          {groups} {groups === 1 ? 'group' : 'groups'}
          {keys > 0 ? `, ${keys} ${keys === 1 ? 'key' : 'keys'}` : ''}, to {one.to}
        </text>
      )}
    </g>
  )
}
