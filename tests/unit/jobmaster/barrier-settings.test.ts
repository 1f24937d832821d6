/** What the JobManager tells tasks of barriers, and how it shows what became of them (behaviour 2.3, 6.1, 6.5, 6.6, 14). */
import { describe, expect, it } from 'vitest'
import { NO_METRICS } from '../../../workers/coordinator/statistics.ts'
import { vertexId } from '../../../workers/model/ids.ts'
import type { Ship } from '../../../workers/model/job-document.ts'
import type { JobEdge } from '../../../workers/model/job-graph.ts'
import { parseSettings } from '../../../workers/model/options/parse-settings.ts'
import { bare } from '../../../workers/model/schema.ts'
import { supportsUnaligned, taskSettings } from '../../../workers/jobmaster/deployment-descriptor.ts'
import { Cluster, JOB, testJob } from './harness.ts'

const C = 'execution.checkpointing.'
const edge = (index: number, ship: Ship, to: string): JobEdge => ({ index, ship, from: vertexId(`from-${index}`), to: vertexId(to), input: index, schema: bare('String'), by: [] })

describe('which edges carry unaligned barriers (behaviour 6.6)', () => {
  it.each<[Ship, boolean]>([['hash', true], ['rebalance', true], ['forward', false], ['rescale', false], ['broadcast', false]])('%s: %s', (ship, isSupported) => {
    expect(supportsUnaligned([edge(0, ship, 'node')], edge(0, ship, 'node'))).toBe(isSupported)
  })

  it.each<Ship>(['forward', 'rescale', 'broadcast'])('one %s edge at a node keeps all of its input edges from it, and no edge of another node', (ship) => {
    const edges = [edge(0, 'hash', 'node'), edge(1, ship, 'node'), edge(2, 'hash', 'other')]
    expect(edges.map((one) => supportsUnaligned(edges, one))).toEqual([false, false, true])
  })
})

describe('what the senders are told of it', () => {
  const told = (ship: 'forward' | 'rebalance'): readonly unknown[] => {
    const source = (uid: string) => ({ uid, type: 'log', parallelism: 2, params: { topic: 'in' } })
    const operators = [source('left'), source('right'), { uid: 'out', type: 'print', parallelism: 2 }]
    const edges = [{ from: 'left', to: 'out', ship: 'rebalance' as const }, { from: 'right', to: 'out', ship }]
    const cluster = new Cluster().running({ ...testJob(), operators, edges })
    return cluster.deployed.flat().flatMap(({ partitions }) => partitions.map(({ unalignedSupported }) => unalignedSupported))
  }

  it('senders on every input edge of a node align where one of the edges has to', () => {
    expect([told('rebalance'), told('forward')]).toEqual([[true, true, true, true], [false, false, false, false]])
  })
})

describe('which handler tasks have (behaviour 2.3, 6.1)', () => {
  const settingsOf = (config: Record<string, string | boolean>) => {
    const { settings } = parseSettings({ weir: 'job@1', name: 'x', operators: [], edges: [], config })
    if (settings === null) throw new Error('settings')
    return taskSettings(settings)
  }

  it.each<[string, Record<string, string | boolean>, object]>([
    ['exactly-once', { [`${C}interval`]: '1 s' }, { exactlyOnce: true, checkpointingEnabled: true, unalignedEnabled: false, afterTasksFinish: true }],
    ['at-least-once', { [`${C}interval`]: '1 s', [`${C}mode`]: 'AT_LEAST_ONCE' }, { exactlyOnce: false, checkpointingEnabled: true }],
    ['without an interval channels are never blocked', { [`${C}mode`]: 'EXACTLY_ONCE' }, { exactlyOnce: false, checkpointingEnabled: false }],
    ['unaligned', { [`${C}interval`]: '1 s', [`${C}unaligned.enabled`]: true }, { exactlyOnce: true, unalignedEnabled: true }],
    ['unaligned with at-least-once', { [`${C}interval`]: '1 s', [`${C}unaligned.enabled`]: true, [`${C}mode`]: 'AT_LEAST_ONCE' }, { exactlyOnce: false, unalignedEnabled: false }],
    ['finished tasks stop checkpoints', { [`${C}interval`]: '1 s', [`${C}checkpoints-after-tasks-finish`]: false }, { afterTasksFinish: false }],
  ])('%s', (_, config, expected) => {
    expect(settingsOf(config)).toMatchObject(expected)
  })
})

describe('how "unaligned" is reported (behaviour 6.5)', () => {
  /** The second of two subtasks persisted so much. */
  function reported(persistedBytes: number): { readonly type: unknown; readonly subtasks: readonly unknown[] } {
    const cluster = new Cluster().running(testJob({ [`${C}unaligned.enabled`]: true }))
    cluster.trigger()
    const { vertex } = cluster.machine.executions[2]!
    for (const index of [2, 3]) {
      const metrics = { ...NO_METRICS, persistedBytes: index === 3 ? persistedBytes : 0 }
      cluster.message({ type: 'acknowledge', attempt: cluster.execution(index), checkpointId: 1, metrics, snapshot: { operators: [] } })
    }
    const details = cluster.rest(`/jobs/${JOB}/checkpoints/details/1`).body as { checkpoint_type: unknown }
    const { subtasks } = cluster.rest(`/jobs/${JOB}/checkpoints/details/1/subtasks/${vertex}`).body as { subtasks: { unaligned_checkpoint: unknown }[] }
    return { type: details.checkpoint_type, subtasks: subtasks.map((subtask) => subtask.unaligned_checkpoint) }
  }

  it('a subtask is unaligned where it persisted more than 0 bytes, the checkpoint where one of its subtasks is', () => {
    expect(reported(1)).toEqual({ type: 'UNALIGNED_CHECKPOINT', subtasks: [false, true] })
  })

  it('an unaligned checkpoint of an idle pipeline is shown as aligned', () => {
    expect(reported(0)).toEqual({ type: 'CHECKPOINT', subtasks: [false, false] })
  })
})

describe('the last checkpoint (behaviour 14)', () => {
  const ended = (config: Record<string, string | number | boolean>): number => {
    const cluster = new Cluster().running(testJob(config))
    for (const { attempt } of cluster.machine.executions) cluster.message({ type: 'end-of-data', attempt })
    return cluster.all('CheckpointTriggered').length
  }

  it('is triggered once when all tasks have ended, unless checkpoints after tasks finish are off', () => {
    expect([ended({}), ended({ [`${C}checkpoints-after-tasks-finish`]: false })]).toEqual([1, 0])
  })

  it('counts tasks that have finished as ended', () => {
    const cluster = new Cluster().running()
    const [first, ...others] = cluster.machine.executions.map(({ attempt }) => attempt)
    cluster.taskState(first!, 'FINISHED')
    for (const attempt of others) cluster.message({ type: 'end-of-data', attempt })
    expect(cluster.all('CheckpointTriggered')).toHaveLength(1)
  })
})
