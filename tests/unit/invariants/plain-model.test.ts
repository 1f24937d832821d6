import { describe, expect, it } from 'vitest'
import { sinkDifference, stateDifference, straightResult, type SourceOffsets } from '../../../workers/invariants/exactly-once.ts'
import { compileJob } from '../../../workers/model/compile-job.ts'
import type { JobDocument } from '../../../workers/model/job-document.ts'
import type { SinkView } from '../../../workers/model/outside.ts'
import type { Value } from '../../../workers/model/schema.ts'

const DOCUMENT: JobDocument = {
  weir: 'job@1',
  name: 'points',
  topics: [{ name: 'points', partitions: 2, rows: [['a', 1], ['b', 2], ['a', 3], ['b', 2]], schema: { fields: { player: 'String', points: 'Int' } } }],
  operators: [
    { uid: 'in', type: 'log', params: { topic: 'points' } },
    { uid: 'twice', type: 'flat-map', params: { function: 'repeat', times: 2 } },
    { uid: 'score', type: 'aggregate', params: { aggregates: [{ fn: 'count', as: 'n' }, { fn: 'sum', field: 'points', as: 'sum' }, { fn: 'mean', field: 'points', as: 'mean' }] } },
    { uid: 'count', type: 'process-count', params: { emitEvery: 2 } },
    { uid: 'scores', type: 'two-phase-commit' },
    { uid: 'counts', type: 'two-phase-commit' },
  ],
  edges: [
    { from: 'in', to: 'twice' },
    { from: 'twice', to: 'score', ship: 'hash', by: ['player'] },
    { from: 'in', to: 'count', ship: 'hash', by: ['player'] },
    { from: 'score', to: 'scores' },
    { from: 'count', to: 'counts' },
  ],
}
const { graph } = compileJob(DOCUMENT)
if (graph === null) throw new Error('the job does not compile')
const JOB = { document: DOCUMENT, graph, topics: [{ name: 'points', partitions: [[['a', 1], ['a', 3]], [['b', 2], ['b', 2]]] as Value[][] }] }
const at = (first: number, second: number): SourceOffsets => new Map([['in', new Map([[0, first], [1, second]])]])

const view = (rows: readonly Value[]): SinkView => ({ sink: '', committed: rows, committedTotal: rows.length, uncommitted: rows, uncommittedTotal: rows.length, transactions: [] })

describe('the plain model', () => {
  it('computes the state of a source prefix', () => {
    const { states } = straightResult(JOB, at(2, 1))
    expect(states.get('score')).toEqual({ entries: new Map([['"a"', '[4,8]'], ['"b"', '[2,4]']]), exact: true })
    expect(states.get('count')).toEqual({ entries: new Map([['"a"', '2'], ['"b"', '1']]), exact: true })
  })

  it('knows which outputs depend on the order of channels', () => {
    const { bags } = straightResult(JOB, at(2, 2))
    expect(bags.get('counts')).toEqual({ rows: [['a', 2], ['b', 2]], certainty: 'exact' })
    expect(bags.get('scores')?.certainty).toBe('counted')
    expect(bags.get('scores')?.rows.length).toBe(8)
    expect(straightResult(JOB, at(1, 2)).bags.get('scores')?.certainty).toBe('exact')
  })

  it('tells lost and doubled state', () => {
    const result = straightResult(JOB, at(2, 2))
    const states = new Map([['score', new Map([['"a"', '[4,8]'], ['"b"', '[4,8]']])], ['count', new Map([['"a"', '2'], ['"b"', '2']])]])
    const difference = (uid: string, key: string, value: string | null): string | null =>
      stateDifference(result, (asked) => {
        const state = new Map(states.get(asked))
        if (asked === uid && value === null) state.delete(key)
        else if (asked === uid) state.set(key, value as string)
        return state
      })
    expect(difference('count', '"a"', '2')).toBeNull()
    expect(difference('count', '"a"', '3')).toBe('count: key "a" is 3, it should be 2')
    expect(difference('score', '"b"', null)).toBe('score: key "b" is missing, it should be [4,8]')
    expect(difference('score', '"c"', '[1,1]')).toBe('score: key "c" should not be there')
  })

  it('tells lost and doubled rows', () => {
    const result = straightResult(JOB, at(2, 2))
    const scores = Array.from({ length: 8 }, (): Value => ['a', 1, 1, 1])
    const difference = (counts: readonly Value[]): string | null => sinkDifference(JOB, result, (uid) => view(uid === 'counts' ? counts : scores))
    expect(difference([['b', 2], ['a', 2]])).toBeNull()
    expect(difference([['a', 2]])).toBe('counts: 1 rows are committed, it should be 2')
    expect(difference([['a', 2], ['a', 2]])).toContain('row ["a",2] is there 2 times, it should be 1')
  })
})
