/** The short way of a record (workers/operators/record-run.ts) against the general way: the same buffers, state, snapshots and reports, in whatever order things happen. */
import fc from 'fast-check'
import { expect, test, vi } from 'vitest'
import type { Ship } from '../../../workers/model/job-document.ts'
import type { OperatorDescription } from '../../../workers/model/job-graph.ts'
import type { Schema } from '../../../workers/model/schema.ts'
import type { ChannelMessage } from '../../../workers/model/wire.ts'
import { ResultPartition } from '../../../workers/network/result-partition.ts'
import { createOperator } from '../../../workers/operators/create-operator.ts'
import type { Operator } from '../../../workers/operators/operator.ts'
import { encodeSequenceSplit } from '../../../workers/operators/sources/split-codec.ts'
import { deployments, operator, TEXT } from '../../unit/task/test-job.ts'
import { ENVIRONMENT, TestHost } from '../../unit/task/test-host.ts'
import { createTestOperator } from '../../unit/task/test-operators.ts'

const PAIR: Schema = { kind: 'tuple', fields: [{ name: 'value', type: 'String' }, { name: 'n', type: 'Int' }] }
const counted = (type: 'Long' | 'Int'): Schema => ({ kind: 'row', fields: [{ name: 'value', type: 'String' }, { name: 'figure', type }] })
/** In the order of their numbers these come again and again, with a timestamp each; every tenth is followed by a watermark. */
const LISTED = Array.from({ length: 240 }, (_, i) => `w${(i * 7) % 23}`)

interface Job {
  readonly source: 'list' | 'words' | 'pairs'
  readonly keys: number
  readonly skew: number
  readonly fn: 'count' | 'sum' | 'min' | 'max'
  readonly counters: number
  readonly toSink: Ship
  readonly sink: 'collect' | 'discard'
  readonly segmentBytes: number
  readonly budget: number
  readonly seed: number
}

/** After so many steps. */
type Happening = { readonly step: number } & (
  | { readonly do: 'aligned' | 'unaligned' | 'trace' | 'untrace' | 'cost' | 'no-cost' }
  | { readonly do: 'pause' | 'go-on'; readonly task: 'count' | 'sink' }
)

const job: fc.Arbitrary<Job> = fc.record({
  source: fc.constantFrom('list', 'words', 'pairs'),
  keys: fc.constantFrom(1, 3, 40),
  skew: fc.constantFrom(0, 1),
  fn: fc.constantFrom('count', 'sum', 'min', 'max'),
  counters: fc.integer({ min: 1, max: 3 }),
  toSink: fc.constantFrom('rebalance', 'hash'),
  sink: fc.constantFrom('collect', 'discard'),
  segmentBytes: fc.constantFrom(24, 100, 256, 1000),
  budget: fc.constantFrom(1, 7, 100),
  seed: fc.nat(),
})

const step = fc.integer({ min: 0, max: 400 })
const happening: fc.Arbitrary<Happening> = fc.oneof(
  fc.record({ step, do: fc.constantFrom('aligned' as const, 'unaligned' as const, 'trace' as const, 'untrace' as const, 'cost' as const, 'no-cost' as const) }),
  fc.record({ step, do: fc.constantFrom('pause' as const, 'go-on' as const), task: fc.constantFrom('count' as const, 'sink' as const) }),
)

function sourceOf({ source, keys, skew }: Job): OperatorDescription {
  if (source === 'list') return operator('source', 'list', { params: { items: LISTED } })
  const params = { rows: source === 'pairs' ? 'pair' : 'word', keys, skew, seed: 3 }
  return operator('source', 'generator', { params, inputs: [], keyFields: [], output: source === 'pairs' ? PAIR : TEXT })
}

function hostOf(job: Job): TestHost {
  const schema = job.source === 'pairs' ? PAIR : TEXT
  const fn = job.source === 'pairs' ? job.fn : 'count'
  const output = counted(fn === 'count' || fn === 'sum' ? 'Long' : 'Int')
  const aggregates = [{ fn, field: 'n', as: 'figure' }]
  const sink = job.sink === 'collect' ? operator('sink', 'collect', { output: null }) : operator('sink', 'print', { params: { discard: true }, output: null })
  const tasks = deployments(
    [
      { name: 'source', parallelism: 2, chain: [sourceOf(job)] },
      { name: 'count', parallelism: job.counters, chain: [operator('count', 'aggregate', { params: { aggregates }, inputs: [schema], keyFields: [['value']], output })] },
      { name: 'sink', parallelism: job.toSink === 'hash' ? 2 : 1, chain: [{ ...sink, inputs: [output] }] },
    ],
    [
      { from: 'source', to: 'count', ship: 'hash', schema },
      { from: 'count', to: 'sink', ship: job.toSink, schema: output },
    ],
    { segmentBytes: job.segmentBytes, unalignedEnabled: true },
  )
  const ours = new Set(['generator', 'aggregate', 'print'])
  const host = new TestHost(tasks, job.seed, {
    ...ENVIRONMENT,
    createOperator: (description, compile) => (ours.has(description.type) ? createOperator(description, compile) : createTestOperator(description)),
  })
  host.budget = job.budget
  return host
}

/** Nothing goes the short way. */
function closeShortWay(host: TestHost): void {
  for (const { machine } of host.tasks) {
    for (const node of (machine as unknown as { parts: { chain: { nodes: { operator: Operator & { processRun?: undefined } }[] } } }).parts.chain.nodes) {
      Object.defineProperty(node, 'numbered', { get: () => null })
      Object.defineProperty(node.operator, 'processRun', { value: undefined })
    }
  }
}

const text = (message: ChannelMessage): string =>
  JSON.stringify(message, (_, value: unknown) => (value instanceof ArrayBuffer ? [...new Uint8Array(value)].join(' ') : value))

/** All that leaves the tasks, and what is left in them. */
function run(job: Job, happenings: readonly Happening[], isShort: boolean): readonly string[] {
  const host = hostOf(job)
  if (!isShort) closeShortWay(host)
  const log: string[] = []
  for (const task of host.tasks) {
    const send = task.send.bind(task)
    task.send = (output, message) => {
      log.push(`${task.machine.deployment.attempt} ${output} ${text(message)}`)
      send(output, message)
    }
  }
  host.start()
  if (job.source !== 'list') giveSplits(host)
  const ordered = happenings.toSorted((a, b) => a.step - b.step)
  let checkpoint = 0
  for (let steps = 0, next = 0; steps < 5000; steps++) {
    for (; next < ordered.length && (ordered[next] as Happening).step <= steps; next++) checkpoint = happen(host, ordered[next] as Happening, checkpoint)
    if (!host.step() && !host.fireTimer()) break
  }
  for (const task of host.tasks) task.isPaused = false
  host.settle()
  for (const task of host.tasks) log.push(JSON.stringify(task.machine.report(host.now)), JSON.stringify(task.machine.keyedEntries('count')))
  for (const [path, bytes] of host.files) log.push(`${path} ${bytes.join(' ')}`)
  return [...log, ...host.log]
}

function giveSplits(host: TestHost): void {
  for (const subtask of [0, 1]) {
    const give = (event: Parameters<typeof host.command>[1]): void => host.command('source', event, subtask)
    const operatorId = host.task('source', subtask).machine.deployment.chain[0]?.operatorId ?? (undefined as never)
    const splits = [encodeSequenceSplit({ id: String(subtask + 1), next: subtask * 1000, to: subtask * 1000 + 199 })]
    give({ type: 'operator-event', operator: operatorId, event: { type: 'add-splits', splits } })
    give({ type: 'operator-event', operator: operatorId, event: { type: 'no-more-splits' } })
  }
}

function happen(host: TestHost, happening: Happening, checkpoint: number): number {
  const all = (command: Parameters<typeof host.command>[1]): void => host.tasks.forEach(({ machine: { deployment } }) => host.command(deployment.name, command, deployment.subtask))
  switch (happening.do) {
    case 'aligned':
      host.trigger(checkpoint + 1, 'source')
      return checkpoint + 1
    case 'unaligned':
      host.triggerWith({ alignment: 'UNALIGNED' }, checkpoint + 1, 'source')
      return checkpoint + 1
    case 'trace':
    case 'untrace':
      all({ type: 'set-traced', traced: happening.do === 'trace' })
      return checkpoint
    case 'cost':
    case 'no-cost':
      all({ type: 'change-settings', change: { costs: { source: happening.do === 'cost' ? 10 : 0, count: happening.do === 'cost' ? 30 : 0 } } })
      return checkpoint
    case 'pause':
    case 'go-on':
      for (const task of host.tasks) if (task.machine.deployment.name === happening.task) task.isPaused = happening.do === 'pause'
      return checkpoint
  }
}

const shortWritten = (calls: readonly Parameters<ResultPartition['write']>[]): number => calls.reduce((sum, [, count]) => sum + count, 0)

test('the short way and the general way do the same: every buffer, event, state and file, in whatever order things happen', () => {
  const written = vi.spyOn(ResultPartition.prototype, 'write')
  fc.assert(
    fc.property(job, fc.array(happening, { maxLength: 12 }), (asked, happenings) => {
      expect(run(asked, happenings, true)).toEqual(run(asked, happenings, false))
    }),
    { numRuns: 60 },
  )
  // Else nothing has been compared.
  expect(shortWritten(written.mock.calls)).toBeGreaterThan(1000)
  written.mockRestore()
})

test('most records of a steady word count go the short way', () => {
  const written = vi.spyOn(ResultPartition.prototype, 'write')
  const steady: Job = { source: 'words', keys: 3, skew: 0, fn: 'count', counters: 2, toSink: 'rebalance', sink: 'discard', segmentBytes: 1000, budget: 100, seed: 1 }
  run(steady, [], true)
  // 400 records leave the sources and 400 the counters.
  expect(shortWritten(written.mock.calls)).toBeGreaterThan(0.8 * 800)
  written.mockRestore()
})
