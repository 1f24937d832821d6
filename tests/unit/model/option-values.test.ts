import { describe, expect, it } from 'vitest'
import { DURATION_MAX, parseBoolean, parseChoice, parseDecimal, parseDuration, parseInteger, parseLong, parseMemory, parseOptionDuration, type RawValue } from '../../../workers/model/options/values.ts'

const value = <T>(result: { readonly ok: boolean; readonly value?: T; readonly error?: string }): T | string => (result.ok ? (result.value as T) : 'error')

describe('a duration', () => {
  it.each<[RawValue, number | string]>([
    ['10 s', 10_000_000],
    ['10s', 10_000_000],
    ['  5 min ', 300_000_000],
    ['100ms', 100_000],
    ['1 h', 3_600_000_000],
    ['2 d', 172_800_000_000],
    ['7 µs', 7],
    ['7 us', 7],
    ['7 micros', 7],
    ['1500 ns', 2],
    ['3 minutes', 180_000_000],
    ['250', 250_000],
    [250, 250_000],
    ['0', 0],
    ['10 S', 10_000_000],
    ['-1 s', 'error'],
    ['1.5 s', 'error'],
    ['ten s', 'error'],
    ['10 parsecs', 'error'],
    ['', 'error'],
    [true, 'error'],
    ['99999999999999 d', 'error'],
  ])('%j is %j microseconds', (raw, expected) => {
    expect(value(parseDuration(raw))).toBe(expected)
  })
})

describe('a duration of an option', () => {
  it.each<[RawValue, number | string]>([['7 us', 'error'], ['7us', 'error'], ['7 µs', 7], ['7 micros', 7], ['7 microseconds', 7], [7, 7000], ['PT10S', 10e6], ['pt1m0.5s', 60.5e6], ['P1D', 86_400e6], ['P', 'error'], ['PT', 'error'], ['PT-1S', 'error'], ['400000 d', DURATION_MAX], ['9223372036854775807 s', DURATION_MAX], ['9223372036854775808 s', 'error']])('%j is %j microseconds', (raw, expected) => {
    expect(value(parseOptionDuration(raw))).toBe(expected)
  })
})

describe('a memory size', () => {
  it.each<[RawValue, number | string]>([
    ['32 kb', 32768],
    ['5 mb', 5 * 1024 * 1024],
    ['1g', 1024 ** 3],
    ['20kibibytes', 20480],
    ['100', 100],
    [100, 100],
    ['7 bytes', 7],
    ['0b', 0],
    ['5 mib', 'error'],
    ['-5 mb', 'error'],
  ])('%j is %j bytes', (raw, expected) => {
    expect(value(parseMemory(raw))).toBe(expected)
  })
})

describe('the other values', () => {
  it('reads booleans in any case, and nothing else', () => {
    expect([true, 'TRUE', ' false '].map((raw) => value(parseBoolean(raw)))).toEqual([true, true, false])
    expect(['yes', 1, ''].map((raw) => value(parseBoolean(raw)))).toEqual(['error', 'error', 'error'])
  })

  it('reads whole numbers and decimals', () => {
    expect(['12', -3, '+4'].map((raw) => value(parseInteger(raw)))).toEqual([12, -3, 4])
    expect(['1.5', '', '9007199254740993', 'x'].map((raw) => value(parseInteger(raw)))).toEqual(['error', 'error', 'error', 'error'])
    expect([2 ** 31 - 1, -(2 ** 31), '3000000000', -(2 ** 31) - 1].map((raw) => value(parseInteger(raw)))).toEqual([2147483647, -2147483648, 'error', 'error'])
    expect(['3000000000', '-1', '9007199254740993'].map((raw) => value(parseLong(raw)))).toEqual([3e9, -1, 'error'])
    expect(['1.5', 0.1, '2'].map((raw) => value(parseDecimal(raw)))).toEqual([1.5, 0.1, 2])
    expect(['', 'x', 'Infinity'].map((raw) => value(parseDecimal(raw)))).toEqual(['error', 'error', 'error'])
  })

  it('reads choices in any case, as Flink does, and nothing else', () => {
    expect(value(parseChoice('exactly_once', ['EXACTLY_ONCE', 'AT_LEAST_ONCE']))).toBe('EXACTLY_ONCE')
    expect(value(parseChoice('At_Least_Once', ['EXACTLY_ONCE', 'AT_LEAST_ONCE']))).toBe('AT_LEAST_ONCE')
    expect(value(parseChoice('at-least-once', ['EXACTLY_ONCE', 'AT_LEAST_ONCE']))).toBe('error')
    expect(value(parseChoice('fixed_delay', ['fixed-delay']))).toBe('error')
    expect(value(parseChoice('twice', ['EXACTLY_ONCE']))).toBe('error')
  })
})
