/**
 * The metrics of one subtask by their full names. Flink: TaskIOMetricGroup, NettyShuffleMetricFactory, InputProcessorUtil, MetricNames (behaviour
 * 8.4, 19.3).
 */
import type { TaskReport } from '../../../model/report.ts'
import { toMillis } from '../../../model/time.ts'
import { timesPerSecond } from '../../task-meters.ts'
import { doubleText, floatText } from './java-numbers.ts'

export type MetricValues = ReadonlyMap<string, string>

/** Not kept of a task that has ended. Flink: MetricStore. */
const TRANSIENT = ['idleTimeMsPerSecond', 'backPressuredTimeMsPerSecond', 'busyTimeMsPerSecond']

export function taskMetricValues(report: TaskReport, hasEnded: boolean): MetricValues {
  const values = new Map([...timeValues(report), ...flowValues(report), ...checkpointValues(report), ...bufferValues(report), ...debloatValues(report)])
  if (hasEnded) for (const name of TRANSIENT) values.delete(name)
  return values
}

function timeValues(report: TaskReport): [string, string][] {
  const { gauges, isBackPressured } = report.metrics
  const { idle, backPressured, busy } = timesPerSecond(report)
  return [
    ['busyTimeMsPerSecond', doubleText(busy)],
    ['backPressuredTimeMsPerSecond', String(backPressured)],
    ['idleTimeMsPerSecond', String(idle)],
    ['softBackPressuredTimeMsPerSecond', String(gauges.softBackPressured)],
    ['hardBackPressuredTimeMsPerSecond', String(gauges.hardBackPressured)],
    // As Flink's code has them; its documentation says "BackPressured".
    ['maxSoftBackPressureTimeMs', String(gauges.maxSoftBackPressured)],
    ['maxHardBackPressureTimeMs', String(gauges.maxHardBackPressured)],
    ['isBackPressured', String(isBackPressured)],
    ['accumulateBusyTimeMs', doubleText(toMillis(report.busyMicros))],
    ['accumulateBackPressuredTimeMs', String(toMillis(report.backpressuredMicros))],
    ['accumulateIdleTimeMs', String(toMillis(report.idleMicros))],
  ]
}

function flowValues({ recordsIn, recordsOut, bytesIn, bytesOut, metrics }: TaskReport): [string, string][] {
  const { buffersOut, gauges, mailboxQueueSize } = metrics
  return [
    ['numRecordsIn', String(recordsIn)],
    ['numRecordsInPerSecond', doubleText(gauges.recordsIn)],
    ['numRecordsOut', String(recordsOut)],
    ['numRecordsOutPerSecond', doubleText(gauges.recordsOut)],
    ['numBytesIn', String(bytesIn)],
    ['numBytesInPerSecond', doubleText(gauges.bytesIn)],
    ['numBytesOut', String(bytesOut)],
    ['numBytesOutPerSecond', doubleText(gauges.bytesOut)],
    ['numBuffersOut', String(buffersOut)],
    ['numBuffersOutPerSecond', doubleText(gauges.buffersOut)],
    ['mailboxQueueSize', String(mailboxQueueSize)],
    ['mailboxMailsPerSecond', doubleText(gauges.mails)],
  ]
}

/** In nanoseconds. */
function checkpointValues({ metrics: { alignmentMicros, startDelayMicros } }: TaskReport): [string, string][] {
  const startDelay: [string, string] = ['checkpointStartDelayNanos', String(startDelayMicros * 1000)]
  return alignmentMicros === null ? [startDelay] : [['checkpointAlignmentTime', String(alignmentMicros * 1000)], startDelay]
}

function bufferValues({ inPoolUsage, outPoolUsage, outputs, metrics: { input } }: TaskReport): [string, string][] {
  const queued = outputs.reduce((sum, { buffers, bytes }) => ({ buffers: sum.buffers + buffers, bytes: sum.bytes + bytes }), { buffers: 0, bytes: 0 })
  return [
    ['Shuffle.Netty.Input.Buffers.inPoolUsage', floatText(inPoolUsage)],
    ['Shuffle.Netty.Input.Buffers.inputExclusiveBuffersUsage', floatText(input.exclusiveUsage)],
    ['Shuffle.Netty.Input.Buffers.inputFloatingBuffersUsage', floatText(input.floatingUsage)],
    ['Shuffle.Netty.Input.Buffers.inputQueueLength', String(input.queuedBuffers)],
    ['Shuffle.Netty.Input.Buffers.inputQueueSize', String(input.queuedBytes)],
    ['Shuffle.Netty.Output.Buffers.outPoolUsage', floatText(outPoolUsage)],
    ['Shuffle.Netty.Output.Buffers.outputQueueLength', String(queued.buffers)],
    ['Shuffle.Netty.Output.Buffers.outputQueueSize', String(queued.bytes)],
  ]
}

function debloatValues({ metrics: { debloat } }: TaskReport): [string, string][] {
  if (debloat === null) return []
  const gates = debloat.flatMap(({ bufferBytes, timeToConsumeMillis }, gate): [string, string][] => [
    [`Shuffle.Netty.Input.${gate}.debloatedBufferSize`, String(bufferBytes)],
    [`Shuffle.Netty.Input.${gate}.estimatedTimeToConsumeBuffersMs`, String(timeToConsumeMillis)],
  ])
  return [['estimatedTimeToConsumeBuffersMs', String(Math.max(...debloat.map((gate) => gate.timeToConsumeMillis)))], ...gates]
}
