/** Patterns of the picture that the dock does not have: a blocked bore, a way to be replayed. */
export function WorldPatterns() {
  return (
    <svg width="0" height="0" aria-hidden="true" style={{ position: 'absolute' }}>
      <defs>
        <pattern id="blocked-bore" width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(-60)">
          <rect width="6" height="1.3" fill="var(--alignment-edge)" opacity=".65" />
        </pattern>
        <pattern id="phase-replay" width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
          <rect width="6" height="2" fill="var(--failure-edge)" opacity=".75" />
        </pattern>
      </defs>
    </svg>
  )
}
