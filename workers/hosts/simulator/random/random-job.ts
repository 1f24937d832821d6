/** Random small jobs with real topologies: one or two sources, operators of the catalogue, unions, joins, several sinks. */
import type { Prng } from '../../../base/prng.ts'
import type { EdgeDocument, JobDocument, OperatorDocument, PlaygroundSettings, TopicDocument } from '../../../model/job-document.ts'
import type { Scalar } from '../../../model/schema.ts'

/** A stream that may be used further: the operator it leaves, and its fields. */
interface Stream {
  readonly uid: string
  readonly parallelism: number
  readonly fields: readonly string[]
  /** The fields may serve as these. */
  readonly key: string
  readonly number: string | null
}

interface Draft {
  readonly random: Prng
  readonly topics: TopicDocument[]
  readonly operators: OperatorDocument[]
  readonly edges: EdgeDocument[]
  readonly streams: Stream[]
}

const KEYS_MAX = 12

/** `quick`: everything in the cluster is quick, so a checkpoint may have a short time-out and still complete without faults. */
export function randomJob(random: Prng, quick: boolean): JobDocument {
  const draft: Draft = { random, topics: [], operators: [], edges: [], streams: [] }
  const sources = random.int(1, 2)
  for (let i = 0; i < sources; i++) addSource(draft, i)
  const steps = random.int(1, 4)
  for (let i = 0; i < steps; i++) addStep(draft, i)
  if (!draft.operators.some((operator) => operator.type === 'aggregate' || operator.type === 'process-count')) addKeyed(draft, steps)
  draft.streams.forEach((stream, i) => addSink(draft, stream, i))
  return {
    weir: 'job@1',
    name: 'random',
    config: randomConfig(random, quick),
    playground: quick ? quickPlayground(random) : randomPlayground(random),
    topics: draft.topics,
    operators: draft.operators,
    edges: draft.edges,
  }
}

function randomConfig(random: Prng, quick: boolean): Record<string, string | number | boolean> {
  return {
    'execution.checkpointing.dir': 'file:///checkpoints',
    'execution.checkpointing.interval': `${random.int(10, 40)} ms`,
    'execution.checkpointing.timeout': quick ? `${random.int(40, 100)} ms` : `${random.int(1000, 3000)} ms`,
    'execution.checkpointing.min-pause': `${random.chance(0.5) ? 0 : random.int(0, 15)} ms`,
    'execution.checkpointing.max-concurrent-checkpoints': random.chance(0.8) ? 1 : random.int(2, 3),
    'execution.checkpointing.tolerable-failed-checkpoints': random.chance(0.8) ? 1000 : 0,
    'execution.checkpointing.num-retained': random.int(1, 3),
    'execution.checkpointing.data-inline-threshold': random.chance(0.5) ? '0 b' : '20 kb',
    'restart-strategy.type': 'fixed-delay',
    'restart-strategy.fixed-delay.attempts': 100_000,
    'restart-strategy.fixed-delay.delay': `${random.int(0, 20)} ms`,
    'execution.buffer-timeout.interval': `${random.pick([0, 1, 3, 10])} ms`,
    'taskmanager.memory.segment-size': `${random.pick([256, 300, 1024, 32768])} b`,
    'pipeline.operator-chaining.enabled': random.chance(0.4),
  }
}

function quickPlayground(random: Prng): PlaygroundSettings {
  return { linkLatency: '0 us', detectionDelay: `${random.int(0, 10)} ms`, slotsPerTaskManager: random.int(1, 4) }
}

function randomPlayground(random: Prng): PlaygroundSettings {
  return {
    linkLatency: `${random.pick([0, 0, 50, 500, 3000])} us`,
    syncCost: `${random.pick([0, 0, 200, 2000])} us`,
    storageLatency: `${random.pick([0, 0, 500, 4000])} us`,
    ...(random.chance(0.3) ? { storageBandwidth: `${random.int(20, 500)} kb` } : {}),
    detectionDelay: `${random.int(0, 10)} ms`,
    slotsPerTaskManager: random.int(1, 4),
  }
}

/** Rows of a topic: the value is a function of the key in half of the topics, so that running results do not depend on the order. */
function addSource(draft: Draft, index: number): void {
  const { random } = draft
  const partitions = random.int(1, 3)
  const count = random.int(15, 50) * partitions
  const keys = random.int(1, KEYS_MAX)
  const valueOfKey = random.chance(0.5)
  const rows: Scalar[][] = []
  for (let i = 0; i < count; i++) {
    const key = random.int(0, keys - 1)
    rows.push([`k${key}`, valueOfKey ? key * 7 - 20 : random.int(-1000, 1000), i])
  }
  const topic = `topic-${index}`
  draft.topics.push({ name: topic, partitions, rows, schema: { kind: random.pick(['row', 'tuple'] as const), fields: { key: 'String', value: 'Int', id: 'Int' } } })
  const parallelism = random.int(1, 3)
  const uid = `source-${index}`
  const rate = random.chance(0.2) ? null : random.int(300, 3000)
  draft.operators.push({ uid, type: 'log', parallelism, params: { topic, rate, bounded: random.chance(0.15) }, ...cost(random) })
  draft.streams.push({ uid, parallelism, fields: ['key', 'value', 'id'], key: 'key', number: 'value' })
}

const cost = (random: Prng): { cost?: string } => (random.chance(0.25) ? { cost: `${random.int(1, 300)} us` } : {})

function addStep(draft: Draft, index: number): void {
  const kind = draft.random.pick(['map', 'filter', 'flat-map', 'keyed', 'keyed', 'union', 'connect'] as const)
  switch (kind) {
    case 'keyed':
      return addKeyed(draft, index)
    case 'union':
      return addUnion(draft, index)
    case 'connect':
      return addConnect(draft, index)
    default:
      return addStateless(draft, kind, index)
  }
}

/** Takes a stream away, or leaves it for another reader too. */
function take(draft: Draft): Stream {
  const at = draft.random.int(0, draft.streams.length - 1)
  const stream = draft.streams[at] as Stream
  if (draft.random.chance(0.75)) draft.streams.splice(at, 1)
  return stream
}

function join(draft: Draft, from: Stream, to: string, parallelism: number, input = 1): void {
  const { random } = draft
  const ships = from.parallelism === parallelism ? (['forward', 'rebalance', 'default'] as const) : (['rebalance', 'default', 'rescale'] as const)
  const ship = random.pick(ships)
  draft.edges.push({ from: from.uid, to, ...(ship === 'default' ? {} : { ship }), input })
}

function addStateless(draft: Draft, type: 'map' | 'filter' | 'flat-map', index: number): void {
  const { random } = draft
  const stream = take(draft)
  const uid = `${type}-${index}`
  const parallelism = random.chance(0.5) ? stream.parallelism : random.int(1, 4)
  const params =
    type === 'map'
      ? random.pick([{ function: 'identity' }, { function: 'upper-case' }, ...(stream.number === null ? [] : [{ function: 'add-constant', field: stream.number, amount: 5 }])])
      : type === 'filter'
        ? { field: stream.key, op: random.pick(['!=', '>=', 'contains']), value: random.pick(['k1', 'k', 'K2']) }
        : { function: 'repeat', times: random.int(1, 3) }
  draft.operators.push({ uid, type, parallelism, params, ...cost(random) })
  join(draft, stream, uid, parallelism)
  draft.streams.push({ ...stream, uid, parallelism })
}

function maximum(random: Prng, parallelism: number): { maxParallelism?: number } {
  return random.chance(0.5) ? { maxParallelism: random.int(parallelism, 16) } : {}
}

function addKeyed(draft: Draft, index: number): void {
  const { random } = draft
  const stream = take(draft)
  const parallelism = random.int(1, 4)
  const uid = `keyed-${index}`
  const aggregate = stream.number !== null && random.chance(0.7)
  const results = ['count', 'sum', 'min', 'max', 'mean'].filter(() => random.chance(0.5))
  const aggregates = (results.length === 0 ? ['count'] : results).map((fn) => ({ fn, ...(fn === 'count' ? {} : { field: stream.number }), as: `${fn}${index}` }))
  const fields = aggregate ? [stream.key, ...aggregates.map((item) => item.as)] : [stream.key, 'count']
  draft.operators.push({
    uid,
    type: aggregate ? 'aggregate' : 'process-count',
    parallelism,
    ...maximum(random, parallelism),
    params: aggregate ? { aggregates } : { emitEvery: random.int(1, 3) },
    ...cost(random),
  })
  draft.edges.push({ from: stream.uid, to: uid, ship: 'hash', by: [stream.key] })
  const whole = aggregates.find((item) => item.fn === 'count' || item.fn === 'sum')
  draft.streams.push({ uid, parallelism, fields, key: stream.key, number: aggregate ? (whole?.as ?? null) : 'count' })
}

/** Streams of the same fields come together at the input of a union operator. */
function addUnion(draft: Draft, index: number): void {
  const { random, streams } = draft
  const alike = streams.filter((stream) => stream.fields.join() === 'key,value,id' && sameKind(draft))
  if (alike.length < 2) return addStateless(draft, 'map', index)
  const uid = `union-${index}`
  const parallelism = random.int(1, 4)
  draft.operators.push({ uid, type: 'union', parallelism })
  for (const stream of alike) {
    streams.splice(streams.indexOf(stream), 1)
    join(draft, stream, uid, parallelism)
  }
  draft.streams.push({ ...(alike[0] as Stream), uid, parallelism })
}

/** All topics have the same kind of row. */
function sameKind(draft: Draft): boolean {
  return new Set(draft.topics.map((topic) => topic.schema?.kind)).size === 1
}

function addConnect(draft: Draft, index: number): void {
  const { random, streams } = draft
  const left = streams.find((stream) => stream.fields.join() === 'key,value,id')
  const right = streams.find((stream) => stream !== left && stream.key === 'key' && !stream.fields.includes('value'))
  if (left === undefined || right === undefined) return addKeyed(draft, index)
  const uid = `connect-${index}`
  const parallelism = random.int(1, 4)
  draft.operators.push({ uid, type: 'connect', parallelism, params: { unmatched: random.pick(['drop', 'defaults']) } })
  streams.splice(streams.indexOf(left), 1)
  streams.splice(streams.indexOf(right), 1)
  draft.edges.push({ from: left.uid, to: uid, ship: 'hash', by: ['key'], input: 1 }, { from: right.uid, to: uid, ship: 'hash', by: ['key'], input: 2 })
  draft.streams.push({ uid, parallelism, fields: [...left.fields, ...right.fields.slice(1)], key: 'key', number: 'value' })
}

function addSink(draft: Draft, stream: Stream, index: number): void {
  const { random } = draft
  const uid = `sink-${index}`
  const type = random.pick(['two-phase-commit', 'two-phase-commit', 'two-phase-commit', 'upsert', 'print'])
  const parallelism = random.int(1, 3)
  draft.operators.push({ uid, type, parallelism, params: type === 'upsert' ? { by: stream.key } : {} })
  if (type === 'upsert') draft.edges.push({ from: stream.uid, to: uid, ship: 'hash', by: [stream.key] })
  else join(draft, stream, uid, parallelism)
}
