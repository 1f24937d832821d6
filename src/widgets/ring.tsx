/** A share of a whole as a ring: age against timeout, time until a trigger. */
interface RingProps {
  readonly share: number
  readonly size?: number
}

export function Ring({ share, size = 18 }: RingProps) {
  const radius = size / 2 - 2
  const whole = 2 * Math.PI * radius
  const centre = size / 2
  return (
    <svg width={size} height={size} viewBox={`0 0 ${size} ${size}`} style={{ flex: 'none' }} aria-hidden="true">
      <circle cx={centre} cy={centre} r={radius} fill="none" stroke="var(--line-3)" strokeWidth="2" />
      <circle
        cx={centre}
        cy={centre}
        r={radius}
        fill="none"
        stroke="var(--ink)"
        strokeWidth="2.6"
        strokeDasharray={`${(Math.min(1, Math.max(0, share)) * whole).toFixed(2)} ${whole.toFixed(2)}`}
        transform={`rotate(-90 ${centre} ${centre})`}
      />
    </svg>
  )
}
