/** The judging of scenarios: each expectation against a run, wherever it ran (DESIGN 8, 22). */
import type { CheckpointFailureReason } from '../model/checkpoint.ts'
import type { EngineEvent } from '../model/events.ts'
import { isGloballyTerminal } from '../model/execution.ts'
import type { OperatorVerdict } from '../model/restore-verdict.ts'
import type { EventPattern, Expectation, ExpectationBody, ExpectationClass, ExpectationOutcome, SinkExpectation } from '../model/scenario-document.ts'
import { durationMicros } from '../model/scenario-parser.ts'
import { countEvents, describePattern, findEvent } from './event-pattern.ts'
import { judgeElements, judgeFigures, judgeSizes } from './scenario-figures.ts'
import type { RunView } from './run-view.ts'

interface Judgement {
  readonly met: boolean
  readonly expected: string
  readonly actual: string
}

/** Judges all; on a live run those of class `simulator` are marked "not compared". */
export function judge(expectations: readonly Expectation[], run: RunView): readonly ExpectationOutcome[] {
  return expectations.map((expectation) => {
    const judgement = judgeOne(expectation, run)
    const kind = expectation.class ?? defaultClass(expectation)
    const compared = run.host === 'simulator' || kind === 'always'
    return {
      expectation: expectation.name ?? describe(expectation),
      class: kind,
      outcome: compared ? (judgement.met ? 'met' : 'failed') : 'not compared',
      expected: judgement.expected,
      actual: judgement.actual,
    }
  })
}

/** Times, order and exact ids depend on the host; everything else does not. */
function defaultClass(expectation: ExpectationBody): ExpectationClass {
  if ('duration' in expectation || 'events' in expectation || 'order' in expectation || 'figures' in expectation || 'elements' in expectation || 'sizes' in expectation) return 'simulator'
  if ('files' in expectation) return 'simulator'
  if ('checkpoint' in expectation) return typeof expectation.checkpoint === 'number' ? 'simulator' : 'always'
  if ('restored' in expectation) return typeof expectation.restored === 'number' ? 'simulator' : 'always'
  return 'always'
}

function describe(expectation: ExpectationBody): string {
  if ('checkpoint' in expectation) return `checkpoint ${expectation.checkpoint} is ${expectation.status}`
  if ('state' in expectation) return `state of ${expectation.state.uid} for ${JSON.stringify(expectation.state.key)}`
  if ('keys' in expectation) return `number of keys of ${expectation.keys.uid}`
  if ('sink' in expectation) return `${expectation.sink.isolation ?? 'committed'} rows of ${expectation.sink.uid}`
  if ('sizes' in expectation) return `sizes of checkpoint ${expectation.sizes.checkpoint}`
  if ('elements' in expectation) return `${expectation.elements.kind} state of ${expectation.elements.uid} in checkpoint ${expectation.elements.checkpoint}`
  if ('figures' in expectation) return `figures of ${expectation.figures.uid} in checkpoint ${expectation.figures.checkpoint}`
  if ('events' in expectation) return `events: ${describePattern(expectation.events.pattern)}`
  if ('order' in expectation) return `in this order: ${expectation.order.map(describePattern).join(', ')}`
  if ('duration' in expectation) return `time from ${describePattern(expectation.duration.from)} to ${describePattern(expectation.duration.to)}`
  if ('job' in expectation) return 'status of the job'
  if ('jobStates' in expectation) return 'statuses that the job has had'
  if ('restored' in expectation) return 'restored checkpoint'
  if ('failure' in expectation) return 'what the job or a request failed of'
  if ('files' in expectation) return `files below ${expectation.files.below}`
  if ('verdict' in expectation) return `verdict on a start from ${expectation.verdict.from ?? 'nothing'}`
  if ('restarts' in expectation) return 'number of restarts'
  if ('completed' in expectation) return 'number of completed checkpoints'
  return 'state and committed output are exactly once'
}

function judgeOne(expectation: ExpectationBody, run: RunView): Judgement {
  if ('checkpoint' in expectation) return judgeCheckpoint(expectation, run)
  if ('completed' in expectation) return between(countOf(run.events, 'CheckpointCompleted'), expectation.completed)
  if ('job' in expectation) return same(expectation.job, run.status)
  if ('jobStates' in expectation) return same(expectation.jobStates.join(' → '), jobStates(run.events).join(' → '))
  if ('restored' in expectation) return judgeRestored(expectation.restored, run.events)
  if ('restarts' in expectation) return between(countOf(run.events, 'RestartScheduled'), expectation.restarts)
  if ('state' in expectation) {
    const { uid, key, value } = expectation.state
    return same(JSON.stringify(value), run.keyedState(uid)?.get(JSON.stringify(key)) ?? 'null')
  }
  if ('keys' in expectation) return same(expectation.keys.count, run.keyedState(expectation.keys.uid)?.size ?? null)
  if ('sink' in expectation) return judgeSink(expectation.sink, run)
  if ('figures' in expectation) return judgeFigures(expectation.figures, run)
  if ('sizes' in expectation) return judgeSizes(expectation.sizes, run)
  if ('elements' in expectation) return judgeElements(expectation.elements, run)
  if ('events' in expectation) return between(countEvents(run.events, expectation.events.pattern, run), expectation.events)
  if ('order' in expectation) return judgeOrder(expectation.order, run)
  if ('duration' in expectation) return judgeDuration(expectation.duration, run)
  if ('failure' in expectation) return judgeFailure(expectation.failure.contains, run.events)
  if ('files' in expectation) return judgeFiles(expectation.files, run)
  if ('verdict' in expectation) return judgeVerdict(expectation.verdict, run)
  const difference = run.exactlyOnce()
  return { met: difference === null, expected: 'exactly once', actual: difference ?? 'exactly once' }
}

function judgeFiles({ below, bytesAtLeast, bytesAtMost, ...files }: Extract<ExpectationBody, { files: unknown }>['files'], run: RunView): Judgement {
  const found = run.filesBelow(below)
  if (found === null) return { met: false, expected: 'files', actual: 'the files of this run are not known' }
  const bytes = { ...(bytesAtLeast === undefined ? {} : { atLeast: bytesAtLeast }), ...(bytesAtMost === undefined ? {} : { atMost: bytesAtMost }) }
  const [count, size] = [between(found.files, files), between(found.bytes, bytes)]
  return { met: count.met && size.met, expected: `${count.expected} files, ${size.expected} bytes`, actual: `${found.files} files, ${found.bytes} bytes` }
}

function judgeVerdict(expected: Extract<ExpectationBody, { verdict: unknown }>['verdict'], run: RunView): Judgement {
  const verdict = run.verdict(expected)
  const words = (accepted: boolean, text: string): string => `${accepted ? 'accepted' : 'refused'}${text === '' ? '' : `: ${text}`}`
  if (verdict === null) return { met: false, expected: words(expected.accepted, expected.contains ?? ''), actual: 'no verdict' }
  const { contains } = expected
  const texts = [...(verdict.refusal === null ? [] : [verdict.refusal]), ...verdict.notes, ...verdict.operators.flatMap(wordsOfOperator)]
  const met = verdict.accepted === expected.accepted && (contains === undefined || texts.some((text) => text.includes(contains)))
  return { met, expected: words(expected.accepted, contains === undefined ? '' : `… ${contains} …`), actual: words(verdict.accepted, texts.join(' | ')) }
}

/** What becomes of the operator's state, as the restore sheet says it. */
function wordsOfOperator({ old, new: now, outcome, reason, states }: OperatorVerdict): readonly string[] {
  const name = `"${now?.uid ?? old?.uid ?? ''}"`
  return [`${name} ${outcome}: ${reason}`, ...states.map((state) => `${name} state "${state.name}" ${state.outcome}: ${state.reason}`)]
}

/** The cause of the job's end, and of the request by hand that failed last. */
function judgeFailure(words: string, events: readonly EngineEvent[]): Judgement {
  let end: string | null = null
  let request: string | null = null
  for (const { body } of events) {
    if (body.type === 'JobStatusChanged') end = body.cause ?? (isGloballyTerminal(body.to) ? end : null)
    if (body.type === 'RequestFailed') request = body.message
  }
  const told = [end, request].filter((text) => text !== null)
  return { met: told.some((text) => text.includes(words)), expected: `… ${words} …`, actual: told.join(' | ') || 'nothing failed' }
}

function same(expected: unknown, actual: unknown): Judgement {
  return { met: expected === actual, expected: String(expected), actual: String(actual) }
}

interface Bounds {
  readonly atLeast?: number
  readonly atMost?: number
}

function between(actual: number, { atLeast, atMost }: Bounds): Judgement {
  const met = (atLeast === undefined || actual >= atLeast) && (atMost === undefined || actual <= atMost)
  const parts = [...(atLeast === undefined ? [] : [`at least ${atLeast}`]), ...(atMost === undefined ? [] : [`at most ${atMost}`])]
  return { met, expected: parts.join(' and ') || 'anything', actual: String(actual) }
}

const countOf = (events: readonly EngineEvent[], type: string): number => events.filter((event) => event.body.type === type).length

interface CheckpointFate {
  status: 'IN_PROGRESS' | 'COMPLETED' | 'FAILED'
  reason: CheckpointFailureReason | null
}

function fates(events: readonly EngineEvent[]): ReadonlyMap<number, CheckpointFate> {
  const checkpoints = new Map<number, CheckpointFate>()
  for (const { body } of events) {
    if (body.type === 'CheckpointTriggered') checkpoints.set(body.checkpointId, { status: 'IN_PROGRESS', reason: null })
    else if (body.type === 'CheckpointCompleted') checkpoints.set(body.checkpointId, { status: 'COMPLETED', reason: null })
    else if (body.type === 'CheckpointAborted') checkpoints.set(body.checkpointId, { status: 'FAILED', reason: body.reason })
  }
  return checkpoints
}

function judgeCheckpoint(expectation: Extract<ExpectationBody, { checkpoint: unknown }>, run: RunView): Judgement {
  const { checkpoint, status, reason } = expectation
  const all = fates(run.events)
  const word = (fate: CheckpointFate | undefined): string =>
    fate === undefined ? 'no such checkpoint' : fate.reason === null || reason === undefined ? fate.status : `${fate.status} ${fate.reason}`
  const expected = reason === undefined ? status : `${status} ${reason}`
  if (checkpoint === 'any') {
    const words = [...all.values()].map(word)
    return { met: words.includes(expected), expected: `one ${expected}`, actual: [...new Set(words)].join(', ') || 'none' }
  }
  const actual = word(all.get(checkpoint === 'latest' ? Math.max(0, ...all.keys()) : checkpoint))
  return { met: actual === expected, expected, actual }
}

function jobStates(events: readonly EngineEvent[]): readonly string[] {
  const states: string[] = []
  for (const { body } of events) {
    if (body.type !== 'JobStatusChanged') continue
    if (states.length === 0 || states.at(-1) !== body.from) states.push(body.from)
    states.push(body.to)
  }
  return states
}

/** `latest-completed`: the last restore took the latest checkpoint that had completed by then. */
function judgeRestored(expected: number | 'latest-completed' | null, events: readonly EngineEvent[]): Judgement {
  let restored: number | null | undefined
  let completed: number | null = null
  let completedThen: number | null = null
  for (const { body } of events) {
    if (body.type === 'CheckpointCompleted' && body.savepoint !== true) completed = body.checkpointId
    if (body.type !== 'CheckpointRestored' && body.type !== 'RestoredEmpty') continue
    restored = body.type === 'RestoredEmpty' ? null : body.checkpointId
    completedThen = completed
  }
  if (restored === undefined) return { met: false, expected: String(expected), actual: 'nothing was restored' }
  return same(expected === 'latest-completed' ? completedThen : expected, restored)
}

function judgeSink(expectation: SinkExpectation, run: RunView): Judgement {
  const view = run.sink(expectation.uid)
  const committed = expectation.isolation !== 'uncommitted'
  const rows = committed ? view.committed : view.uncommitted
  const total = committed ? view.committedTotal : view.uncommittedTotal
  const { content, ordered } = expectation
  if (content !== undefined) {
    const arrange = (values: readonly unknown[]): string => {
      const texts = values.map((value) => JSON.stringify(value))
      return (ordered === true ? texts : texts.sort()).join(' ')
    }
    return same(arrange(content), arrange(rows))
  }
  if (expectation.rows !== undefined) return same(expectation.rows, total)
  return between(total, expectation)
}

/** Events at one moment are told apart by their place in the log. */
function judgeOrder(patterns: readonly EventPattern[], run: RunView): Judgement {
  let from = 0
  for (const pattern of patterns) {
    const rest = run.events.slice(from)
    const found = findEvent(rest, pattern, run)
    if (found === null) return { met: false, expected: 'in this order', actual: `${describePattern(pattern)} did not come, or not there` }
    from += rest.indexOf(found) + 1
  }
  return { met: true, expected: 'in this order', actual: 'in this order' }
}

function judgeDuration(expectation: Extract<ExpectationBody, { duration: unknown }>['duration'], run: RunView): Judgement {
  const from = findEvent(run.events, expectation.from, run)
  const to = findEvent(run.events, expectation.to, run)
  const { atLeast, atMost } = expectation
  const expected = [...(atLeast === undefined ? [] : [`at least ${atLeast}`]), ...(atMost === undefined ? [] : [`at most ${atMost}`])].join(' and ')
  if (from === null || to === null) return { met: false, expected, actual: `${from === null ? 'the first' : 'the second'} event did not happen` }
  const micros = to.at - from.at
  if (micros < 0) return { met: false, expected, actual: `${micros / 1000} ms: the second event came before the first` }
  const met = (atLeast === undefined || micros >= durationMicros(atLeast)) && (atMost === undefined || micros <= durationMicros(atMost))
  return { met, expected, actual: `${micros / 1000} ms` }
}
