/** Rules that every subtask keeps: barriers on their edge always align, so that none is applied twice (behaviour 6.6, FLINK-22815). */
import { describe, expect, it } from 'vitest'
import { must } from '../../../workers/base/assert.ts'
import type { Simulator } from '../../../workers/hosts/simulator/simulator.ts'
import type { JobDocument } from '../../../workers/model/job-document.ts'
import type { ValueView } from '../../../workers/model/snapshot-view.ts'
import { openSnapshot } from '../../../workers/savepoint/open-snapshot.ts'
import { runPlan } from '../../../workers/savepoint/read-plan.ts'
import { cancel, checkpoint, DIR, restoreFrom, savepoint, SECOND, start, untilRunning } from './restore-runs.ts'

const RULES = 12

/** rules ×1 ─ broadcast ─► apply ×p ◄─ rebalance ─ data ×2; `apply` is slow, so that rules and data queue up. */
const job = (parallelism = 3): JobDocument => ({
  weir: 'job@1',
  name: 'rules',
  config: {
    'execution.checkpointing.interval': '1 h', 'execution.checkpointing.min-pause': '1 h', 'execution.checkpointing.unaligned.enabled': true,
    'execution.checkpointing.dir': `file://${DIR}`, 'execution.checkpointing.externalized-checkpoint-retention': 'RETAIN_ON_CANCELLATION',
    'restart-strategy.type': 'fixed-delay', 'restart-strategy.fixed-delay.attempts': 5, 'restart-strategy.fixed-delay.delay': '10 ms',
  },
  topics: [
    { name: 'data', partitions: 2, schema: { fields: { rule: 'String', id: 'Int' } }, rows: Array.from({ length: 300 }, (_, i) => [`r${i % RULES}`, i]) },
    { name: 'rules', partitions: 1, schema: { fields: { rule: 'String', limit: 'Int' } }, rows: Array.from({ length: RULES }, (_, i) => [`r${i}`, i * 10]) },
  ],
  operators: [
    { uid: 'data', type: 'log', parallelism: 2, params: { topic: 'data', rate: 200 } },
    { uid: 'rules', type: 'log', params: { topic: 'rules', rate: 20 } },
    { uid: 'apply', type: 'broadcast-join', parallelism, params: { on: 'rule', unmatched: 'defaults' }, cost: '12 ms' },
    { uid: 'out', type: 'two-phase-commit', parallelism: 1 },
  ],
  edges: [
    { from: 'data', to: 'apply', ship: 'rebalance' },
    { from: 'rules', to: 'apply', ship: 'broadcast', input: 2 },
    { from: 'apply', to: 'out', ship: 'rebalance' },
  ],
})

/** By subtask: how often each rule was applied there. */
function applied(simulator: Simulator, path: string): readonly (readonly string[])[] {
  const files = simulator.cluster.storage.files
  const bytes = (name: string): Uint8Array => {
    const read = files.execute({ type: 'read', path: name }, null)
    return must(read.ok ? read.bytes : undefined, name)
  }
  const sizes = new Map(simulator.files(`${path}/`).map((file) => [file.path.slice(path.length + 1), file.size]))
  const { view } = runPlan(openSnapshot(bytes(`${path}/_metadata`), sizes), ({ name, offset, length }) => bytes(`${path}/${name}`).subarray(offset, offset + length))
  const state = must(view.operators.find(({ uid }) => uid === 'apply')?.states.find(({ name }) => name === 'rules'), 'rules')
  expect(state.kind).toBe('broadcast')
  const text = (value: ValueView): string => JSON.stringify(value, (_, one: unknown) => (typeof one === 'bigint' ? Number(one) : one))
  const subtasks = [...new Set(state.sample.map(({ subtask }) => subtask))].sort()
  return subtasks.map((subtask) => state.sample.filter((entry) => entry.subtask === subtask).map(({ key, value }) => `${text(key)} ${text(value)}`).sort())
}

function read(simulator: Simulator): string {
  simulator.runTo(simulator.now + 20 * SECOND)
  return savepoint(simulator)
}

describe('broadcast state', () => {
  it('an unaligned checkpoint while rules queue up, a failure: every subtask has applied each rule once', () => {
    const straight = start(job())
    untilRunning(straight)
    const expected = applied(straight, read(straight))
    expect(expected).toHaveLength(3)
    for (const copy of expected) expect(copy).toEqual(expected[0])
    expect(expected[0]).toHaveLength(RULES)

    const simulator = start(job(), 3)
    untilRunning(simulator)
    simulator.runTo(simulator.now + 300_000)
    const path = checkpoint(simulator)
    const early = applied(simulator, path)
    expect(early.flat().length).toBeLessThan(3 * RULES)
    simulator.runTo(simulator.now + SECOND / 10)
    simulator.inject({ kind: 'kill-subtask', uid: 'apply', subtask: 2 })
    simulator.runTo(simulator.now + SECOND)
    expect(applied(simulator, read(simulator))).toEqual(expected)
    checkpoint(simulator)
    simulator.runTo(simulator.now + SECOND)
    expect(simulator.sink('out').committedTotal).toBe(300)
    expect(simulator.watch.first).toBeNull()
  })

  it.each([[3, 1], [3, 5], [2, 4]])('from %i subtasks to %i: each new one gets a whole copy', (p, q) => {
    const simulator = start(job(p))
    untilRunning(simulator)
    const path = read(simulator)
    const copies = applied(simulator, path)
    cancel(simulator)
    simulator.submitNext({ document: job(q), restore: restoreFrom(path) })
    untilRunning(simulator)
    expect(applied(simulator, savepoint(simulator))).toEqual(Array.from({ length: q }, () => copies[0]))
  })
})
