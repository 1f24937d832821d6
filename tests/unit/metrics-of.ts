/** What an idle task measures, with changes. */
import type { TaskGaugeValues, TaskMetrics } from '../../workers/model/task-metrics.ts'

export const gaugesOf = (change: Partial<TaskGaugeValues> = {}): TaskGaugeValues => ({
  idle: 0, softBackPressured: 0, hardBackPressured: 0, maxSoftBackPressured: 0, maxHardBackPressured: 0,
  recordsIn: 0, recordsOut: 0, bytesIn: 0, bytesOut: 0, buffersOut: 0, mails: 0, ...change,
})

export const metricsOf = (change: Partial<TaskMetrics> = {}): TaskMetrics => ({
  isBackPressured: false,
  buffersOut: 0,
  mailboxQueueSize: 0,
  input: { queuedBuffers: 0, queuedBytes: 0, exclusiveUsage: 0, floatingUsage: 0 },
  debloat: null,
  alignmentMicros: 0,
  startDelayMicros: 0,
  gauges: gaugesOf(),
  ...change,
})
