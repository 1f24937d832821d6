/** The mark of a checkpoint: its barrier as a flag, hatched by its number, so that two in flight are told apart without colour. */
import type { CheckpointId } from '../../workers/model/ids.ts'

export const hatchOf = (id: CheckpointId): string => `url(#hatch-${id % 4})`

/** The four hatches as SVG patterns; rendered once in the page, referred to by `hatchOf`. */
export function HatchPatterns() {
  return (
    <svg width="0" height="0" aria-hidden="true" style={{ position: 'absolute' }}>
      <defs>
        {[0, 1, 2, 3].map((turn) => (
          <pattern key={turn} id={`hatch-${turn}`} width="3.6" height="3.6" patternUnits="userSpaceOnUse" patternTransform={`rotate(${-45 * turn})`}>
            <rect width="3.6" height="3.6" fill="var(--card)" />
            <rect width="3.6" height="1.6" fill="var(--ink)" />
          </pattern>
        ))}
        {[0, 1, 2, 3].map((turn) => (
          <pattern key={turn} id={`hatch-savepoint-${turn}`} width="3.6" height="3.6" patternUnits="userSpaceOnUse" patternTransform={`rotate(${-45 * turn})`}>
            <rect width="3.6" height="3.6" fill="var(--card)" />
            <rect width="3.6" height="1.9" fill="var(--savepoint-edge)" />
          </pattern>
        ))}
        <pattern id="phase-start-delay" width="5" height="5" patternUnits="userSpaceOnUse">
          <rect width="5" height="5" fill="var(--start-delay-wash)" />
          <circle cx="1.4" cy="2.5" r=".9" fill="var(--start-delay-edge)" />
        </pattern>
        <pattern id="phase-alignment" width="5" height="5" patternUnits="userSpaceOnUse" patternTransform="rotate(30)">
          <rect width="5" height="5" fill="var(--alignment-wash)" />
          <rect width="2.2" height="5" fill="var(--alignment)" />
        </pattern>
        <pattern id="phase-async" width="4" height="4" patternUnits="userSpaceOnUse">
          <rect width="4" height="4" fill="var(--async-wash)" />
          <rect width="4" height="2.9" fill="var(--async)" />
        </pattern>
      </defs>
    </svg>
  )
}

interface FlagProps {
  readonly id: CheckpointId
  /** A square flag, blue, with an S before the number. */
  readonly savepoint?: boolean
}

export function CheckpointFlag({ id, savepoint = false }: FlagProps) {
  const text = savepoint ? `S${id}` : String(id)
  const width = 8 + 6 * text.length
  const ink = savepoint ? 'var(--savepoint-edge)' : 'var(--ink)'
  return (
    <svg className="flag" width={7 + width} height="15" aria-hidden="true">
      <rect x=".75" y=".75" width="5" height="13.5" fill={hatchOf(id)} stroke={ink} strokeWidth="1.2" />
      <path d={savepoint ? `M6.5 1h${width - 2}v13h-${width - 2}z` : `M6.5 1h${width}l-3 6.5 3 6.5h-${width}z`} fill={ink} />
      <text className="num" x={9 + 3 * text.length} y="11.2" textAnchor="middle" fill="var(--on-ink)" fontSize="10" fontWeight="700">
        {text}
      </text>
    </svg>
  )
}
