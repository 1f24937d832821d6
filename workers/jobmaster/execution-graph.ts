/**
 * The subtasks of the job and the state of each one's current attempt. Flink: ExecutionGraph, ExecutionVertex, Execution (behaviour 15.5).
 *
 *   CREATED ─► SCHEDULED ─► DEPLOYING ─► INITIALIZING ─► RUNNING ─► FINISHED
 *      │           │            └───────────────┴────────────┴──► CANCELING ─► CANCELED
 *      └───────────┴──► CANCELED                      (from each of them) ──► FAILED
 *
 * A terminal execution never moves again: a restart makes a new attempt.
 */
import { assert, must } from '../base/assert.ts'
import type { PlanVertex } from '../coordinator/checkpoint-plan.ts'
import { isTerminalExecution } from '../model/execution.ts'
import type { ExecutionState } from '../model/execution.ts'
import type { EventBody } from '../model/events.ts'
import { executionAttemptId } from '../model/ids.ts'
import type { ExecutionAttemptId, TaskManagerId, VertexId } from '../model/ids.ts'
import type { JobGraph, JobVertex } from '../model/job-graph.ts'
import type { EngineTime } from '../model/time.ts'
import { isPointwise, sendersOf } from './channel-wiring.ts'

const NEXT: Readonly<Record<ExecutionState, readonly ExecutionState[]>> = {
  CREATED: ['SCHEDULED', 'CANCELED', 'FAILED'],
  SCHEDULED: ['DEPLOYING', 'CANCELED', 'FAILED'],
  DEPLOYING: ['INITIALIZING', 'RUNNING', 'FINISHED', 'CANCELING', 'FAILED'],
  INITIALIZING: ['RUNNING', 'FINISHED', 'CANCELING', 'FAILED'],
  RUNNING: ['FINISHED', 'CANCELING', 'FAILED'],
  CANCELING: ['CANCELED', 'FAILED'],
  FINISHED: [],
  CANCELED: [],
  FAILED: [],
}

/** One attempt to run one subtask. */
export interface Execution {
  readonly attempt: ExecutionAttemptId
  readonly attemptNumber: number
  readonly vertex: VertexId
  readonly subtask: number
  state: ExecutionState
  taskManager: TaskManagerId | null
  /** All its records have been processed; it waits for its last checkpoint (behaviour 14). */
  endOfData: boolean
  /** Its operators had finished in the snapshot that it was restored from (behaviour 14). */
  isFinishedOnRestore: boolean
  readonly since: Map<ExecutionState, EngineTime>
}

export interface ExecutionJobVertex {
  readonly vertex: JobVertex
  /** The snapshot's at a restore, where the job's own was derived (behaviour 11.2). */
  maxParallelism: number
  readonly executions: Execution[]
}

export interface GraphListener {
  readonly now: EngineTime
  event(body: EventBody): void
}

export class ExecutionGraph {
  readonly graph: JobGraph
  readonly vertices: readonly ExecutionJobVertex[]
  private readonly listener: GraphListener
  private readonly byAttempt = new Map<ExecutionAttemptId, Execution>()
  private readonly nextAttempt = new Map<string, number>()
  private readonly firstAttempt: number

  /** @param firstAttempt attempt number of the first executions: above all of an earlier JobManager, so that no id is used twice. */
  constructor(graph: JobGraph, listener: GraphListener, firstAttempt: number) {
    this.graph = graph
    this.listener = listener
    this.firstAttempt = firstAttempt
    this.vertices = graph.vertices.map((vertex) => ({
      vertex,
      maxParallelism: vertex.maxParallelism,
      executions: Array.from({ length: vertex.parallelism }, (_, subtask) => this.newExecution(vertex.id, subtask)),
    }))
  }

  get executions(): readonly Execution[] {
    return this.vertices.flatMap((vertex) => vertex.executions)
  }

  /** Higher than every attempt number used so far. */
  get attemptsUsed(): number {
    return Math.max(...this.nextAttempt.values())
  }

  vertex(id: VertexId): ExecutionJobVertex {
    return must(this.vertices.find((candidate) => candidate.vertex.id === id), `vertex ${id}`)
  }

  /** The current execution of that attempt; null for a superseded or unknown one. */
  find(attempt: ExecutionAttemptId): Execution | null {
    return this.byAttempt.get(attempt) ?? null
  }

  execution(vertex: VertexId, subtask: number): Execution {
    return must(this.vertex(vertex).executions[subtask], `subtask ${subtask} of ${vertex}`)
  }

  allTerminal(executions: readonly Execution[] = this.executions): boolean {
    return executions.every((execution) => isTerminalExecution(execution.state))
  }

  transition(execution: Execution, to: ExecutionState, cause?: string): void {
    assert(NEXT[execution.state].includes(to), `${execution.attempt}: ${execution.state} → ${to}`)
    execution.state = to
    execution.since.set(to, this.listener.now)
    const { attempt, vertex, subtask, taskManager } = execution
    this.listener.event({ type: 'TaskStateChanged', attempt, vertex, subtask, to, taskManager, ...(cause === undefined ? {} : { cause }) })
  }

  /** A new attempt in the place of a terminal one. */
  reset(execution: Execution): Execution {
    assert(isTerminalExecution(execution.state), `${execution.attempt} is ${execution.state}: cannot be reset`)
    this.byAttempt.delete(execution.attempt)
    const next = this.newExecution(execution.vertex, execution.subtask)
    this.vertex(execution.vertex).executions[execution.subtask] = next
    return next
  }

  /** The view that the checkpoint plan is calculated from. */
  planVertices(): readonly PlanVertex[] {
    return this.vertices.map(({ vertex, executions, maxParallelism }) => ({
      id: vertex.id,
      maxParallelism,
      tasks: executions,
      inputs: this.graph.edges
        .filter((edge) => edge.to === vertex.id)
        .map((edge) => ({
          from: edge.from,
          sendersOf: isPointwise(edge)
            ? executions.map((_, subtask) => sendersOf(edge, subtask, this.vertex(edge.from).vertex.parallelism, vertex.parallelism))
            : null,
        })),
    }))
  }

  private newExecution(vertex: VertexId, subtask: number): Execution {
    const key = `${vertex}_${subtask}`
    const attemptNumber = this.nextAttempt.get(key) ?? this.firstAttempt
    this.nextAttempt.set(key, attemptNumber + 1)
    const execution: Execution = {
      attempt: executionAttemptId(vertex, subtask, attemptNumber),
      attemptNumber, vertex, subtask,
      state: 'CREATED', taskManager: null, endOfData: false, isFinishedOnRestore: false,
      since: new Map([['CREATED', this.listener.now]]),
    }
    this.byAttempt.set(execution.attempt, execution)
    return execution
  }
}
