/**
 * Reads a scenario document: every mistake with the place (a JSON pointer) and the cure. Says the same as
 * `public/schema/scenario.schema.json`; a test holds the two together. The job inside is checked by the job document's own compiler.
 */
import { err, ok, type Result } from '../base/result.ts'
import { CHECKPOINT_FAILURE_REASONS } from './checkpoint.ts'
import type { Problem } from './job-graph.ts'
import { parseDuration } from './options/values.ts'
import { SKEW_MAX } from './scenario-document.ts'
import type { ScenarioDocument } from './scenario-document.ts'
import type { EngineTime } from './time.ts'

type Path = string
type Check = (value: unknown, path: Path, problems: Problem[]) => void

const JOB_STATES = ['INITIALIZING', 'CREATED', 'RUNNING', 'FAILING', 'FAILED', 'CANCELLING', 'CANCELED', 'FINISHED', 'RESTARTING', 'SUSPENDED', 'RECONCILING']

function problem(problems: Problem[], path: Path, message: string, cure: string): void {
  problems.push({ severity: 'error', path, message, cure })
}

const child = (path: Path, key: string | number): Path => `${path}/${String(key).replaceAll('~', '~0').replaceAll('/', '~1')}`

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null && !Array.isArray(value)

const text: Check = (value, path, problems) => {
  if (typeof value !== 'string' || value === '') problem(problems, path, 'not a text', 'give a text of at least one character')
}

const duration: Check = (value, path, problems) => {
  if (typeof value !== 'string' || !parseDuration(value).ok) {
    problem(problems, path, `not a duration: ${JSON.stringify(value)}`, 'write a number and a unit, such as "500 ms" or "10 s"')
  }
}

const integer = (low: number, high = Number.MAX_SAFE_INTEGER): Check => (value, path, problems) => {
  if (typeof value !== 'number' || !Number.isInteger(value) || value < low || value > high) {
    problem(problems, path, `not a whole number from ${low}: ${JSON.stringify(value)}`, `give a whole number that is at least ${low}`)
  }
}

const between = (low: number, high: number): Check => (value, path, problems) => {
  if (typeof value !== 'number' || !(value >= low && value <= high)) {
    problem(problems, path, `not a number from ${low} to ${high}: ${JSON.stringify(value)}`, `give a number from ${low} to ${high}`)
  }
}

const boolean: Check = (value, path, problems) => {
  if (typeof value !== 'boolean') problem(problems, path, 'not true or false', 'write true or false')
}

const oneOf = (...options: readonly unknown[]): Check => (value, path, problems) => {
  if (!options.includes(value)) {
    problem(problems, path, `unknown value ${JSON.stringify(value)}`, `one of ${options.map((option) => JSON.stringify(option)).join(', ')}`)
  }
}

const scalar: Check = (value, path, problems) => {
  if (!['string', 'number', 'boolean'].includes(typeof value)) problem(problems, path, 'not a single value', 'give a text, a number, true or false')
}

const scalarOrNull: Check = (value, path, problems) => {
  if (value !== null) scalar(value, path, problems)
}

const arrayOf = (item: Check): Check => (value, path, problems) => {
  if (!Array.isArray(value)) problem(problems, path, 'not a list', 'put the values into [ ]')
  else value.forEach((element, index) => item(element, child(path, index), problems))
}

const rowValue: Check = (value, path, problems) => (Array.isArray(value) ? arrayOf(scalar)(value, path, problems) : scalar(value, path, problems))

const rowOrNull: Check = (value, path, problems) => {
  if (value !== null) rowValue(value, path, problems)
}

const mapOf = (item: Check): Check => (value, path, problems) => {
  if (!isObject(value)) problem(problems, path, 'not an object', 'put the fields into { }')
  else for (const key of Object.keys(value)) item(value[key], child(path, key), problems)
}

interface Shape {
  readonly required: Readonly<Record<string, Check>>
  readonly optional?: Readonly<Record<string, Check>>
}

const object = (shape: Shape): Check => (value, path, problems) => {
  if (!isObject(value)) return problem(problems, path, 'not an object', 'put the fields into { }')
  for (const key of Object.keys(shape.required)) {
    if (!(key in value)) problem(problems, path, `"${key}" is missing`, `add "${key}"`)
  }
  for (const key of Object.keys(value)) {
    const check = shape.required[key] ?? shape.optional?.[key]
    if (check === undefined) {
      const known = [...Object.keys(shape.required), ...Object.keys(shape.optional ?? {})].join(', ')
      problem(problems, child(path, key), `unknown field "${key}"`, `remove it, or use one of: ${known}`)
    } else check(value[key], child(path, key), problems)
  }
}

/** The object's form is told by which of these fields it has. */
const byField = (what: string, shapes: Readonly<Record<string, Shape>>): Check => (value, path, problems) => {
  if (!isObject(value)) return problem(problems, path, 'not an object', 'put the fields into { }')
  const names = Object.keys(shapes)
  const found = names.filter((name) => name in value)
  const first = found[0]
  if (first === undefined) return problem(problems, path, `no ${what} here`, `give one of: ${names.join(', ')}`)
  object(shapes[first] as Shape)(value, path, problems)
}

const only = (name: string, check: Check, optional: Readonly<Record<string, Check>> = {}): Shape => ({ required: { [name]: check }, optional })

const isolation = oneOf('committed', 'uncommitted')

const pattern = object({ required: { type: text }, optional: { uid: text, count: integer(1), where: mapOf(scalarOrNull) } })

const condition = byField('condition', {
  event: only('event', pattern),
  time: only('time', duration),
  for: only('for', duration),
  job: only('job', oneOf(...JOB_STATES)),
  completed: only('completed', integer(0)),
  tasks: only('tasks', oneOf('RUNNING')),
  sink: only('sink', object({ required: { uid: text, atLeast: integer(0) }, optional: { isolation } })),
  sources: only('sources', oneOf('idle')),
})

const FAULT_SHAPES: Readonly<Record<string, Shape>> = {
  'kill-subtask': { required: { kind: text, uid: text, subtask: integer(0) } },
  'kill-task-manager': { required: { kind: text, index: integer(0) } },
  'kill-job-manager': { required: { kind: text } },
  'fail-storage': { required: { kind: text, reason: oneOf('QUOTA_EXCEEDED', 'UNAVAILABLE', 'ABORTED') }, optional: { count: integer(1) } },
  'lose-storage-reply': { required: { kind: text, applied: boolean } },
  'stall-storage': { required: { kind: text, for: duration } },
  'outside-outage': { required: { kind: text, for: duration } },
  'delay-acks': { required: { kind: text, checkpoint: integer(1), for: duration }, optional: { uid: text } },
  'slow-channel': { required: { kind: text, from: text, to: text, by: duration } },
  'set-cost': { required: { kind: text, uid: text, cost: duration } },
  'set-skew': { required: { kind: text, uid: text, skew: between(0, SKEW_MAX) } },
  'lose-leadership': { required: { kind: text, for: duration } },
}

/** Exported for `weir.inject`, which takes the same shapes. */
export function checkFault(value: unknown, path: Path, problems: Problem[]): void {
  const shape = isObject(value) && typeof value['kind'] === 'string' ? FAULT_SHAPES[value['kind']] : undefined
  if (shape === undefined) {
    return problem(problems, child(path, 'kind'), 'unknown fault', `one of ${Object.keys(FAULT_SHAPES).join(', ')}`)
  }
  object(shape)(value, path, problems)
}

const step = byField('step', {
  wait: only('wait', condition, { timeout: duration }),
  inject: only('inject', checkFault),
  trigger: only('trigger', oneOf('checkpoint', 'savepoint')),
  cancel: only('cancel', oneOf(true)),
  pace: only('pace', (value, path, problems) => {
    if (value !== 'story' && (typeof value !== 'number' || value < 0)) problem(problems, path, 'not a pace', 'a number from 0, or "story"')
  }),
})

const labels = { name: text, class: oneOf('always', 'simulator') }
const bounds = { atLeast: integer(0), atMost: integer(0) }
const durationBounds = object({ required: {}, optional: { atLeast: duration, atMost: duration } })
const numberBounds = object({ required: {}, optional: bounds })
const checkpointName: Check = (value, path, problems) => (typeof value === 'number' ? integer(1) : oneOf('latest', 'any'))(value, path, problems)
const restoredName: Check = (value, path, problems) =>
  value === null ? undefined : (typeof value === 'number' ? integer(1) : oneOf('latest-completed'))(value, path, problems)

const expectation = byField('expectation', {
  checkpoint: {
    required: { checkpoint: checkpointName, status: oneOf('COMPLETED', 'FAILED', 'IN_PROGRESS') },
    optional: { reason: oneOf(...Object.keys(CHECKPOINT_FAILURE_REASONS)), ...labels },
  },
  completed: only('completed', object({ required: {}, optional: bounds }), labels),
  job: only('job', oneOf(...JOB_STATES), labels),
  jobStates: only('jobStates', arrayOf(oneOf(...JOB_STATES)), labels),
  restored: only('restored', restoredName, labels),
  restarts: only('restarts', object({ required: {}, optional: bounds }), labels),
  state: only('state', object({ required: { uid: text, key: rowValue, value: rowOrNull } }), labels),
  keys: only('keys', object({ required: { uid: text, count: integer(0) } }), labels),
  sink: only(
    'sink',
    object({ required: { uid: text }, optional: { isolation, rows: integer(0), ...bounds, content: arrayOf(rowValue), ordered: boolean } }),
    labels,
  ),
  figures: only(
    'figures',
    object({
      required: { checkpoint: (value, path, problems) => (typeof value === 'number' ? integer(1) : oneOf('latest-completed'))(value, path, problems), uid: text },
      optional: {
        subtask: integer(0), startDelay: durationBounds, alignment: durationBounds, syncDuration: durationBounds, asyncDuration: durationBounds,
        persisted: numberBounds, processed: numberBounds,
      },
    }),
    labels,
  ),
  events: only('events', object({ required: { pattern }, optional: bounds }), labels),
  duration: only('duration', object({ required: { from: pattern, to: pattern }, optional: { atLeast: duration, atMost: duration } }), labels),
  exactlyOnce: only('exactlyOnce', oneOf(true), labels),
})

const job: Check = (value, path, problems) => {
  if (typeof value === 'string') return text(value, path, problems)
  if (!isObject(value)) problem(problems, path, 'no job here', 'give a job document, or the name of a built-in job')
}

const scenario = object({
  required: { weir: oneOf('scenario@1'), name: text, job, steps: arrayOf(step), expect: arrayOf(expectation) },
  optional: { $schema: text, description: text, seed: integer(0, 4294967295), latencies: object({ required: {}, optional: { taskStart: duration } }) },
})

/** Engine time of a duration in a document that `parseScenario` has passed. */
export function durationMicros(text: string): EngineTime {
  const parsed = parseDuration(text)
  if (!parsed.ok) throw new RangeError(parsed.error)
  return parsed.value
}

/** The document, or all its problems. A file that does not fit changes nothing: the caller keeps what it had. */
export function parseScenario(value: unknown): Result<ScenarioDocument, readonly Problem[]> {
  const problems: Problem[] = []
  scenario(value, '', problems)
  return problems.length === 0 ? ok(value as ScenarioDocument) : err(problems)
}
