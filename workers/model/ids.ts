import type { Brand } from '../base/brand.ts'

/** 32 hexadecimal digits, as Flink prints them. */
export type JobId = Brand<string, 'JobId'>
/** 32 hexadecimal digits: murmur3-128 of the uid (formats 17). A vertex has the id of the head of its chain. */
export type OperatorId = Brand<string, 'OperatorId'>
export type VertexId = Brand<string, 'VertexId'>
/** One try to run one subtask: changes at every restart, and every message carries it. `<vertex>_<subtask>_<attempt number>`. */
export type ExecutionAttemptId = Brand<string, 'ExecutionAttemptId'>
export type TaskManagerId = Brand<string, 'TaskManagerId'>
/** One channel of one attempt pair: `<edge>:<upstream subtask>><downstream subtask>`. The same across attempts. */
export type ChannelId = Brand<string, 'ChannelId'>
/** Grows by one with every leader. Storage, outside world and TaskManagers refuse an older one. */
export type FencingToken = Brand<number, 'FencingToken'>

/** The checkpoint counter: 1, 2, 3 …, shared by checkpoints and savepoints. */
export type CheckpointId = number
export type SubtaskIndex = number

const HEX_32 = /^[0-9a-f]{32}$/

export function jobId(text: string): JobId {
  if (!HEX_32.test(text)) throw new RangeError(`not a job id: ${text}`)
  return text as JobId
}

export const operatorId = (text: string): OperatorId => text as OperatorId
export const vertexId = (text: string): VertexId => text as VertexId
export const taskManagerId = (text: string): TaskManagerId => text as TaskManagerId
export const channelId = (edge: number, upstream: SubtaskIndex, downstream: SubtaskIndex): ChannelId =>
  `${edge}:${upstream}>${downstream}` as ChannelId
export const executionAttemptId = (vertex: VertexId, subtask: SubtaskIndex, attemptNumber: number): ExecutionAttemptId =>
  `${vertex}_${subtask}_${attemptNumber}` as ExecutionAttemptId
export const fencingToken = (value: number): FencingToken => value as FencingToken
