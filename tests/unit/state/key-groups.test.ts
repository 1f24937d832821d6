import { describe, expect, test } from 'vitest'
import { bare } from '../../../workers/model/schema.ts'
import type { Schema, Value } from '../../../workers/model/schema.ts'
import { defaultMaxParallelism, javaHashCode, keyGroup, keyGroupRange, murmur, subtaskOf } from '../../../workers/state/key-groups.ts'

const tuple = (...types: ('String' | 'Int' | 'Long' | 'Boolean')[]): Schema => ({
  kind: 'tuple',
  fields: types.map((type, i) => ({ name: `f${i}`, type })),
})

describe('key groups follow KeyGroupRangeAssignment', () => {
  const string = bare('String')
  const long = bare('Long')
  const int = bare('Int')

  test.each<[Value, Schema, number, number, number, number, number]>([
    ['hello', string, 99162322, 1715862179, 35, 0, 1],
    ['flink', string, 97520992, 1330823394, 98, 1, 3],
    ['a', string, 97, 1455541201, 81, 1, 2],
    ['b', string, 98, 516420758, 22, 0, 0],
    ['user-1', string, -836031825, 1662039673, 121, 1, 3],
    ['', string, 0, 593689054, 94, 1, 2],
    ['grüße-✓-😀', string, 1726883283, 1397071074, 98, 1, 3],
    [42, long, 42, 1134849565, 29, 0, 0],
    [1, long, 1, 68075478, 86, 1, 2],
    [-1, long, 0, 593689054, 94, 1, 2],
  ])('%j: hash, murmur, group of 128, subtask of 2 and of 4', (key, schema, hash, mixed, group, of2, of4) => {
    expect(javaHashCode(key, schema)).toBe(hash)
    expect(murmur(hash)).toBe(mixed)
    expect(keyGroup(key, schema, 128)).toBe(group)
    expect(subtaskOf(group, 2, 128)).toBe(of2)
    expect(subtaskOf(group, 4, 128)).toBe(of4)
  })

  test.each([[0, 94], [1, 86], [2, 127], [42, 29], [-1, 80]])('Int %d is in key group %d of 128', (key, group) => {
    expect(keyGroup(key, int, 128)).toBe(group)
  })

  test('"world" is in key group 66 of 128', () => expect(keyGroup('world', string, 128)).toBe(66))

  test('Long folds its halves: a value above 2^32 and a negative one', () => {
    const fold = (n: bigint): number => Number(BigInt.asIntN(32, n) ^ BigInt.asIntN(32, n >> 32n))
    for (const n of [2 ** 32, 2 ** 32 + 7, -(2 ** 40) - 3, 2147483648, -2147483648, -2147483649, Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER]) {
      expect(javaHashCode(n, long)).toBe(fold(BigInt(n)))
    }
  })

  test('Boolean hashes to 1231 and 1237', () => {
    expect(javaHashCode(true, bare('Boolean'))).toBe(1231)
    expect(javaHashCode(false, bare('Boolean'))).toBe(1237)
  })

  test('a tuple combines 31·h + hash of the next field, starting with the first', () => {
    expect(javaHashCode(['a'], tuple('String'))).toBe(97)
    expect(javaHashCode(['a', 5, true], tuple('String', 'Int', 'Boolean'))).toBe((97 * 31 + 5) * 31 + 1231)
  })

  test('a Double key is refused', () => expect(() => keyGroup(1.5, bare('Double'), 128)).toThrow(/Double cannot be a key/))

  test('the smallest mixed hash maps to 0 and no group is negative', () => {
    for (let i = -5000; i < 5000; i++) {
      const group = keyGroup(i * 429496, int, 128)
      expect(group >= 0 && group < 128).toBe(true)
    }
  })
})

describe('ranges', () => {
  test.each([
    [2, [[0, 63], [64, 127]]],
    [3, [[0, 42], [43, 85], [86, 127]]],
    [4, [[0, 31], [32, 63], [64, 95], [96, 127]]],
  ])('of %d subtasks of 128', (parallelism, ranges) => {
    expect(ranges.map((_, i) => keyGroupRange(i, parallelism, 128))).toEqual(ranges.map(([start, end]) => ({ start, end })))
  })

  test('range and subtaskOf agree for every parallelism and group', () => {
    for (const max of [1, 4, 100, 128]) {
      for (let p = 1; p <= max; p++) {
        for (let s = 0; s < p; s++) {
          const { start, end } = keyGroupRange(s, p, max)
          for (let g = start; g <= end; g++) expect(subtaskOf(g, p, max)).toBe(s)
        }
        expect(keyGroupRange(p - 1, p, max).end).toBe(max - 1)
      }
    }
  })
})

test.each([[1, 128], [85, 128], [86, 256], [128, 256], [171, 256], [172, 512], [10_000, 16384], [30_000, 32768]])(
  'default max parallelism of %d is %d',
  (parallelism, max) => expect(defaultMaxParallelism(parallelism)).toBe(max),
)
