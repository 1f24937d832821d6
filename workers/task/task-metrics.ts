/** What a task measures for Flink's metrics: gathered with a report, off the hot path (behaviour 8.4, 19.3). */
import type { TaskMetrics } from '../model/task-metrics.ts'
import type { EngineTime } from '../model/time.ts'
import type { TaskParts } from './build-task.ts'
import type { TaskLife } from './task-life.ts'

export function taskMetrics(parts: TaskParts, life: TaskLife, now: EngineTime): TaskMetrics {
  const { debloating, gates, handler, mailbox, mediator, writer } = parts
  const aligning = handler?.aligning() ?? null
  return {
    isBackPressured: life.isBackPressured,
    buffersOut: writer.buffersSent,
    mailboxQueueSize: mailbox.size,
    input: gates.report(),
    debloat: debloating === null ? null : debloating.report(),
    alignmentMicros: handler === null ? null : aligning === null ? mediator.alignmentMicros : now - aligning.since,
    startDelayMicros: mediator.startDelayMicros,
    gauges: life.gauges.values,
  }
}
