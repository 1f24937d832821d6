/** Snapshots of real Flink (snapshots/README.md): every entry is the one that the job put in, and the engine goes on with them. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { unzipSync } from 'fflate'
import { describe, expect, it } from 'vitest'
import { openSnapshot } from '../../../workers/savepoint/open-snapshot.ts'
import type { OpenedSnapshot } from '../../../workers/savepoint/open-snapshot.ts'
import { runPlan } from '../../../workers/savepoint/read-plan.ts'
import { entriesOf } from '../../flink/entries.ts'
import { linesOf } from '../../flink/keep-golden.ts'
import { goOnFrom } from '../../flink/word-count.ts'

const FOLDER = join(import.meta.dirname, 'snapshots')
const LIMITS = { sample: 10_000, bytes: 1 << 24, values: 1_000_000 }
const read = (name: string): Map<string, Uint8Array> => new Map(Object.entries(unzipSync(new Uint8Array(readFileSync(join(FOLDER, name))))))

function open(files: ReadonlyMap<string, Uint8Array>): OpenedSnapshot {
  const sizes = new Map([...files].map(([name, bytes]) => [name, bytes.length]))
  const plan = openSnapshot(files.get('_metadata') ?? new Uint8Array(0), sizes, LIMITS)
  return runPlan(plan, ({ name, offset, length }) => files.get(name)?.subarray(offset, offset + length) ?? null)
}

describe('a job with every kind of state', () => {
  const expected = readFileSync(join(FOLDER, 'entries.txt'), 'utf8').trimEnd().split('\n')
  const told = new Set(expected.map((line) => line.split(' ', 2).join(' ').replace(/:$/, '')))

  it.each(['hashmap-canonical', 'hashmap-native', 'rocksdb-canonical'])('%s: every entry is what its functions put in', (name) => {
    const { view } = open(read(`${name}.zip`))
    expect(view.problems).toEqual([])
    expect(view.missing).toEqual([])
    expect(linesOf(entriesOf(view).filter((entry) => told.has(`${entry.uid} ${entry.state}`)))).toEqual(expected)
  })
})

describe('a word count', () => {
  const cases = [['words-canonical', 6000], ['words-unaligned', 20_000]] as const

  it('has data in flight', () => {
    const counts = open(read('words-unaligned.zip')).view.operators.map(({ inFlight }) => inFlight.buffers)
    expect(counts.reduce((sum, buffers) => sum + buffers, 0)).toBeGreaterThan(10)
  })

  it.each(cases.flatMap(([name, records]) => [1, 2, 3].map((parallelism) => ({ name, records, parallelism }))))('$name goes on here at parallelism $parallelism: each record once', ({ name, records, parallelism }) => {
    const files = read(`${name}.zip`)
    const placed = new Map([...files].map(([file, bytes]) => [`/flink/chk-1/${file}`, bytes]))
    expect(goOnFrom(placed, '/flink/chk-1', open(files).view, records, parallelism)).toEqual([])
  })
})
