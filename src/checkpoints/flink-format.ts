/** Durations and sizes as Flink's web UI writes them (HumanizeDurationPipe, HumanizeBytesPipe; behaviour 20). */

const BASE = 1024
const UNITS = ['B', 'KB', 'MB', 'GB', 'TB', 'PB', 'EB', 'ZB', 'YB'] as const

/** "304ms", "1s 204ms", "2m 5s 0ms", "1h 2m 3s", "1d 1h 2m 3s"; "-" for what is negative, missing or no number. */
export function flinkDuration(millis: number | null | undefined): string {
  if (millis == null || Number.isNaN(millis) || millis < 0) return '-'
  const whole = Math.floor(millis)
  const ms = whole % 1000
  const s = Math.floor(whole / 1000) % 60
  const m = Math.floor(whole / 60_000) % 60
  const h = Math.floor(whole / 3_600_000) % 24
  const d = Math.floor(whole / 86_400_000)
  if (d > 0) return `${d}d ${h}h ${m}m ${s}s`
  if (h > 0) return `${h}h ${m}m ${s}s`
  if (m > 0) return `${m}m ${s}s ${ms}ms`
  return s > 0 ? `${s}s ${ms}ms` : `${ms}ms`
}

/** "274 B", "1.43 KB", "0.98 KB"; "-" for what is negative, missing or no number. */
export function flinkBytes(bytes: number | null | undefined): string {
  if (bytes == null || Number.isNaN(bytes) || bytes < 0) return '-'
  if (bytes < 1000) return `${Math.round(bytes)} B`
  for (let power = 1; power < UNITS.length; power++) {
    const unit = BASE ** power
    if (bytes < unit) return `${(bytes / unit).toFixed(2)} ${UNITS[power] ?? ''}`
    if (bytes < unit * 1000) return `${threeDigits(bytes / unit)} ${UNITS[power] ?? ''}`
  }
  return `${threeDigits(bytes / BASE ** (UNITS.length - 1))} YB`
}

/** Never as a power of ten. */
const threeDigits = (value: number): string => (value >= 999.5 ? String(Math.round(value)) : value.toPrecision(3))

/** "9.96 KB (0 B)". */
export const processedPersisted = (processed: number, persisted: number): string => `${flinkBytes(processed)} (${flinkBytes(persisted)})`

/** What is negative is not there yet. */
export const orNa = (value: number, format: (value: number) => string): string => (value < 0 ? 'n/a' : format(value))

/** "4/7 (57%)"; Flink rounds down. */
export function acknowledgedOf(acknowledged: number, total: number, withShare: boolean): string {
  const share = total > 0 ? Math.floor((100 * acknowledged) / total) : 0
  return withShare ? `${acknowledged}/${total} (${share}%)` : `${acknowledged}/${total}`
}
