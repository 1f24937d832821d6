/** Old operators at the left, those of the job at the right, joined by uid. */
import type { OperatorVerdict } from '../../workers/model/restore-verdict.ts'
import { bytes } from '../widgets/figures.ts'
import { Icon } from '../widgets/icon.tsx'
import { useWidth } from '../widgets/use-width.ts'
import { outcomeWords, stateCount, type Join, type Mapping } from './mapping-rows.ts'

/** Of a row with the gap below it, as in the style sheet. */
const ROW = 46
const MIDDLE = 19
/** Before the column is measured. */
const USUAL_WIDTH = 180

interface MappingProps {
  readonly mapping: Mapping
  /** What is in the snapshot beside states, by operator id: `12 keys`, `offsets of 2 splits`. */
  readonly contents: ReadonlyMap<string, string>
  readonly allowNonRestoredState: boolean
}

export function MappingView({ mapping, contents, allowNonRestoredState }: MappingProps) {
  const rows = Math.max(mapping.old.length, mapping.new.length)
  const [measured, middle] = useWidth()
  const width = measured === 0 ? USUAL_WIDTH : measured
  return (
    <section className="mapping" aria-label="Operators joined by uid">
      <div>
        <h3>In the snapshot</h3>
        <ul>
          {mapping.old.map((one) => (
            <OldRow key={one.operatorId} one={one} content={contents.get(one.operatorId) ?? ''} />
          ))}
        </ul>
      </div>
      <div className="mapping-middle" ref={middle}>
        <h3>by uid</h3>
        <svg width={width} height={rows * ROW} aria-hidden="true">
          <defs>
            <marker id="restore-arrow" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="8" markerHeight="8" orient="auto">
              <path d="M1 .8 7 4 1 7.2" fill="none" stroke="context-stroke" strokeWidth="1.4" />
            </marker>
          </defs>
          {mapping.joins.map((join) => (
            <JoinLine key={`${join.from}-${join.to}`} join={join} width={width} />
          ))}
          {mapping.old.map((one, row) => (one.new === null ? <LooseEnd key={one.operatorId} row={row} one={one} allowed={allowNonRestoredState} /> : null))}
          {mapping.new.map((one, row) => (one.old === null ? <path key={one.operatorId} className="join fresh" d={`M${width - Math.min(46, width / 4)} ${y(row)}H${width}`} /> : null))}
        </svg>
      </div>
      <div>
        <h3>In this job</h3>
        <ul>
          {mapping.new.map((one) => (
            <NewRow key={one.operatorId} one={one} />
          ))}
        </ul>
      </div>
    </section>
  )
}

const y = (row: number): number => row * ROW + MIDDLE

function OldRow({ one, content }: { readonly one: OperatorVerdict; readonly content: string }) {
  const { old } = one
  if (old === null) return null
  return (
    <li className={`map-row${one.outcome === 'dropped' ? ' gone' : ''}`}>
      <span>
        <b>{old.uid || old.name || `${one.operatorId.slice(0, 8)}…`}</b>
        <small>
          ×{old.parallelism}, max {old.maxParallelism}
        </small>
      </span>
      <span className="map-right">
        {bytes(old.size)}
        <small>{content === '' ? (one.states.length > 0 ? stateCount(one.states) : 'no state') : content}</small>
      </span>
    </li>
  )
}

function NewRow({ one }: { readonly one: OperatorVerdict }) {
  const now = one.new
  if (now === null) return null
  const kind = one.outcome === 'empty' ? ' fresh' : one.outcome === 'refused' ? ' refused' : ''
  return (
    <li className={`map-row${kind}${one.outcome === 'restored' && outcomeWords(one) !== 'restored' && one.states.some((state) => state.outcome === 'migrated' || state.outcome === 'carried') ? ' changed' : ''}`}>
      <span>
        <b>{now.uid}</b>
        <small>
          {now.name}, ×{now.parallelism}
        </small>
      </span>
      <span className="map-right">
        <small>
          {one.outcome === 'refused' && <Icon name="failed" size={12} label="refused" />} {outcomeWords(one)}
        </small>
      </span>
    </li>
  )
}

function JoinLine({ join, width }: { readonly join: Join; readonly width: number }) {
  const [from, to] = [y(join.from), y(join.to)]
  const curve = from === to ? `M4 ${from}H${width - 2}` : `M4 ${from}C${width / 2} ${from} ${width / 2} ${to} ${width - 2} ${to}`
  return (
    <g className={`join ${join.kind}`}>
      <circle cx="3" cy={from} r="3" />
      <path d={curve} markerEnd="url(#restore-arrow)" />
    </g>
  )
}

function LooseEnd({ row, one, allowed }: { readonly row: number; readonly one: OperatorVerdict; readonly allowed: boolean }) {
  const at = y(row)
  if (one.outcome === 'ignored') {
    return (
      <text className="loose" x="10" y={at + 4}>
        no state, left out
      </text>
    )
  }
  return (
    <g className="join gone">
      <circle cx="3" cy={at} r="3" />
      <path d={`M6 ${at}H42`} />
      <path d={`M46 ${at - 4.5}l9 9M55 ${at - 4.5}l-9 9`} className="cross" />
      <text x="62" y={at + 4}>
        {allowed ? 'left behind' : 'no such uid'}
      </text>
    </g>
  )
}
