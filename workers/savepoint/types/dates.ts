/** Dates and times as text, without the platform's Date: proleptic Gregorian calendar in UTC, any number of days. */

const MILLIS_PER_DAY = 86_400_000
const two = (n: number): string => String(n).padStart(2, '0')

/** `2024-05-01` of a number of days since 1970-01-01. */
export function dateText(days: number): string {
  // Eras of 400 years that begin on 1 March: the leap day is the last day of a year.
  const z = days + 719468
  const era = Math.floor(z / 146097)
  const dayOfEra = z - era * 146097
  const yearOfEra = Math.floor((dayOfEra - Math.floor(dayOfEra / 1460) + Math.floor(dayOfEra / 36524) - Math.floor(dayOfEra / 146096)) / 365)
  const dayOfYear = dayOfEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100))
  const monthFromMarch = Math.floor((5 * dayOfYear + 2) / 153)
  const month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
  return civilText(yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, dayOfYear - Math.floor((153 * monthFromMarch + 2) / 5) + 1)
}

export const civilText = (year: number, month: number, day: number): string => `${year < 0 ? '-' : ''}${String(Math.abs(year)).padStart(4, '0')}-${two(month)}-${two(day)}`

/** `12:30:05.000000001`; the fraction only where there is one. */
export function timeText(hour: number, minute: number, second: number, nanos: number): string {
  const fraction = nanos === 0 ? '' : `.${String(nanos).padStart(9, '0').replace(/0+$/, '')}`
  return `${two(hour)}:${two(minute)}:${two(second)}${fraction}`
}

/** `12:30:05` of milliseconds of a day. */
export const timeOfDayText = (millis: number): string =>
  timeText(Math.floor(millis / 3_600_000), Math.floor(millis / 60_000) % 60, Math.floor(millis / 1000) % 60, (((millis % 1000) + 1000) % 1000) * 1_000_000)

/** `2024-05-01 12:30:05.123` of epoch milliseconds and the nanoseconds within that millisecond. */
export function timestampText(millis: number | bigint, nanosOfMilli = 0): string {
  if (typeof millis === 'bigint') return `${millis} ms`
  const days = Math.floor(millis / MILLIS_PER_DAY)
  const rest = millis - days * MILLIS_PER_DAY
  const nanos = (rest % 1000) * 1_000_000 + nanosOfMilli
  return `${dateText(days)} ${timeText(Math.floor(rest / 3_600_000), Math.floor(rest / 60_000) % 60, Math.floor(rest / 1000) % 60, nanos)}`
}
