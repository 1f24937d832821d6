/**
 * Reads a scenario document: every mistake with the place (a JSON pointer) and the cure. Says the same as
 * `public/schema/scenario.schema.json`; a test holds the two together. The job inside is checked by the job document's own compiler.
 */
import { err, ok, type Result } from '../base/result.ts'
import { CHECKPOINT_FAILURE_REASONS } from './checkpoint.ts'
import {
  arrayOf, between, boolean, byField, byteRateOrNull, child, duration, integer, isObject, mapOf, object, oneOf, only, pairOf, problem, rowOrNull, rowValue, scalarOrNull, text,
} from './document-checks.ts'
import type { Check, Path, Shape } from './document-checks.ts'
import type { Problem } from './job-graph.ts'
import { parseDuration, parseMemory } from './options/values.ts'
import { CLAIM_MODES } from './restore.ts'
import { SKEW_MAX } from './scenario-document.ts'
import type { ScenarioDocument } from './scenario-document.ts'
import type { EngineTime } from './time.ts'

const SEED_MAX = 4_294_967_295

const whole: Check = (value, path, problems) => {
  if (!isObject(value)) problem(problems, path, 'not an object', 'put the fields into { }')
}

const JOB_STATES = ['INITIALIZING', 'CREATED', 'RUNNING', 'FAILING', 'FAILED', 'CANCELLING', 'CANCELED', 'FINISHED', 'RESTARTING', 'SUSPENDED', 'RECONCILING']

const isolation = oneOf('committed', 'uncommitted')

const pattern = object({ required: { type: text }, optional: { uid: text, count: integer(1), where: mapOf(scalarOrNull), contains: text } })

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
  'lose-completion-notice': { required: { kind: text, checkpoint: integer(1) }, optional: { uid: text } },
  'slow-channel': { required: { kind: text, from: text, to: text, by: duration } },
  'limit-channel': { required: { kind: text, from: text, to: text, rate: byteRateOrNull } },
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

const format = oneOf('CANONICAL', 'NATIVE')

/** The next job; `job` and `change` are checked by the job document's own compiler once they are put together. */
const START = { job: whole, change: whole, from: text, allowNonRestoredState: boolean, claimMode: oneOf(...CLAIM_MODES), seed: integer(0, SEED_MAX) }

const step = byField('step', {
  wait: only('wait', condition, { timeout: duration }),
  inject: only('inject', checkFault, { after: object({ required: { type: text }, optional: { count: integer(1), where: mapOf(scalarOrNull), contains: text } }) }),
  trigger: only('trigger', oneOf('checkpoint', 'savepoint'), { format, directory: text, as: text, fails: text }),
  stop: only('stop', object({ required: {}, optional: { drain: boolean, format, directory: text } }), { as: text, fails: text }),
  start: only('start', object({ required: {}, optional: START }), { fails: text }),
  dispose: only('dispose', text, { fails: text }),
  files: only('files', byField('file operation', { copy: only('copy', pairOf(text)), move: only('move', pairOf(text)), delete: only('delete', text) })),
  check: only('check', (value, path, problems) => arrayOf(expectation)(value, path, problems)),
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

const ownCheckpoint: Check = (value, path, problems) => (typeof value === 'number' ? integer(1) : oneOf('latest-completed'))(value, path, problems)

const expectation = byField('expectation', {
  checkpoint: {
    required: { checkpoint: checkpointName, status: oneOf('COMPLETED', 'FAILED', 'IN_PROGRESS') },
    optional: { reason: oneOf(...Object.keys(CHECKPOINT_FAILURE_REASONS)), ...labels },
  },
  completed: only('completed', object({ required: {}, optional: bounds }), labels),
  job: only('job', oneOf(...JOB_STATES), labels),
  jobStates: only('jobStates', arrayOf(oneOf(...JOB_STATES)), labels),
  files: only(
    'files',
    object({ required: { below: text }, optional: { ...bounds, bytesAtLeast: integer(0), bytesAtMost: integer(0) } }),
    labels,
  ),
  failure: only('failure', object({ required: { contains: text } }), labels),
  verdict: only('verdict', object({ required: { accepted: boolean }, optional: { ...START, contains: text } }), labels),
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
      required: { checkpoint: ownCheckpoint, uid: text },
      optional: {
        subtask: integer(0), startDelay: durationBounds, alignment: durationBounds, syncDuration: durationBounds, asyncDuration: durationBounds,
        persisted: numberBounds, processed: numberBounds, persistedInAll: numberBounds,
      },
    }),
    labels,
  ),
  elements: only(
    'elements',
    object({
      required: { checkpoint: ownCheckpoint, uid: text, kind: oneOf('operator', 'keyed', 'transactions') },
      optional: { count: integer(0), bySubtask: arrayOf(integer(0)) },
    }),
    labels,
  ),
  sizes: only('sizes', object({ required: { checkpoint: ownCheckpoint }, optional: { checkpointed: numberBounds, state: numberBounds, equal: boolean } }), labels),
  events: only('events', object({ required: { pattern }, optional: bounds }), labels),
  order: only('order', arrayOf(pattern), labels),
  duration: only('duration', object({ required: { from: pattern, to: pattern }, optional: { atLeast: duration, atMost: duration } }), labels),
  exactlyOnce: only('exactlyOnce', oneOf(true), labels),
})

const job: Check = (value, path, problems) => {
  if (typeof value === 'string') return text(value, path, problems)
  if (!isObject(value)) problem(problems, path, 'no job here', 'give a job document, or the name of a built-in job')
}

const scenario = object({
  required: { weir: oneOf('scenario@1'), name: text, job, steps: arrayOf(step), expect: arrayOf(expectation) },
  optional: { $schema: text, description: text, seed: integer(0, SEED_MAX), latencies: object({ required: {}, optional: { taskStart: duration } }) },
})

/** Engine time of a duration in a document that `parseScenario` has passed. */
export function durationMicros(text: string): EngineTime {
  const parsed = parseDuration(text)
  if (!parsed.ok) throw new RangeError(parsed.error)
  return parsed.value
}

/** Of a fault that was checked. Null: no limit. */
export function bytesPerSecondOf(rate: string | null): number | null {
  if (rate === null) return null
  const parsed = parseMemory(rate)
  if (!parsed.ok) throw new RangeError(parsed.error)
  return parsed.value
}

/** The document, or all its problems. A file that does not fit changes nothing: the caller keeps what it had. */
export function parseScenario(value: unknown): Result<ScenarioDocument, readonly Problem[]> {
  const problems: Problem[] = []
  scenario(value, '', problems)
  return problems.length === 0 ? ok(value as ScenarioDocument) : err(problems)
}
