/**
 * Which tasks a checkpoint triggers, waits for and commits to. Flink: DefaultCheckpointPlanCalculator (behaviour 2.4).
 * Pure: a view of the executions goes in.
 */
import { err, ok } from '../base/result.ts'
import type { Result } from '../base/result.ts'
import type { ExecutionState } from '../model/execution.ts'
import type { ExecutionAttemptId, TaskManagerId, VertexId } from '../model/ids.ts'

export interface TaskRef {
  readonly attempt: ExecutionAttemptId
  readonly vertex: VertexId
  readonly subtask: number
  readonly taskManager: TaskManagerId
  /** It was restored as finished: it runs only to pass barriers on (behaviour 14). Absent: no. */
  readonly isFinishedOnRestore?: boolean
}

export interface PlanTask extends Omit<TaskRef, 'taskManager'> {
  /** Null: not deployed. */
  readonly taskManager: TaskManagerId | null
  readonly state: ExecutionState
}

export interface PlanVertex {
  readonly id: VertexId
  readonly tasks: readonly PlanTask[]
  /** Edges into this vertex; `sendersOf[subtask]` lists the sending subtasks, null where all send to all. */
  readonly inputs: readonly { readonly from: VertexId; readonly sendersOf: readonly (readonly number[])[] | null }[]
  /** In force, which may be that of the snapshot that the job was restored from. Absent: the job graph's. */
  readonly maxParallelism?: number
}

export interface CheckpointPlan {
  readonly trigger: readonly TaskRef[]
  readonly waitFor: readonly TaskRef[]
  readonly commitTo: readonly TaskRef[]
  readonly finished: readonly { readonly vertex: VertexId; readonly subtask: number }[]
  readonly maxParallelism: ReadonlyMap<VertexId, number>
}

export type PlanFailure = 'NOT_ALL_REQUIRED_TASKS_RUNNING'

export interface PlanProblem {
  readonly reason: PlanFailure
  readonly message: string
}

/** @param afterTasksFinish `checkpoints-after-tasks-finish`: finished tasks are allowed. */
export function calculatePlan(vertices: readonly PlanVertex[], afterTasksFinish: boolean): Result<CheckpointPlan, PlanProblem> {
  const tasks = vertices.flatMap((vertex) => vertex.tasks)
  const notReady = tasks.find((task) => task.state !== 'RUNNING' && !(task.state === 'FINISHED' && afterTasksFinish))
  if (notReady !== undefined) return err(notRunning(notReady))
  const running = tasks.filter((task) => task.state === 'RUNNING')
  if (running.length === 0) {
    return err({ reason: 'NOT_ALL_REQUIRED_TASKS_RUNNING', message: 'Not all required tasks are currently running. All tasks have finished.' })
  }
  const refs = running.map(toRef)
  const byVertex = new Map(vertices.map((vertex) => [vertex.id, vertex]))
  const trigger = vertices.flatMap((vertex) =>
    vertex.tasks.filter((task) => task.state === 'RUNNING' && !hasRunningSender(vertex, task.subtask, byVertex)).map(toRef),
  )
  const finished = tasks.filter((task) => task.state === 'FINISHED').map(({ vertex, subtask }) => ({ vertex, subtask }))
  const maxParallelism = new Map(vertices.flatMap((vertex) => (vertex.maxParallelism === undefined ? [] : [[vertex.id, vertex.maxParallelism] as const])))
  return ok({ trigger, waitFor: refs, commitTo: refs, finished, maxParallelism })
}

/** With an all-to-all edge one running sender is enough to disqualify the whole vertex. */
function hasRunningSender(vertex: PlanVertex, subtask: number, byVertex: ReadonlyMap<VertexId, PlanVertex>): boolean {
  return vertex.inputs.some(({ from, sendersOf }) => {
    const senders = byVertex.get(from)?.tasks ?? []
    const relevant = sendersOf === null ? senders : (sendersOf[subtask] ?? []).map((index) => senders[index])
    return relevant.some((sender) => sender?.state === 'RUNNING')
  })
}

function toRef(task: PlanTask): TaskRef {
  if (task.taskManager === null) throw new RangeError(`${task.attempt} runs nowhere`)
  const ref = { attempt: task.attempt, vertex: task.vertex, subtask: task.subtask, taskManager: task.taskManager }
  return task.isFinishedOnRestore === true ? { ...ref, isFinishedOnRestore: true } : ref
}

const notRunning = (task: PlanTask): PlanProblem => ({
  reason: 'NOT_ALL_REQUIRED_TASKS_RUNNING',
  message:
    `Not all required tasks are currently running. Checkpoint triggering task ${task.attempt} is not being executed at the moment: ` +
    `it is ${task.state}.`,
})
