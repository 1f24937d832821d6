/** Figures with their units, as they stand on drawings and in tables. Thousands are set apart by U+202F. */
import type { EngineTime } from '../../workers/model/time.ts'

const THIN = ' '

/** 20231 → "20 231". */
export function count(value: number): string {
  const text = Math.trunc(Math.abs(value)).toString()
  let grouped = ''
  for (let i = 0; i < text.length; i++) {
    if (i > 0 && (text.length - i) % 3 === 0) grouped += THIN
    grouped += text.charAt(i)
  }
  return value < 0 ? `−${grouped}` : grouped
}

/** "274 B", "1.43 KB": base 1024, three significant digits. */
export function bytes(value: number): string {
  if (value < 1000) return `${Math.round(value)} B`
  const units = ['KB', 'MB', 'GB', 'TB']
  let scaled = value
  let unit = -1
  while (scaled >= 1000 && unit < units.length - 1) {
    scaled /= 1024
    unit++
  }
  return `${scaled.toPrecision(3)} ${units[unit]}`
}

/** "304 ms", "1.42 s", "2 min 5 s"; below a millisecond "0.4 ms". */
export function duration(micros: EngineTime): string {
  const ms = micros / 1000
  if (ms < 10 && ms !== Math.trunc(ms)) return `${ms.toFixed(1)} ms`
  if (ms < 1000) return `${Math.round(ms)} ms`
  const seconds = ms / 1000
  if (seconds < 60) return `${seconds.toFixed(seconds < 10 ? 3 : 1)} s`
  const minutes = Math.floor(seconds / 60)
  if (minutes < 60 && Math.floor(seconds % 60) === 0) return `${minutes} min`
  return minutes < 60 ? `${minutes} min ${Math.floor(seconds % 60)} s` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`
}

/** Engine time as a clock: "1:00.842". */
export function clock(micros: EngineTime): string {
  const ms = Math.floor(micros / 1000)
  const minutes = Math.floor(ms / 60_000)
  const seconds = ((ms % 60_000) / 1000).toFixed(3).padStart(6, '0')
  return `${minutes}:${seconds}`
}

export const percent = (share: number): string => `${Math.round(share * 100)} %`
