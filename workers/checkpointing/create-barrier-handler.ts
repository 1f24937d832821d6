/** The barrier handler of a task. Flink: InputProcessorUtil (behaviour 6.1). */
import { unreachable } from '../base/assert.ts'
import type { BarrierHandler, BarrierHandlerOptions } from './barrier-handler.ts'
import { CheckpointBarrierTracker } from './checkpoint-barrier-tracker.ts'
import { SingleCheckpointBarrierHandler } from './single-checkpoint-barrier-handler.ts'

export function createBarrierHandler(options: BarrierHandlerOptions): BarrierHandler {
  switch (options.kind) {
    case 'aligned':
    case 'alternating':
      return new SingleCheckpointBarrierHandler(options)
    case 'at-least-once':
      return new CheckpointBarrierTracker(options)
    default:
      return unreachable(options.kind)
  }
}
