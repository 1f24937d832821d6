/** The waiting of scenarios: whether a condition holds now. Asked by whoever runs the scenario, after every event or a few times a second. */
import type { EngineEvent } from '../model/events.ts'
import type { ExecutionState } from '../model/execution.ts'
import type { Condition, ScenarioStep } from '../model/scenario-document.ts'
import { durationMicros } from '../model/scenario-parser.ts'
import type { EngineTime } from '../model/time.ts'
import { describePattern, matchesPattern } from './event-pattern.ts'
import type { RunView } from './run-view.ts'

export const DEFAULT_TIMEOUT = '10 min'

/** One wait: reads each event once. A condition `event` means one since the wait began; the others look at the whole run. */
export class Wait {
  readonly condition: Condition
  private readonly startedAt: EngineTime
  private nextEvent: number
  private matched = 0
  private readonly tasks = new Map<string, ExecutionState>()

  constructor(condition: Condition, run: RunView) {
    this.condition = condition
    this.startedAt = run.now
    this.nextEvent = 'event' in condition ? run.events.length : 0
  }

  /** Engine time at which the condition comes true by itself; null where events decide. */
  get dueAt(): EngineTime | null {
    if ('time' in this.condition) return durationMicros(this.condition.time)
    if ('for' in this.condition) return this.startedAt + durationMicros(this.condition.for)
    return null
  }

  holds(run: RunView): boolean {
    const { condition } = this
    for (; this.nextEvent < run.events.length; this.nextEvent++) this.read(run.events[this.nextEvent] as EngineEvent, run)
    if ('event' in condition) return this.matched >= (condition.event.count ?? 1)
    if ('completed' in condition) return this.matched >= condition.completed
    if ('tasks' in condition) return this.tasks.size > 0 && [...this.tasks.values()].every((state) => state === 'RUNNING' || state === 'FINISHED')
    if ('job' in condition) return run.status === condition.job
    if ('sink' in condition) {
      const view = run.sink(condition.sink.uid)
      return (condition.sink.isolation === 'uncommitted' ? view.uncommittedTotal : view.committedTotal) >= condition.sink.atLeast
    }
    if ('sources' in condition) return run.sourcesIdle()
    return run.now >= (this.dueAt ?? Infinity)
  }

  private read(event: EngineEvent, run: RunView): void {
    const { condition } = this
    if ('event' in condition && matchesPattern(event, condition.event, run)) this.matched++
    if ('completed' in condition && event.body.type === 'CheckpointCompleted') this.matched++
    if (!('tasks' in condition)) return
    if (event.body.type === 'TaskStateChanged') this.tasks.set(`${event.body.vertex}/${event.body.subtask}`, event.body.to)
    if (event.body.type === 'LeadershipGranted' || event.body.type === 'JobSubmitted') this.tasks.clear()
  }
}

/** Null: the step did what it should, be it to fail; `told`: why it failed, null if it did not. */
export function problemOfStep(step: ScenarioStep, told: string | null): string | null {
  const words = 'fails' in step ? step.fails : undefined
  if (words === undefined) return told
  if (told === null) return 'the step was to fail, and did not'
  return told.includes(words) ? null : told
}

/** A step in words, for reports. */
export function describeStep(step: ScenarioStep): string {
  if ('wait' in step) return `wait: ${describeCondition(step.wait)}`
  if ('inject' in step) return `inject: ${Object.values(step.inject).join(' ')}${step.after === undefined ? '' : `, after ${describePattern(step.after)}`}`
  if ('trigger' in step) return `trigger a ${step.trigger}${step.as === undefined ? '' : ` (${step.as})`}`
  if ('stop' in step) return `stop with savepoint${step.stop.drain === true ? ', drained' : ''}${step.as === undefined ? '' : ` (${step.as})`}`
  if ('start' in step) return `start${step.start.from === undefined ? '' : ` from ${step.start.from}`}`
  if ('dispose' in step) return `dispose ${step.dispose}`
  if ('files' in step) return Object.entries(step.files).map(([what, paths]) => `${what} ${[paths].flat().join(' to ')}`).join(', ')
  if ('check' in step) return `check ${step.check.length} ${step.check.length === 1 ? 'expectation' : 'expectations'}`
  if ('cancel' in step) return 'cancel the job'
  return `pace ${step.pace}`
}

function describeCondition(condition: Condition): string {
  if ('event' in condition) return describePattern(condition.event)
  if ('time' in condition) return `engine time ${condition.time}`
  if ('for' in condition) return `for ${condition.for}`
  if ('job' in condition) return `job ${condition.job}`
  if ('completed' in condition) return `${condition.completed} completed checkpoints`
  if ('tasks' in condition) return 'all tasks RUNNING'
  if ('sink' in condition) return `${condition.sink.atLeast} ${condition.sink.isolation ?? 'committed'} rows in ${condition.sink.uid}`
  return 'sources idle'
}
