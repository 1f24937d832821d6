/** Rate and delay of an edge: what comes of them in the graph, and what is said where they have no effect. */
import { describe, expect, it } from 'vitest'
import { compileJob } from '../../../workers/model/compile-job.ts'
import type { EdgeDocument, JobDocument } from '../../../workers/model/job-document.ts'

function chain(config: JobDocument['config'], edge: Partial<EdgeDocument>): JobDocument {
  return {
    weir: 'job@1',
    name: 'a chain',
    config: { 'execution.checkpointing.interval': '1 s', 'execution.checkpointing.dir': 'file:///checkpoints', ...config },
    topics: [{ name: 'words', partitions: 1, rows: ['a', 'b'], schema: { fields: { word: 'String' } } }],
    operators: [
      { uid: 'source', type: 'log', params: { topic: 'words' } },
      { uid: 'sink', type: 'print' },
    ],
    edges: [{ from: 'source', to: 'sink', ...edge }],
  }
}

const CHAINING = { 'pipeline.operator-chaining.enabled': true }
const BOTH = { rate: '64 kb', delay: '200 ms' }

describe('rate and delay of an edge', () => {
  it('are in the graph as bytes a second and microseconds; a delay of nothing is none', () => {
    expect(compileJob(chain({}, BOTH))).toMatchObject({ problems: [], graph: { edges: [{ bytesPerSecond: 65_536, delayMicros: 200_000 }] } })
    const [edge] = compileJob(chain({}, { delay: '0 ms' })).graph?.edges ?? []
    expect(edge).toBeDefined()
    expect(edge).not.toHaveProperty('delayMicros')
  })

  it('have no effect in a chain: each is warned of at its place, with the two operators and the cure, and the job runs', () => {
    const { graph, problems } = compileJob(chain(CHAINING, BOTH))
    expect(graph?.vertices).toHaveLength(1)
    expect(problems).toEqual(
      ['rate', 'delay'].map((field) => ({
        severity: 'warning',
        path: `/edges/0/${field}`,
        message: `The ${field} has no effect: "source" and "sink" are chained, and there is no channel between them.`,
        cure: `Ship by rebalance, set pipeline.operator-chaining.enabled to false, or leave the ${field} out.`,
      })),
    )
    expect(compileJob(chain(CHAINING, { delay: '1 s' })).problems.map(({ path }) => path)).toEqual(['/edges/0/delay'])
  })

  it.each<[string, JobDocument]>([
    ['with the cure: by rebalance', chain(CHAINING, { ...BOTH, ship: 'rebalance' })],
    ['with the cure: without chaining', chain({}, BOTH)],
    ['in a chain without either', chain(CHAINING, {})],
  ])('nothing is said %s', (_, document) => {
    expect(compileJob(document).problems).toEqual([])
  })
})
