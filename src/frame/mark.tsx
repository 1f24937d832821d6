/** The mark: the cross-section of a weir. Water held at a level, a wall, the fall behind it. */
export function Brand() {
  return (
    <div className="brand">
      <svg viewBox="0 0 22 22" fill="none" aria-hidden="true">
        <path d="M1 5.2h9.6c6.2 0 4.6 12.6 10.4 12.6" stroke="var(--ink)" strokeWidth="2" />
        <path d="M1 10h5.2M1 14.4h5.2M1 18.8h5.2" stroke="var(--ink)" strokeWidth="1.3" />
        <path d="M8.2 9h4.2v11H8.2z" fill="var(--ink)" />
      </svg>
      <b>weir</b>
    </div>
  )
}
