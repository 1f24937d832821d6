/** What is on the simulator's queue, by whom it is for. */
import type { FencingToken, JobId } from '../../model/ids.ts'
import type { OutsideRequest } from '../../model/outside.ts'
import type { StorageOp, StorageReply } from '../../model/storage.ts'
import type { JobManagerInput } from '../../jobmaster/jobmaster-io.ts'
import type { TaskInput } from '../../task/task-io.ts'
import type { Line } from './line.ts'

export type TaskEnvelope =
  | { readonly type: 'input'; readonly input: TaskInput }
  | { readonly type: 'start' }
  | { readonly type: 'turn' }
  | { readonly type: 'slice' }
  | { readonly type: 'timer'; readonly timer: string; readonly generation: number }

export type JobManagerEnvelope =
  | { readonly type: 'input'; readonly input: JobManagerInput }
  | { readonly type: 'timer'; readonly timer: string; readonly generation: number }

/** The answer, in the form in which task and JobManager take it. */
export interface StorageAnswer {
  readonly type: 'input'
  readonly input: { readonly type: 'storage-reply'; readonly reply: StorageReply }
}

export interface StorageCall {
  readonly type: 'call'
  readonly requestId: number
  readonly op: StorageOp
  readonly fence: { readonly job: JobId; readonly token: FencingToken } | null
  readonly answer: Line<StorageAnswer>
}

export interface OutsideCall {
  readonly type: 'call'
  readonly request: OutsideRequest
  readonly answer: Line<TaskEnvelope>
}
