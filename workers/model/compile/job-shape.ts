/** The shape of a job document, the same as public/schema/job.schema.json (a test holds the two against each other). */
import type { Problem } from '../job-graph.ts'
import { anyObject, either, finite, flag, integer, list, nonEmptyText, object, oneOf, record, scalar, text, type Shape } from './shape.ts'

const PARALLELISM_MAX = 32768
const PARTITIONS_MAX = 1024
const TASK_MANAGERS_MAX = 32
const SLOTS_MAX = 64

const schema = object(
  { fields: record(oneOf('String', 'Int', 'Long', 'Double', 'Boolean'), 1) },
  { kind: oneOf('bare', 'tuple', 'row') },
)

const topic = object(
  { name: nonEmptyText, partitions: integer(1, PARTITIONS_MAX) },
  { data: text, rows: list(either(Array.isArray, list(scalar), scalar)), schema },
)

const operator = object(
  { uid: nonEmptyText, type: nonEmptyText },
  {
    name: text,
    generatedUid: flag,
    uidHash: text,
    parallelism: integer(1, PARALLELISM_MAX),
    maxParallelism: integer(1, PARALLELISM_MAX),
    params: anyObject,
    output: schema,
    cost: text,
    syncCosts: list(text),
    position: object({ x: finite, y: finite }, {}),
  },
)

const edge = object(
  { from: nonEmptyText, to: nonEmptyText },
  { ship: oneOf('forward', 'rebalance', 'hash', 'broadcast', 'rescale'), by: list(nonEmptyText), unstableHash: flag, rate: text, delay: text, input: integer(1, 2) },
)

const playground = object(
  {},
  {
    linkLatency: text,
    syncCost: text,
    storageLatency: text,
    storageBandwidth: text,
    maxMemoryStateSize: text,
    detectionDelay: text,
    taskManagers: integer(1, TASK_MANAGERS_MAX),
    slotsPerTaskManager: integer(1, SLOTS_MAX),
  },
)

const job: Shape = object(
  { weir: oneOf('job@1'), name: nonEmptyText, operators: list(operator), edges: list(edge) },
  { config: record(scalar), playground, topics: list(topic) },
)

/** Problems of the shape; none = the value is a `JobDocument`. */
export function checkJobShape(document: unknown): readonly Problem[] {
  const problems: Problem[] = []
  job(document, [], problems)
  return problems
}
