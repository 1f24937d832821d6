/** Numbers as Java writes them: values of metrics are text (Flink: MetricStore keeps `String.valueOf` of each). */

/** Double.toString. */
export function doubleText(value: number): string {
  if (!Number.isFinite(value)) return String(value)
  const size = Math.abs(value)
  if (size === 0 || (size >= 1e-3 && size < 1e7)) return Number.isInteger(value) ? `${value}.0` : String(value)
  const [digits = '', exponent = ''] = value.toExponential().split('e')
  return `${digits.includes('.') ? digits : `${digits}.0`}E${Number(exponent)}`
}

/** Float.toString: the fewest digits that tell it from its neighbours. */
export function floatText(value: number): string {
  const float = Math.fround(value)
  for (let digits = 1; digits < 9; digits++) {
    const short = Number(float.toPrecision(digits))
    if (Math.fround(short) === float) return doubleText(short)
  }
  return doubleText(Number(float.toPrecision(9)))
}
