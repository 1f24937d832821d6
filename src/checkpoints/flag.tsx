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

export function CheckpointFlag({ id }: { readonly id: CheckpointId }) {
  return (
    <svg className="flag" width={15 + 6 * String(id).length} height="15" aria-hidden="true">
      <rect x=".75" y=".75" width="5" height="13.5" fill={hatchOf(id)} stroke="var(--ink)" strokeWidth="1.2" />
      <path d={`M6.5 1h${8 + 6 * String(id).length}l-3 6.5 3 6.5h-${8 + 6 * String(id).length}z`} fill="var(--ink)" />
      <text className="num" x={9 + 3 * String(id).length} y="11.2" textAnchor="middle" fill="var(--on-ink)" fontSize="10" fontWeight="700">
        {id}
      </text>
    </svg>
  )
}
