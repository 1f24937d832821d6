/**
 * Flink's value syntax. Flink: TimeUtils.parseDuration, MemorySize.parse, ConfigurationUtils. A value may also be a JSON number or
 * boolean, which reads like its text. Errors are half sentences that follow "Could not read the value: ".
 */
import { err, ok, type Result } from '../../base/result.ts'
import type { EngineTime } from '../time.ts'
import type { OptionDescription } from './option-description.ts'

export type RawValue = string | number | boolean

const MICROS_OF_UNIT: readonly (readonly [names: readonly string[], micros: number])[] = [
  [['d', 'day', 'days'], 86_400e6],
  [['h', 'hour', 'hours'], 3_600e6],
  [['min', 'm', 'minute', 'minutes'], 60e6],
  [['s', 'sec', 'secs', 'second', 'seconds'], 1e6],
  [['ms', 'milli', 'millis', 'millisecond', 'milliseconds'], 1e3],
  [['µs', 'us', 'micro', 'micros', 'microsecond', 'microseconds'], 1],
  [['ns', 'nano', 'nanos', 'nanosecond', 'nanoseconds'], 1e-3],
]

const BYTES_OF_UNIT: readonly (readonly [names: readonly string[], bytes: number])[] = [
  [['b', 'bytes'], 1],
  [['k', 'kb', 'kibibytes'], 2 ** 10],
  [['m', 'mb', 'mebibytes'], 2 ** 20],
  [['g', 'gb', 'gibibytes'], 2 ** 30],
  [['t', 'tb', 'tebibytes'], 2 ** 40],
]

function quantity(
  raw: RawValue,
  units: readonly (readonly [names: readonly string[], factor: number])[],
  bareFactor: number,
  what: string,
): Result<number, string> {
  const text = String(raw).trim()
  const match = /^(\d+)\s*(\S*)$/.exec(text)
  if (match === null) return err(`"${text}" is not ${what}: a whole number and a unit are expected`)
  const unit = (match[2] ?? '').toLowerCase()
  const known = units.find(([names]) => names.includes(unit))
  if (unit !== '' && known === undefined) return err(`"${text}" has an unknown unit "${match[2]}"`)
  const value = Number(match[1]) * (known?.[1] ?? bareFactor)
  return value <= Number.MAX_SAFE_INTEGER ? ok(value) : err(`"${text}" is too large`)
}

/** Microseconds of engine time; a bare number is milliseconds, as in Flink. Less than a microsecond rounds to the nearest one. */
export function parseDuration(raw: RawValue): Result<EngineTime, string> {
  const parsed = quantity(raw, MICROS_OF_UNIT, 1000, 'a duration such as "10 s" or "500 ms"')
  return parsed.ok ? ok(Math.round(parsed.value)) : parsed
}

/** The longest that is told apart here, some 140 years in microseconds; a longer one of Flink counts as that. */
export const DURATION_MAX = 2 ** 52
/** Seconds of the longest java.time.Duration. */
const JAVA_SECONDS_MAX = 2n ** 63n - 1n

/**
 * As an option of Flink takes it: "us" is a unit of the playground's own settings alone, ISO 8601 is read too ("PT10S"), and nothing is too
 * long that Java can represent. Flink: TimeUtils.parseDuration.
 */
export function parseOptionDuration(raw: RawValue): Result<EngineTime, string> {
  const text = String(raw).trim()
  if (/\dus$|\sus$/i.test(text)) return err(`"${text}" has an unknown unit "us": Flink writes "µs" or "micros"`)
  if (/^[+-]?P/i.test(text)) return parseIsoDuration(text)
  const match = /^(\d+)\s*(\S*)$/.exec(text)
  const unit = (match?.[2] ?? '').toLowerCase()
  const micros = match === null ? undefined : unit === '' ? 1000 : MICROS_OF_UNIT.find(([names]) => names.includes(unit))?.[1]
  if (match === null || micros === undefined) return parseDuration(text)
  const nanos = BigInt(match[1] ?? '0') * BigInt(Math.round(micros * 1000))
  if (nanos / 1_000_000_000n > JAVA_SECONDS_MAX) return err(`"${text}" cannot be represented as Duration (numeric overflow)`)
  return ok(Math.min(Math.round(Number(nanos) / 1000), DURATION_MAX))
}

/** As java.time.Duration reads it, in days and less; a negative one is refused. */
function parseIsoDuration(text: string): Result<EngineTime, string> {
  const match = /^\+?P(?:([+-]?\d+)D)?(?:T(?=[\d+-])(?:([+-]?\d+)H)?(?:([+-]?\d+)M)?(?:([+-]?\d+(?:\.\d{0,9})?)S)?)?$/i.exec(text)
  const parts = (match ?? []).slice(1).map((part) => (part === undefined ? null : Number(part)))
  if (match === null || parts.every((part) => part === null)) return err(`"${text}" is not a duration such as "10 s", "500 ms" or "PT10S"`)
  const [days, hours, minutes, seconds] = parts
  const micros = (days ?? 0) * 86_400e6 + (hours ?? 0) * 3_600e6 + (minutes ?? 0) * 60e6 + (seconds ?? 0) * 1e6
  return micros < 0 ? err(`"${text}" is negative`) : ok(Math.min(Math.round(micros), DURATION_MAX))
}

/** Bytes; a bare number is bytes. Units are powers of 1024, as in Flink. */
export const parseMemory = (raw: RawValue): Result<number, string> => quantity(raw, BYTES_OF_UNIT, 1, 'a size such as "32 kb" or "5 mb"')

export function parseBoolean(raw: RawValue): Result<boolean, string> {
  const text = String(raw).trim().toLowerCase()
  if (text === 'true') return ok(true)
  if (text === 'false') return ok(false)
  return err(`"${raw}" is neither true nor false`)
}

/** Java's int. Flink: ConfigurationUtils.convertToInt refuses what overflows it. */
export function parseInteger(raw: RawValue): Result<number, string> {
  const parsed = parseLong(raw)
  return parsed.ok && parsed.value !== (parsed.value | 0) ? err(`"${parsed.value}" is not from -2147483648 to 2147483647`) : parsed
}

/** Up to 2^53. */
export function parseLong(raw: RawValue): Result<number, string> {
  const text = String(raw).trim()
  const value = Number(text)
  return /^[+-]?\d+$/.test(text) && Number.isSafeInteger(value) ? ok(value) : err(`"${text}" is not a whole number`)
}

export function parseDecimal(raw: RawValue): Result<number, string> {
  const text = String(raw).trim()
  const value = Number(text)
  return text !== '' && Number.isFinite(value) ? ok(value) : err(`"${text}" is not a number`)
}

/** Case does not matter, but "-" does not stand for "_". Flink: ConfigurationUtils.convertToEnum. */
export function parseChoice<T extends string>(raw: RawValue, choices: readonly T[]): Result<T, string> {
  const plain = (text: string): string => text.trim().toUpperCase()
  const found = choices.find((choice) => plain(choice) === plain(String(raw)))
  return found === undefined ? err(`"${raw}" is not one of ${choices.join(', ')}`) : ok(found)
}

/** Whether an option takes a value, by its type alone; the error is a half sentence. */
export function checkValue(option: OptionDescription, raw: RawValue): Result<unknown, string> {
  if (option.default === 'infinite' && String(raw).trim().toLowerCase() === 'infinite') return ok(Infinity)
  switch (option.type.kind) {
    case 'duration':
      return option.key === 'execution.buffer-timeout.interval' && isNever(raw) ? ok(-1) : parseOptionDuration(raw)
    case 'memory':
      return parseMemory(raw)
    case 'boolean':
      return parseBoolean(raw)
    case 'integer':
      return option.type.long === true ? parseLong(raw) : parseInteger(raw)
    case 'decimal':
      return parseDecimal(raw)
    case 'choice':
      return parseChoice(raw, option.type.choices)
    case 'text':
      return ok(String(raw))
  }
}

/** -1 as a buffer timeout: only full buffers leave (behaviour 8.1). */
export const isNever = (raw: RawValue): boolean => /^-1\s*(ms)?$/.test(String(raw).trim())
