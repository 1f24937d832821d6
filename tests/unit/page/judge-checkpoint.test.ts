import { expect, test } from 'vitest'
import type { Cluster } from '../../../src/cluster/cluster-types.ts'
import { judgeCheckpoint } from '../../../src/stores/judge-checkpoint.ts'
import { compileJob } from '../../../workers/model/compile-job.ts'
import type { JobDocument } from '../../../workers/model/job-document.ts'
import type { JobGraph } from '../../../workers/model/job-graph.ts'

const DOCUMENT: JobDocument = {
  weir: 'job@1',
  name: 'points',
  topics: [{ name: 'points', partitions: 1, rows: [['a', 1], ['a', 3]], schema: { fields: { player: 'String', points: 'Int' } } }],
  operators: [
    { uid: 'in', type: 'log', params: { topic: 'points' } },
    { uid: 'count', type: 'process-count', params: { emitEvery: 1 } },
    { uid: 'out', type: 'two-phase-commit' },
  ],
  edges: [{ from: 'in', to: 'count', ship: 'hash', by: ['player'] }, { from: 'count', to: 'out' }],
}

/** Both records are read, and `counted` of them are in the state. */
function judge(counted: number, persistedBytes: number): ReturnType<typeof judgeCheckpoint> {
  const cluster = {
    status: { job: { id: 'f00d' } },
    rest: ({ path }: { readonly path: string }) => Promise.resolve(path === '/jobs/f00d/checkpoints/details/4' ? { status: 200, body: { persisted_data: persistedBytes } } : { status: 404, body: {} }),
    topics: () => Promise.resolve([{ name: 'points', partitions: [[['a', 1], ['a', 3]]] }]),
    inspectCheckpoint: () =>
      Promise.resolve({ operators: [{ uid: 'in', keyed: [], splits: [{ subtask: 0, topic: 'points', partition: 0, offset: 2 }] }, { uid: 'count', keyed: [{ key: 'a', value: counted }], splits: [] }] }),
  }
  return judgeCheckpoint(cluster as unknown as Cluster, DOCUMENT, compileJob(DOCUMENT).graph as JobGraph, 4)
}

test('state that is behind its offsets is told apart from the right one', async () => {
  expect((await judge(2, 0))?.exact).toBe(true)
  expect(await judge(1, 0)).toMatchObject({ exact: false, differences: ['"a" is 1, it should be 2'] })
})

test('a checkpoint with records in flight is not judged by its state alone: they are counted when it is restored', async () => {
  expect(await judge(1, 120)).toBeNull()
})
