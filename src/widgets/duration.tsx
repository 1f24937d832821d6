/** A duration with its figure in the figures' face and its unit in the language's. */
import { duration } from './figures.ts'

export function Duration({ micros }: { readonly micros: number }) {
  const text = duration(micros)
  const cut = text.lastIndexOf('\u202f') >= 0 ? text.indexOf('\u202f') : text.indexOf(' ')
  return cut < 0 ? (
    <span className="num t1">{text}</span>
  ) : (
    <>
      <span className="num t1">{text.slice(0, cut)}</span> {text.slice(cut + 1)}
    </>
  )
}
