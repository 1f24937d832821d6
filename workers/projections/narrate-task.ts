/** Sentences for what happens at one subtask. */
import type { EventBody } from '../model/events.ts'
import type { JobGraph } from '../model/job-graph.ts'
import { plainBytes, plainCount, plainDuration, plural } from './figures.ts'
import { receiverName, senderName } from './plan.ts'
import { shortTransaction, taskManagerName, told } from './sentence.ts'
import type { Told } from './sentence.ts'

type TaskBody = Extract<EventBody, { readonly subtask: number }>

export function narrateTaskStep(body: TaskBody, graph: JobGraph | null, name: string): Told | null {
  switch (body.type) {
    case 'TaskStateChanged':
      return taskState(body, name)
    case 'CheckpointAcknowledged':
      return told(2, `acknowledges checkpoint ${body.checkpointId} with ${plainBytes(body.metrics.checkpointedBytes)}. That makes ${body.acknowledged} of ${body.tasks}.`, name)
    case 'CheckpointDeclined':
      return told(1, `declines checkpoint ${body.checkpointId}. ${body.message}`, name)
    case 'StateRestored':
      return told(2, `has ${body.keys === 0 ? 'its state' : plural(body.keys, 'key')} back from checkpoint ${body.checkpointId}, ${plainBytes(body.bytes)}${body.localBytes === undefined ? '' : `, ${plainBytes(body.localBytes)} of it from the copy that its TaskManager had kept`}.`, name)
    case 'SplitAssigned':
      return told(3, `gets split ${body.split} and begins at offset ${plainCount(within(body, body.offset))}.`, name)
    case 'SourceRewound':
      return told(2, `puts the read head of ${body.split} back to ${plainCount(within(body, body.to))}.`, name)
    case 'ChannelDelayed':
      return told(2, body.micros === 0 ? `gets what comes from ${senderName(graph, body.channel)} without the delay again.` : `gets what comes from ${senderName(graph, body.channel)} ${plainDuration(body.micros)} later from now on.`, name)
    case 'ChannelRateChanged':
      return told(2, body.bytesPerSecond === null ? `sends to ${receiverName(graph, body.channel)} without a limit again.` : `sends ${receiverName(graph, body.channel)} at most ${plainBytes(body.bytesPerSecond)} a second from now on.`, name)
    case 'KeySkewChanged':
      return told(2, `draws keys with skew ${body.skew} from record ${plainCount(within(body, body.from))} of split ${body.split} on.`, name)
    case 'SourceIdle':
      return told(3, `has read ${body.split} up to its end, ${plainCount(body.offset)}, and waits for more.`, name)
    case 'EndOfDataReached':
      return told(2, 'has seen all of its records.', name)
    case 'TransactionBegun':
      return told(3, `opens transaction ${shortTransaction(body.transaction)}.`, name)
    case 'TransactionPreCommitted':
      return told(2, `pre-commits transaction ${shortTransaction(body.transaction)}, ${plural(body.rows, 'row')}.`, name)
    case 'TransactionCommitted':
      return told(2, `commits transaction ${shortTransaction(body.transaction)}: ${plural(body.rows, 'row')} can be seen outside.`, name)
    case 'TransactionAborted':
      return told(2, `aborts transaction ${shortTransaction(body.transaction)}: nobody who reads committed rows has seen it.`, name)
    case 'TransactionUnknown':
      return told(body.rows > 0 ? 1 : 2, `finds no transaction ${shortTransaction(body.transaction)} outside: it was another browser’s, or the sink was emptied since. Its ${plural(body.rows, 'row')} ${body.rows === 1 ? 'is' : 'are'} not there.`, name)
    default:
      return snapshotStep(body, graph, name)
  }
}

type SnapshotBody = Extract<
  TaskBody,
  { readonly type: 'BarrierArrived' | 'ChannelBlocked' | 'ChannelUnblocked' | 'AlignmentCompleted' | 'UnalignedSnapshotStarted' | 'BarrierPulledForward' | 'InFlightPersisted' | 'InFlightRestored' | 'BarrierEmitted' | 'SyncSnapshotStarted' | 'SyncSnapshotEnded' | 'AsyncSnapshotProgressed' | 'AsyncSnapshotEnded' | 'AcknowledgementDropped' | 'CheckpointAbortedAtTask' | 'CheckpointCompleteNotified' | 'SourceStopped' | 'SynchronousSavepointAwaited' }
>

function snapshotStep(body: SnapshotBody, graph: JobGraph | null, name: string): Told | null {
  const id = body.checkpointId
  switch (body.type) {
    case 'BarrierArrived':
      return told(3, `takes barrier ${id} from ${senderName(graph, body.channel)}: ${body.arrived} of ${body.expected}.`, name)
    case 'ChannelBlocked':
      return told(2, `blocks the channel from ${senderName(graph, body.channel)}: barrier ${id} came there first.`, name)
    case 'ChannelUnblocked':
      return told(3, `reopens the channel from ${senderName(graph, body.channel)}.`, name)
    case 'AlignmentCompleted':
      return told(2, body.alignmentMicros === 0 ? `has every barrier ${id}: nothing had to wait.` : `has every barrier ${id} after ${plainDuration(body.alignmentMicros)}.`, name)
    case 'UnalignedSnapshotStarted':
      return told(2, `takes its snapshot ${id} without waiting for the other barriers: what is in flight becomes part of it.`, name)
    case 'BarrierPulledForward':
      return body.side === 'input'
        ? told(2, `lets barrier ${id} from ${senderName(graph, body.channel)} pass what stands before it.`, name)
        : told(2, `lets barrier ${id} to ${receiverName(graph, body.channel)} pass what stands before it.`, name)
    case 'InFlightPersisted':
      return told(2, `keeps ${plainBytes(body.inputBytes + body.outputBytes)} in flight as part of checkpoint ${id}: ${plainBytes(body.inputBytes)} before it, ${plainBytes(body.outputBytes)} behind it.`, name)
    case 'InFlightRestored':
      return told(2, `has ${plural(body.records, 'record')} back in its ${body.side === 'input' ? 'inputs' : 'outputs'} that ${body.records === 1 ? 'was' : 'were'} in flight at checkpoint ${id}.`, name)
    case 'BarrierEmitted':
      return body.channels.length === 0 ? null : told(2, `sends barrier ${id} on to ${listed(body.channels.map((channel) => receiverName(graph, channel)))}.`, name)
    case 'SyncSnapshotStarted':
      return null
    case 'SyncSnapshotEnded':
      return told(3, viewSentence(body), name)
    case 'AsyncSnapshotProgressed':
      return null
    case 'AsyncSnapshotEnded':
      return body.bytes === 0 ? null : told(3, `has written ${plainBytes(body.bytes)} for checkpoint ${id}.`, name)
    case 'AcknowledgementDropped':
      return told(1, `has stored its part of checkpoint ${id}, but its acknowledgement of ${plainBytes(body.bytes)} is larger than a message may be (pekko.framesize, ${plainBytes(body.limit)}) and is dropped on its way.`, name)
    case 'CheckpointAbortedAtTask':
      return told(2, `gives up checkpoint ${id}: ${body.reason}.`, name)
    case 'CheckpointCompleteNotified':
      return told(3, `is told that checkpoint ${id} is complete.`, name)
    case 'SourceStopped':
      return told(2, body.drain ? `stops reading for savepoint ${id} and sends the last watermark.` : `stops reading for savepoint ${id}.`, name)
    case 'SynchronousSavepointAwaited':
      return told(2, `has its part of savepoint ${id} and waits, with nothing more to process, until it is complete.`, name)
  }
}

/** The ranges of a generator follow each other: what a reader expects is counted from where the split begins. */
const within = ({ first = 0 }: { readonly first?: number }, position: number): number => position - first

function viewSentence(body: Extract<EventBody, { type: 'SyncSnapshotEnded' }>): string {
  const offsets = body.parts.flatMap((part) => part.offsets ?? [])
  if (offsets.length > 0) return `notes ${listed(offsets.map((one) => `offset ${plainCount(within(one, one.offset))} of ${one.split}`))} for checkpoint ${body.checkpointId}.`
  const keyed = body.parts.filter((part) => part.kind === 'keyed').reduce((sum, part) => sum + part.entries, 0)
  return keyed > 0 ? `takes a view of its ${plural(keyed, 'key')} and works on while they are written.` : `has its part of checkpoint ${body.checkpointId} in hand.`
}

function taskState(body: Extract<EventBody, { type: 'TaskStateChanged' }>, name: string): Told {
  const where = body.taskManager === null ? '' : ` on ${taskManagerName(body.taskManager)}`
  const failed = body.to === 'FAILED'
  return told(failed ? 1 : 3, `is ${body.to}${failed ? '' : where}.${body.cause === undefined ? '' : ` ${body.cause}`}`, name)
}

export function listed(names: readonly string[]): string {
  const unique = [...new Set(names)]
  if (unique.length <= 1) return unique[0] ?? ''
  return unique.length > 3 ? `${unique.length} subtasks` : `${unique.slice(0, -1).join(', ')} and ${unique.at(-1) ?? ''}`
}
