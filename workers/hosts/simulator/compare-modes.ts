/**
 * One job twice on the simulator, aligned and unaligned: the same seed, the same faults, the same cost that makes the backpressure. What differs
 * afterwards, the barriers did.
 */
import { compileJob } from '../../model/compile-job.ts'
import type { JobDocument } from '../../model/job-document.ts'
import type { TopicContent } from '../../model/outside.ts'
import { MICROS_PER_SECOND } from '../../model/time.ts'
import type { EngineTime } from '../../model/time.ts'
import { EMPTY_CHECKPOINT_VIEW, type CheckpointView } from '../../projections/checkpoint-view.ts'
import { ASSUMED_INTERVAL_MICROS } from '../../projections/compared-run.ts'
import type { ComparedMode, ComparedRun, CompareRequest } from '../../projections/compared-run.ts'
import { reduceCheckpoints } from '../../projections/reduce-checkpoints.ts'
import { Simulator } from './simulator.ts'

const UNALIGNED = 'execution.checkpointing.unaligned.enabled'
const INTERVAL = 'execution.checkpointing.interval'
const ASSUMED_INTERVAL = `${ASSUMED_INTERVAL_MICROS / MICROS_PER_SECOND} s`

/** Set for both sides here; other spellings of them would contradict. */
const DECIDED = /(unaligned(\.enabled)?|aligned-checkpoint-timeout|checkpointing\.mode|max-concurrent-checkpoints)$/

/**
 * The document of one side: exactly once and one checkpoint at a time, as unaligned checkpoints demand, on both. A job without an interval, or
 * with one of 0, gets the assumed one; a document that does not compile keeps its mistakes.
 */
export function documentOf({ document, cost }: Pick<CompareRequest, 'document' | 'cost'>, mode: ComparedMode): JobDocument {
  const kept = Object.entries(document.config ?? {}).filter(([key]) => !DECIDED.test(key))
  const settings = compileJob(document).graph?.settings.checkpointing
  const interval = settings?.intervalMicros === null ? { [INTERVAL]: ASSUMED_INTERVAL } : {}
  return {
    ...document,
    config: { ...Object.fromEntries(kept), ...interval, [UNALIGNED]: mode === 'unaligned', 'execution.checkpointing.max-concurrent-checkpoints': 1 },
    operators: document.operators.map((operator) => (operator.uid === cost.uid ? { ...operator, cost: `${cost.micros} us` } : operator)),
  }
}

export class ModeRun {
  readonly mode: ComparedMode
  private readonly request: CompareRequest
  private readonly simulator: Simulator
  private view: CheckpointView = EMPTY_CHECKPOINT_VIEW
  private seen = 0

  /** Throws `RangeError` with the first problem where the document does not compile. */
  constructor(request: CompareRequest, mode: ComparedMode, topics: readonly TopicContent[]) {
    this.mode = mode
    this.request = request
    const faults = request.fault === null ? [] : [{ fault: request.fault.fault, when: { at: request.fault.at } }]
    this.simulator = new Simulator({ document: documentOf(request, mode), seed: request.seed, topics, faults })
  }

  get now(): EngineTime {
    return this.simulator.now
  }

  /** Checkpoints that have completed or failed. */
  get ended(): number {
    return this.view.history.filter((record) => record.status !== 'IN_PROGRESS').length
  }

  get done(): boolean {
    return this.ended >= this.request.checkpoints || this.now >= this.request.limit
  }

  advance(micros: EngineTime): void {
    const until = Math.min(this.now + micros, this.request.limit)
    this.simulator.runUntil(() => {
      this.look()
      return this.done
    }, until)
    this.look()
  }

  result(): ComparedRun {
    const { graph, runHash, events } = this.simulator
    const restarts = events.filter(({ body }) => body.type === 'JobStatusChanged' && body.to === 'RESTARTING').length
    return { mode: this.mode, graph, runHash, endedAt: this.now, checkpoints: this.view.history.slice(0, this.request.checkpoints), restarts }
  }

  private look(): void {
    const { events, graph } = this.simulator
    for (; this.seen < events.length; this.seen++) {
      const event = events[this.seen]
      if (event !== undefined) this.view = reduceCheckpoints(this.view, event, graph)
    }
  }
}
