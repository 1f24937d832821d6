/** Busy (solid), backpressured (slanted), idle (empty): together the whole bar, as in Flink's ms per second. */
interface GaugeProps {
  readonly busy: number | null
  readonly backpressured: number | null
}

const whole = (share: number | null): number => Math.round((share ?? 0) * 100)

export function Gauge({ busy, backpressured }: GaugeProps) {
  const idle = Math.max(0, 100 - whole(busy) - whole(backpressured))
  const said = busy === null ? 'not measured yet' : `busy ${whole(busy)} %, backpressured ${whole(backpressured)} %, idle ${idle} %`
  return (
    <span className="gauge" role="img" aria-label={said}>
      <i className="busy" style={{ width: `${whole(busy)}%` }} />
      <i className="backpressured" style={{ width: `${whole(backpressured)}%` }} />
    </span>
  )
}

/** The larger of the two, in words, so that the mix is not hidden. */
export function gaugeWord(busy: number | null, backpressured: number | null): { readonly figure: string; readonly word: string } {
  if (busy === null) return { figure: '–', word: '' }
  return (backpressured ?? 0) > busy ? { figure: String(whole(backpressured)), word: 'held' } : { figure: String(whole(busy)), word: 'busy' }
}
