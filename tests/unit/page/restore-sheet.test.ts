/** The restore sheet's pure parts: who stands beside whom, which key groups move, what a cluster would be told. */
import { describe, expect, test } from 'vitest'
import { flinkRun } from '../../../src/restore/flink-run.ts'
import { cutOperators, movedGroups } from '../../../src/restore/key-group-cut.ts'
import { mappingOf, outcomeWords } from '../../../src/restore/mapping-rows.ts'
import { newestSnapshots } from '../../../src/restore/newest-snapshots.ts'
import type { StorageNode } from '../../../workers/model/snapshot-desk.ts'
import type { OperatorSide, OperatorVerdict, RestoreVerdict, StateVerdict } from '../../../workers/model/restore-verdict.ts'

const side = (uid: string, parallelism = 2): OperatorSide => ({ uid, name: uid, type: '', parallelism, maxParallelism: 128, size: 10 })
const one = (uid: string, change: Partial<OperatorVerdict> = {}): OperatorVerdict => ({ operatorId: uid, outcome: 'restored', old: side(uid), new: side(uid), reason: '', states: [], keyGroups: null, ...change })
const verdict = (...operators: OperatorVerdict[]): RestoreVerdict => ({ accepted: true, refusal: null, refusedAt: null, operators, notes: [] })
const state = (change: Partial<StateVerdict>): StateVerdict => ({ name: 'n', kind: 'keyed', outcome: 'as is', oldType: 'Int', newType: 'Int', reason: '', ...change })

describe('operators side by side', () => {
  const mapping = mappingOf(verdict(one('sink'), one('gone', { outcome: 'dropped', new: null }), one('late', { outcome: 'empty', old: null }), one('source')), ['source', 'late', 'sink'])

  test('the right side reads as the document does, the left keeps what the job has not got', () => {
    expect(mapping.new.map((operator) => operator.operatorId)).toEqual(['source', 'late', 'sink'])
    expect(mapping.old.map((operator) => operator.operatorId)).toEqual(['source', 'sink', 'gone'])
  })

  test('lines join the rows of one operator, and nothing else', () => {
    expect(mapping.joins).toEqual([
      { from: 0, to: 0, kind: 'kept' },
      { from: 1, to: 2, kind: 'kept' },
    ])
  })

  test('a state of another form is a line of another kind, a refused operator too', () => {
    expect(mappingOf(verdict(one('a', { states: [state({ outcome: 'migrated' })] })), ['a']).joins[0]?.kind).toBe('changed')
    expect(mappingOf(verdict(one('a', { outcome: 'refused', reason: 'key type' })), ['a']).joins[0]?.kind).toBe('refused')
  })

  test('an operator says what is different about it, else that it is restored', () => {
    expect(outcomeWords(one('a'))).toBe('restored')
    expect(outcomeWords(one('a', { reason: 're-cut from 2 to 3 subtasks' }))).toBe('re-cut from 2 to 3 subtasks')
    expect(outcomeWords(one('a', { states: [state({ outcome: 'migrated', newType: 'Long' })] }))).toBe('n: Int → Long, migrated')
    expect(outcomeWords(one('a', { outcome: 'refused', reason: 'The new key serializer must be compatible.' }))).toBe('The new key serializer must be compatible.')
  })
})

describe('key groups', () => {
  const halves = [{ start: 0, end: 63 }, { start: 64, end: 127 }]
  const thirds = [{ start: 0, end: 42 }, { start: 43, end: 85 }, { start: 86, end: 127 }]

  test('what another subtask reads from now on has moved', () => {
    expect(movedGroups(halves, thirds)).toEqual([
      { start: 43, end: 63, from: 0, to: 1 },
      { start: 86, end: 127, from: 1, to: 2 },
    ])
    expect(movedGroups(halves, halves)).toEqual([])
    expect(movedGroups(thirds, [{ start: 0, end: 127 }])).toHaveLength(2)
  })

  test('every moved group was in one old range and is in one new one', () => {
    for (const { start, end, from, to } of movedGroups(halves, thirds)) {
      expect(start).toBeGreaterThanOrEqual(Math.max(halves[from]!.start, thirds[to]!.start))
      expect(end).toBeLessThanOrEqual(Math.min(halves[from]!.end, thirds[to]!.end))
    }
  })

  test('operators that are cut alike are drawn once; refused and stateless ones are not', () => {
    const cut = { old: halves, new: thirds }
    const found = cutOperators([one('a', { keyGroups: cut }), one('b', { keyGroups: cut }), one('c'), one('d', { keyGroups: cut, outcome: 'refused' })])
    expect(found.map((operators) => operators.uids)).toEqual([['a', 'b']])
  })
})

test('a cluster is told the same: path, claim mode, and the flag only where it is on', () => {
  expect(flinkRun({ path: 'file:///savepoints/savepoint-1', allowNonRestoredState: false, claimMode: 'NO_CLAIM' })).toBe('flink run --fromSavepoint file:///savepoints/savepoint-1 --claimMode NO_CLAIM job.jar')
  expect(flinkRun({ path: "/it's here", allowNonRestoredState: true, claimMode: 'CLAIM' })).toBe("flink run --fromSavepoint '/it'\\''s here' --claimMode CLAIM --allowNonRestoredState job.jar")
})

test('the newest snapshots that would restore are offered first', () => {
  const node = (path: string, modifiedAt: number, isRestorable: boolean): StorageNode => ({
    path, isDirectory: true, kind: 'checkpoint', size: 1, files: 1, modifiedAt, references: [],
    snapshot: { checkpointId: 1, kind: 'checkpoint', operators: 1, isRestorable, problem: null, relativeHandles: 0, absoluteHandles: 0, inlineHandles: 1 },
  })
  const nodes = [node('/a', 1, true), node('/b', 3, true), node('/c', 2, false), { ...node('/d', 9, true), snapshot: null }]
  expect(newestSnapshots(nodes).map(({ path }) => path)).toEqual(['/b', '/a'])
})
