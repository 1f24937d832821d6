/** Flink's job states (behaviour 15.4): note CANCELLING here and CANCELING for tasks. */
export type JobStatus =
  | 'INITIALIZING'
  | 'CREATED'
  | 'RUNNING'
  | 'FAILING'
  | 'FAILED'
  | 'CANCELLING'
  | 'CANCELED'
  | 'FINISHED'
  | 'RESTARTING'
  | 'SUSPENDED'
  | 'RECONCILING'

/** Flink's task states (behaviour 15.5). CREATED → SCHEDULED → DEPLOYING → INITIALIZING → RUNNING → FINISHED. */
export type ExecutionState =
  | 'CREATED'
  | 'SCHEDULED'
  | 'DEPLOYING'
  | 'INITIALIZING'
  | 'RUNNING'
  | 'FINISHED'
  | 'CANCELING'
  | 'CANCELED'
  | 'FAILED'

export const isTerminalExecution = (state: ExecutionState): boolean =>
  state === 'FINISHED' || state === 'CANCELED' || state === 'FAILED'

/** Terminal everywhere: no JobManager will go on with the job. */
export const isGloballyTerminal = (status: JobStatus): boolean =>
  status === 'FAILED' || status === 'CANCELED' || status === 'FINISHED'

/** Between a failure and what it was caused by, as in a stack trace of Java. */
export const CAUSED_BY = ' Caused by: '

export const causedBy = (message: string, cause: string): string => `${message}${CAUSED_BY}${cause}`

export interface FailureInfo {
  /** With its causes, if it has any (`causedBy`). */
  readonly message: string
  /** What to look at: operator, state, key, record, where known. */
  readonly detail?: string
  /** An error that no restart can cure: the restart strategy is not asked (behaviour 15.1). */
  readonly nonRecoverable: boolean
}
