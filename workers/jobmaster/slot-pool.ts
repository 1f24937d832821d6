/**
 * TaskManagers and the slots that the job uses. Flink: SlotPool with one slot sharing group: a slot holds one subtask of each vertex, and
 * subtask i of every vertex goes to slot i. Slots are spread over TaskManagers in order of registration (as `cluster.evenly-spread-out-slots`).
 */
import type { TaskManagerId } from '../model/ids.ts'

export class SlotPool {
  private readonly taskManagers = new Map<TaskManagerId, number>()
  /** By slot index of the job. */
  private assigned: (TaskManagerId | null)[] = []

  register(taskManager: TaskManagerId, slots: number): void {
    this.taskManagers.set(taskManager, slots)
  }

  /** False: it was not registered. */
  remove(taskManager: TaskManagerId): boolean {
    this.assigned = this.assigned.map((owner) => (owner === taskManager ? null : owner))
    return this.taskManagers.delete(taskManager)
  }

  get registered(): readonly { readonly taskManager: TaskManagerId; readonly slots: number }[] {
    return [...this.taskManagers].map(([taskManager, slots]) => ({ taskManager, slots }))
  }

  isRegistered(taskManager: TaskManagerId): boolean {
    return this.taskManagers.has(taskManager)
  }

  get totalSlots(): number {
    return [...this.taskManagers.values()].reduce((sum, slots) => sum + slots, 0)
  }

  get usedSlots(): number {
    return this.assigned.filter((owner) => owner !== null).length
  }

  owner(slot: number): TaskManagerId | null {
    return this.assigned[slot] ?? null
  }

  /** Gives the job `slots` slots, each keeping its TaskManager where that is alive. False: there are too few, and nothing has changed. */
  allocate(slots: number): boolean {
    const assigned = Array.from({ length: slots }, (_, slot) => this.assigned[slot] ?? null)
    for (let slot = 0; slot < slots; slot++) {
      if (assigned[slot] !== null) continue
      const owner = this.leastUsed(assigned)
      if (owner === null) return false
      assigned[slot] = owner
    }
    this.assigned = assigned
    return true
  }

  releaseAll(): void {
    this.assigned = []
  }

  private leastUsed(assigned: readonly (TaskManagerId | null)[]): TaskManagerId | null {
    let best: TaskManagerId | null = null
    let bestUsed = Infinity
    for (const [taskManager, slots] of this.taskManagers) {
      const used = assigned.filter((owner) => owner === taskManager).length
      if (used < slots && used < bestUsed) {
        best = taskManager
        bestUsed = used
      }
    }
    return best
  }
}
