/**
 * Brings scheduled tasks into slots. Flink: PipelinedRegionSchedulingStrategy, SlotSharingExecutionSlotAllocator. All scheduled tasks are
 * deployed at once, when there are slots for the whole job; too few: TaskManagers are asked for and waited for, up to a timeout.
 */
import type { TaskDeployment, TaskRestore } from '../model/deployment.ts'
import type { ExecutionAttemptId } from '../model/ids.ts'
import { MICROS_PER_SECOND } from '../model/time.ts'
import { deploymentOf } from './deployment-descriptor.ts'
import type { DeploymentContext } from './deployment-descriptor.ts'
import type { Execution, ExecutionGraph } from './execution-graph.ts'
import type { MachineContext } from './machine-context.ts'
import type { SlotPool } from './slot-pool.ts'

export const SLOT_TIMER = 'slot-request'
/** `slot.request.timeout`. */
const SLOT_REQUEST_TIMEOUT = 300 * MICROS_PER_SECOND
export const NO_RESOURCE_MESSAGE =
  'NoResourceAvailableException: Slot request bulk is not fulfillable! Could not allocate the required slot within slot request timeout'

export class Scheduler {
  private readonly graph: ExecutionGraph
  private readonly slots: SlotPool
  private readonly context: MachineContext
  /** What executions that are not deployed yet start from. */
  private readonly restores = new Map<ExecutionAttemptId, TaskRestore>()
  private isWaiting = false

  constructor(graph: ExecutionGraph, slots: SlotPool, context: MachineContext) {
    this.graph = graph
    this.slots = slots
    this.context = context
  }

  setRestore(attempt: ExecutionAttemptId, restore: TaskRestore): void {
    this.restores.set(attempt, restore)
  }

  /** It will not be deployed. */
  forget(attempt: ExecutionAttemptId): void {
    this.restores.delete(attempt)
  }

  get scheduled(): readonly Execution[] {
    return this.graph.executions.filter((execution) => execution.state === 'SCHEDULED')
  }

  /** True if the scheduled tasks have slots now. Otherwise TaskManagers have been asked for. */
  allocate(): boolean {
    const { vertices, settings } = this.graph.graph
    const isAllocated = this.slots.allocate(Math.max(...vertices.map((vertex) => vertex.parallelism)))
    if (isAllocated) {
      this.stopWaiting()
      return true
    }
    if (!this.isWaiting) this.context.out.setTimer(SLOT_TIMER, this.context.now + SLOT_REQUEST_TIMEOUT)
    this.isWaiting = true
    this.context.out.requestTaskManagers(settings.taskManagers)
    return false
  }

  /** After `allocate`. */
  deploy(deployment: DeploymentContext): void {
    const tasks: { taskManager: NonNullable<Execution['taskManager']>; deployment: TaskDeployment }[] = []
    for (const execution of this.scheduled) {
      const taskManager = this.slots.owner(execution.subtask)
      if (taskManager === null) continue
      execution.taskManager = taskManager
      this.graph.transition(execution, 'DEPLOYING')
      const restore = this.restores.get(execution.attempt) ?? null
      this.restores.delete(execution.attempt)
      tasks.push({ taskManager, deployment: deploymentOf(this.graph, execution, restore, deployment) })
    }
    this.context.out.deploy(tasks)
  }

  /** The timer has come. True: the tasks that still wait must fail. */
  timedOut(): boolean {
    const { isWaiting } = this
    this.isWaiting = false
    return isWaiting
  }

  stopWaiting(): void {
    if (this.isWaiting) this.context.out.clearTimer(SLOT_TIMER)
    this.isWaiting = false
  }
}
