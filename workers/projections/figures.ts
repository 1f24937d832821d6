/** Numbers in sentences: the same forms as on the drawings (thousands set apart by U+202F, a unit beside every figure). */
import type { EngineTime } from '../model/time.ts'

export function plainCount(value: number): string {
  return String(Math.trunc(value)).replace(/\B(?=(\d{3})+(?!\d))/g, ' ')
}

export function plainBytes(value: number): string {
  if (value < 1000) return `${Math.round(value)} B`
  if (value < 1_000_000) return `${(value / 1024).toPrecision(3)} KB`
  return `${(value / 1_048_576).toPrecision(3)} MB`
}

export function plainDuration(micros: EngineTime): string {
  const ms = micros / 1000
  if (ms < 1000) return ms >= 10 || Number.isInteger(ms) ? `${Math.round(ms)} ms` : `${ms.toFixed(1)} ms`
  if (ms < 60_000) return `${(ms / 1000).toFixed(ms < 10_000 ? 2 : 1)} s`
  const seconds = Math.floor((ms % 60_000) / 1000)
  return `${Math.floor(ms / 60_000)} min${seconds === 0 ? '' : ` ${seconds} s`}`
}

export const plural = (count: number, one: string, many = `${one}s`): string => `${plainCount(count)} ${count === 1 ? one : many}`
