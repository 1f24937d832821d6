import { describe, expect, test } from 'vitest'
import { inspectSnapshot } from '../../../workers/savepoint/inspect.ts'
import { AIRPORTS, DIRECTORY, writeDirectory } from './snapshot-directory.ts'

describe('inspection of a checkpoint', () => {
  test('every entry and every element, from the bytes alone', () => {
    const { metadata, files } = writeDirectory()
    const { operators, problems, files: named } = inspectSnapshot(metadata, DIRECTORY, (path) => files.get(path) ?? null)
    expect(problems).toEqual([])
    expect(named).toEqual([...files.keys()])
    const [source, count] = operators
    expect(source!.lists.map(({ state, subtask, mode, elements }) => [state, subtask, mode, elements])).toEqual([
      ['SourceReaderState', 0, 'SPLIT_DISTRIBUTE', [Uint8Array.of(0, 42)]],
      ['SourceReaderState', 1, 'SPLIT_DISTRIBUTE', [Uint8Array.of(1, 42)]],
    ])
    expect([...count!.types]).toEqual([['delays', 'Row<Long, Double>']])
    const values = new Map(count!.entries.map(({ key, value }) => [key, value]))
    expect(AIRPORTS.map((airport) => values.get(airport))).toEqual(AIRPORTS.map((_, i) => [i, i / 2]))
    expect(count!.entries).toHaveLength(AIRPORTS.length)
  })

  test('a missing file is a problem of its subtask, and the rest is read', () => {
    const { metadata, files } = writeDirectory()
    files.delete(`${DIRECTORY}/keyed-1`)
    const { operators, problems } = inspectSnapshot(metadata, DIRECTORY, (path) => files.get(path) ?? null)
    expect(problems).toMatchObject([{ subtask: 1, message: `the file ${DIRECTORY}/keyed-1 is missing` }])
    expect(operators[1]!.entries.every(({ subtask }) => subtask === 0)).toBe(true)
    expect(operators[1]!.entries.length).toBeGreaterThan(0)
  })

  test('a file of another length is a problem', () => {
    const { metadata, files } = writeDirectory()
    files.set(`${DIRECTORY}/keyed-0`, files.get(`${DIRECTORY}/keyed-0`)!.subarray(1))
    const { problems } = inspectSnapshot(metadata, DIRECTORY, (path) => files.get(path) ?? null)
    expect(problems).toMatchObject([{ subtask: 0, message: expect.stringMatching(/its handle says/) }])
  })

  test('a key in a key group that is not its own is a problem', () => {
    const { metadata, files } = writeDirectory()
    const path = `${DIRECTORY}/keyed-0`
    const bytes = files.get(path)!.slice()
    const text = Buffer.from(bytes).toString('latin1')
    const at = AIRPORTS.map((airport) => text.indexOf(airport)).find((index) => index >= 0)!
    bytes.set(Buffer.from('XYZ'), at)
    files.set(path, bytes)
    const { problems } = inspectSnapshot(metadata, DIRECTORY, (name) => files.get(name) ?? null)
    expect(problems).toMatchObject([{ subtask: 0, message: expect.stringMatching(/expected keys of key group \d+, key "XYZ" belongs to another/) }])
  })
})
