/**
 * The verdict is the engine's own: over a matrix of edits it says beforehand what a start then does (accepted: every task runs and a checkpoint
 * completes; refused: the job fails with the very words).
 */
import { describe, expect, it } from 'vitest'
import { must } from '../../../workers/base/assert.ts'
import { compileOrThrow } from '../../../workers/hosts/simulator/engine-parts.ts'
import type { Simulator } from '../../../workers/hosts/simulator/simulator.ts'
import { restoreVerdict } from '../../../workers/jobmaster/restore-verdict.ts'
import type { JobDocument, OperatorDocument } from '../../../workers/model/job-document.ts'
import type { OperatorDescription } from '../../../workers/model/job-graph.ts'
import type { OperatorVerdict, RestoreVerdict } from '../../../workers/model/restore-verdict.ts'
import type { Value } from '../../../workers/model/schema.ts'
import { createOperator } from '../../../workers/operators/create-operator.ts'
import { ProcessingBase } from '../../../workers/operators/operator-base.ts'
import type { OperatorContext, ProcessingOperator, SourceOperator } from '../../../workers/operators/operator.ts'
import type { Compile } from '../../../workers/operators/user-function.ts'
import { simulatorFor } from '../simulator-for.ts'
import { readSavepoint } from '../../../workers/savepoint/savepoint-reader.ts'
import { runPlan } from '../../../workers/savepoint/read-plan.ts'
import { cancel, checkpoint, restoreFrom, savepoint, SECOND, until, untilRunning, withOperators } from './restore-runs.ts'

/** Keeps one element in a list whose mode and name its own name tells: "UNION elements". */
class Lister extends ProcessingBase implements ProcessingOperator {
  private readonly mode: 'SPLIT_DISTRIBUTE' | 'UNION'
  private readonly list: string

  constructor({ name }: OperatorDescription) {
    super()
    const [mode, list] = name.split(' ')
    this.mode = mode === 'UNION' ? 'UNION' : 'SPLIT_DISTRIBUTE'
    this.list = list ?? ''
  }

  override open(context: OperatorContext, restored: number | null): void {
    super.open(context, restored)
    context.operatorState.listState(this.list, this.mode)
  }

  processElement(_input: number, value: Value, timestamp: number): void {
    this.ctx.emit(value, timestamp)
  }

  override snapshotState(): void {
    this.ctx.operatorState.listState(this.list, this.mode).update([Uint8Array.of(this.ctx.subtask)])
  }
}

const create = (description: OperatorDescription, compile: Compile): ProcessingOperator | SourceOperator =>
  description.uid === 'lister' ? new Lister(description) : createOperator(description, compile)

const base: JobDocument = {
  weir: 'job@1',
  name: 'edited',
  config: {
    'execution.checkpointing.interval': '1 h',
    'execution.checkpointing.min-pause': '1 h',
    'execution.checkpointing.dir': 'file:///checkpoints',
    'execution.checkpointing.data-inline-threshold': '0 b',
    'restart-strategy.type': 'none',
  },
  topics: [
    {
      name: 'in', partitions: 2, schema: { fields: { word: 'String', id: 'Int', amount: 'Int' } },
      rows: Array.from({ length: 200 }, (_, i) => [`word-${i % 11}`, i % 7, i]),
    },
    { name: 'facts', partitions: 2, schema: { fields: { word: 'String', fact: 'Int' } }, rows: Array.from({ length: 20 }, (_, i) => [`word-${i % 11}`, i]) },
  ],
  operators: [
    { uid: 'source', type: 'log', parallelism: 2, params: { topic: 'in', rate: 100 } },
    { uid: 'lister', type: 'map', name: 'LIST elements', parallelism: 2, params: { function: 'identity' } },
    { uid: 'facts', type: 'log', parallelism: 2, params: { topic: 'facts' } },
    { uid: 'join', type: 'connect', parallelism: 2, params: { unmatched: 'defaults' } },
    { uid: 'sum', type: 'aggregate', parallelism: 2, maxParallelism: 4, params: { aggregates: [{ fn: 'sum', field: 'amount', as: 'total' }] } },
    { uid: 'out', type: 'two-phase-commit', parallelism: 2 },
  ],
  edges: [
    { from: 'source', to: 'lister', ship: 'rebalance' },
    { from: 'lister', to: 'join', input: 1, ship: 'hash', by: ['word'] },
    { from: 'facts', to: 'join', input: 2, ship: 'hash', by: ['word'] },
    { from: 'join', to: 'sum', ship: 'hash', by: ['word'] },
    { from: 'sum', to: 'out', ship: 'rebalance' },
  ],
}

type Edit = (document: JobDocument) => JobDocument
const operator = (uid: string, change: Partial<OperatorDocument>): Edit => (document) => withOperators(document, (one) => (one.uid === uid ? { ...one, ...change } : one))
const everywhere = (change: Partial<OperatorDocument>): Edit => (document) => withOperators(document, (one) => ({ ...one, ...change }))
const edges = (change: (edge: NonNullable<JobDocument['edges']>[number]) => NonNullable<JobDocument['edges']>[number] | null): Edit => (document) => ({
  ...document,
  edges: (document.edges ?? []).flatMap((edge) => {
    const changed = change(edge)
    return changed === null ? [] : [changed]
  }),
})
const rename = (from: string, to: string): Edit => (document) =>
  edges((edge) => ({ ...edge, from: edge.from === from ? to : edge.from, to: edge.to === from ? to : edge.to }))(operator(from, { uid: to })(document))
const without = (uid: string): Edit => (document) => {
  const [into, out] = [document.edges?.filter((edge) => edge.to === uid) ?? [], document.edges?.filter((edge) => edge.from === uid) ?? []]
  const joined = into.flatMap((edge) => out.map((next) => ({ ...next, from: edge.from })))
  return { ...document, operators: document.operators.filter((one) => one.uid !== uid), edges: [...(document.edges ?? []).filter((edge) => edge.to !== uid && edge.from !== uid), ...joined] }
}
const both = (...edits: readonly Edit[]): Edit => (document) => edits.reduce((changed, edit) => edit(changed), document)
const field = (topic: string, name: string, type: 'Int' | 'Long' | 'String' | 'Double'): Edit => (document) => ({
  ...document,
  topics: (document.topics ?? []).map((one) => (one.name === topic ? { ...one, schema: { ...one.schema, fields: { ...one.schema?.fields, [name]: type } } } : one)) as NonNullable<JobDocument['topics']>,
})
const unsetMaximum: Edit = (document) => ({ ...document, operators: document.operators.map((one) => Object.fromEntries(Object.entries(one).filter(([name]) => name !== 'maxParallelism')) as unknown as OperatorDocument) })
const byId: Edit = edges((edge) => (edge.to === 'sum' ? { ...edge, by: ['id'] } : edge))

interface Expected {
  /** Of the operator in question. */
  readonly uid?: string
  readonly outcome?: OperatorVerdict['outcome']
  readonly states?: Readonly<Record<string, string>>
}

/** Name, edit, whether it starts (`flag`: with allowNonRestoredState alone), and some of what is told. */
type Row = readonly [name: string, edit: Edit, starts: boolean | 'flag', expected?: Expected]
const MATRIX: readonly Row[] = [
  ['nothing changed', (document) => document, true, { uid: 'sum', outcome: 'restored', states: { aggregate: 'as is' } }],
  ['a uid renamed', rename('sum', 'total'), 'flag', { uid: 'total', outcome: 'empty' }],
  ['the sink’s uid renamed', rename('out', 'other'), 'flag'],
  ['a stateful operator removed', without('sum'), 'flag'],
  ['a stateful operator added', (document) => ({
    ...edges((edge) => (edge.to === 'out' ? { ...edge, to: 'added', ship: 'hash', by: ['word'] } : edge))(document),
    operators: [...document.operators, { uid: 'added', type: 'process-count' }],
    edges: [...(edges((edge) => (edge.to === 'out' ? { ...edge, to: 'added', ship: 'hash', by: ['word'] } : edge))(document).edges ?? []), { from: 'added', to: 'out', ship: 'rebalance' }],
  }), true, { uid: 'added', outcome: 'empty', states: {} }],
  ['parallelism up', everywhere({ parallelism: 3 }), true, { uid: 'sum', outcome: 'restored' }],
  ['parallelism down', everywhere({ parallelism: 1 }), true, { uid: 'lister', outcome: 'restored', states: { elements: 'as is' } }],
  ['parallelism of one operator', operator('sum', { parallelism: 4 }), true],
  ['parallelism above the snapshot’s maximum, which is not set', both(operator('sum', { parallelism: 5 }), unsetMaximum), false, { uid: 'sum', outcome: 'refused' }],
  ['max parallelism not set any more', unsetMaximum, true, { uid: 'sum', outcome: 'restored' }],
  ['max parallelism changed', operator('sum', { maxParallelism: 8 }), false, { uid: 'sum', outcome: 'refused' }],
  ['max parallelism set for an operator with a list alone', operator('lister', { maxParallelism: 8 }), false, { uid: 'lister', outcome: 'refused' }],
  ['max parallelism set to what it was', operator('lister', { maxParallelism: 128 }), true],
  ['key type changed', byId, false, { uid: 'sum', outcome: 'refused', states: { aggregate: 'incompatible' } }],
  ['key type changed, with a new uid', both(byId, rename('sum', 'total')), 'flag', { uid: 'total', outcome: 'empty' }],
  ['value type widened: Int to Long', field('facts', 'fact', 'Long'), false, { uid: 'join', outcome: 'refused', states: { latest: 'incompatible' } }],
  ['value type changed: Int to Double', field('facts', 'fact', 'Double'), false, { uid: 'join', outcome: 'refused' }],
  ['a state under another name', operator('lister', { name: 'LIST others' }), true, { uid: 'lister', outcome: 'restored', states: { elements: 'carried', others: 'new' } }],
  ['list to union', operator('lister', { name: 'UNION elements' }), false, { uid: 'lister', outcome: 'refused', states: { elements: 'incompatible' } }],
  ['another type of keyed operator', operator('sum', { type: 'process-count', params: {} }), true, { uid: 'sum', outcome: 'restored', states: { aggregate: 'carried', count: 'new' } }],
  ['an operator that is not keyed any more', both(operator('sum', { type: 'map', params: { function: 'identity' } }), edges((edge) => (edge.to === 'sum' ? { from: edge.from, to: edge.to, ship: 'rebalance' } : edge))), true, { uid: 'sum', states: { aggregate: 'lost' } }],
  ['another type of source', both(operator('facts', { type: 'generator', params: { rows: 'pair' } }), edges((edge) => (edge.from === 'facts' ? { ...edge, by: ['key'] } : edge))), false],
  ['chaining switched on', (document) => ({ ...document, config: { ...document.config, 'pipeline.operator-chaining.enabled': true } }), true],
  ['another exchange', edges((edge) => (edge.to === 'lister' || edge.to === 'out' ? { ...edge, ship: 'broadcast' } : edge)), true],
]

const FORMATS = ['CANONICAL', 'NATIVE'] as const
const snapshots = new Map<string, { readonly simulator: Simulator; readonly path: string }>()
/** The base job, stopped behind a savepoint: the same for every case. */
function stopped(format: (typeof FORMATS)[number]): { readonly simulator: Simulator; readonly path: string } {
  let made = snapshots.get(format)
  if (made === undefined) {
    const simulator = simulatorFor(base, { seed: 5, createOperator: create })
    untilRunning(simulator)
    simulator.runTo(simulator.now + SECOND)
    const path = savepoint(simulator, format)
    cancel(simulator)
    snapshots.set(format, (made = { simulator, path }))
  }
  return { simulator: made.simulator.clone(), path: made.path }
}

function verdictOf(simulator: Simulator, path: string, document: JobDocument, allowNonRestoredState: boolean): RestoreVerdict {
  const read = (name: string, offset = 0, length = Infinity): Uint8Array | null => {
    const result = simulator.cluster.storage.files.execute({ type: 'read', path: name }, null)
    return result.ok ? must(result.bytes, name).subarray(offset, offset + length) : null
  }
  const input = {
    savepoint: readSavepoint(must(read(`${path}/_metadata`), path)), location: path, graph: compileOrThrow(document),
    settings: { allowNonRestoredState, claimMode: 'NO_CLAIM' as const }, createOperator: create,
  }
  return runPlan(restoreVerdict(input), ({ name, offset, length }) => read(name, offset, length))
}

/** Null: every task runs, and a checkpoint completes. */
function realOutcome(simulator: Simulator, path: string, document: JobDocument, allow: boolean): string | null {
  simulator.submitNext({ document, restore: restoreFrom(path, 'NO_CLAIM', allow) })
  const { job } = simulator
  const event = simulator.runUntilEvent(({ body }) => body.type === 'JobStatusChanged' && body.job === job && (body.to === 'RUNNING' || body.to === 'FAILED'), simulator.now + 10 * SECOND)
  if (event?.body.type === 'JobStatusChanged' && event.body.to === 'FAILED') return event.body.cause ?? ''
  const executions = (): readonly { readonly state: string }[] => simulator.cluster.leader?.machine.executions ?? []
  simulator.runUntil(() => simulator.status === 'FAILED' || executions().every(({ state }) => state === 'RUNNING'), simulator.now + 10 * SECOND)
  if (simulator.status !== 'RUNNING') return until(simulator, 'FAILED')
  checkpoint(simulator)
  return null
}

/** Another cluster with the files of the savepoint, its job stopped: an outside world of its own. */
function elsewhere(document: JobDocument): { readonly simulator: Simulator; readonly path: string } {
  const from = stopped('CANONICAL')
  // Ids of jobs are counted here: a job with transactions would have those of the other cluster.
  const simulator = simulatorFor(operator('out', { type: 'print' })(document), { seed: 6, createOperator: create })
  untilRunning(simulator)
  cancel(simulator)
  const { files } = from.simulator.cluster.storage
  const listed = files.execute({ type: 'list', prefix: from.path }, null)
  if (!listed.ok) throw new RangeError(listed.message)
  const writes = (listed.entries ?? []).map(({ path }) => {
    const read = files.execute({ type: 'read', path }, null)
    return { path, bytes: must(read.ok ? read.bytes : undefined, path), createNew: true }
  })
  simulator.cluster.storage.files.execute({ type: 'transact', writes, deletes: [], durability: 'strict' }, null)
  return { simulator, path: from.path }
}

describe('a savepoint that was brought to another cluster', () => {
  it('restores there: transactions that nobody there has heard of are told', () => {
    const { simulator, path } = elsewhere(base)
    expect(verdictOf(simulator, path, base, false)).toMatchObject({ accepted: true })
    expect(realOutcome(simulator, path, base, false)).toBeNull()
    expect(simulator.events.some(({ body }) => body.type === 'TransactionUnknown')).toBe(true)
  })

  it('is refused where the topic has fewer partitions than were read, in the words of the task', () => {
    const fewer: JobDocument = { ...base, topics: (base.topics ?? []).map((topic) => ({ ...topic, partitions: 1 })) }
    const { simulator, path } = elsewhere(fewer)
    const verdict = verdictOf(simulator, path, fewer, false)
    expect(verdict).toMatchObject({ accepted: false, refusedAt: 'task' })
    expect(verdict.refusal).toContain('there is no partition 1 of a topic')
    const failure = realOutcome(simulator, path, fewer, false)
    expect(failure).toContain('there is no partition 1 of a topic')
    expect(verdict.operators.filter(({ outcome }) => outcome === 'refused').map((one) => one.new?.uid)).toEqual(['source', 'facts'])
  })
})

describe.each(FORMATS)('%s savepoint', (format) => {
  describe.each([[false], [true]])('allowNonRestoredState %s', (allow) => {
    it.each(MATRIX.map(([name, ...row]) => [name, row] as const))('%s', (_, [edit, starts, expected]) => {
      const { simulator, path } = stopped(format)
      const document = edit(base)
      const verdict = verdictOf(simulator, path, document, allow)
      expect(verdict.accepted).toBe(starts === 'flag' ? allow : starts)
      const failure = realOutcome(simulator, path, document, allow)
      if (verdict.refusal === null) expect(failure).toBeNull()
      else expect(failure).toContain(verdict.refusal)
      expect(verdict.refusedAt === 'start').toBe(failure !== null && !simulator.events.some(({ body }) => body.type === 'JobStatusChanged' && body.job === simulator.job && body.to === 'CREATED'))
      if (expected?.uid === undefined || (verdict.refusedAt === 'start' && expected.outcome === undefined)) return
      const found = must(verdict.operators.find((one) => (one.new?.uid ?? one.old?.uid) === expected.uid), expected.uid)
      if (expected.outcome !== undefined) expect(found.outcome).toBe(expected.outcome)
      for (const [name, outcome] of Object.entries(expected.states ?? {})) expect(found.states.find((state) => state.name === name)?.outcome).toBe(outcome)
    })
  })
})
