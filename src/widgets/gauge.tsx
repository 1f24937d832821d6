/** Busy (solid), backpressured (slanted), idle (empty): together the whole bar, as in Flink's ms per second. */
interface GaugeProps {
  readonly busy: number | null
  readonly backpressured: number | null
  /** What of `backpressured` was hard. */
  readonly hard: number | null
}

const whole = (share: number | null): number => Math.round((share ?? 0) * 100)

export function Gauge({ busy, backpressured, hard }: GaugeProps) {
  const said = busy === null ? 'not measured yet' : shareWords(whole(busy), whole(backpressured), whole(hard))
  return (
    <span className="gauge" role="img" aria-label={said} title={said}>
      <i className="busy" style={{ width: `${whole(busy)}%` }} />
      <i className="backpressured" style={{ width: `${whole(backpressured)}%` }} />
    </span>
  )
}

/** In percent: "busy 20 %, backpressured 60 % (soft 50 %, hard 10 %), idle 20 %". */
export function shareWords(busy: number, backpressured: number, hard: number): string {
  const kinds = backpressured === 0 ? '' : ` (soft ${Math.max(0, backpressured - hard)} %, hard ${Math.min(hard, backpressured)} %)`
  return `busy ${busy} %, backpressured ${backpressured} %${kinds}, idle ${Math.max(0, 100 - busy - backpressured)} %`
}

/** The larger of the two, in words, so that the mix is not hidden. */
export function gaugeWord(busy: number | null, backpressured: number | null): { readonly figure: string; readonly word: string } {
  if (busy === null) return { figure: '–', word: '' }
  return (backpressured ?? 0) > busy ? { figure: String(whole(backpressured)), word: 'held' } : { figure: String(whole(busy)), word: 'busy' }
}
