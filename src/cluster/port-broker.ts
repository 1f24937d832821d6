/**
 * The only maker of ports between workers: one MessageChannel per channel of a deployment, and one each to storage, outside world and observer
 * per task. A port belongs to one leader, one attempt and one channel, and is never used again.
 */
import type { TaskDeployment } from '../../workers/model/deployment.ts'
import type { TaskManagerId } from '../../workers/model/ids.ts'
import type { DeployedTask, TaskPorts } from '../../workers/hosts/browser/messages.ts'

export interface PlacedTask {
  readonly taskManager: TaskManagerId
  readonly deployment: TaskDeployment
}

/** Hands the other end of a new port to the worker that serves it. */
export interface Services {
  storage(deployment: TaskDeployment): MessagePort
  outside(deployment: TaskDeployment): MessagePort
  observer(deployment: TaskDeployment): MessagePort
}

/** Makes every channel between these tasks; the tasks of each TaskManager, with their ports. */
export function brokerPorts(tasks: readonly PlacedTask[], services: Services): Map<TaskManagerId, DeployedTask[]> {
  const channels = new Map<string, MessageChannel>()
  const channel = (id: string): MessageChannel => {
    const known = channels.get(id)
    if (known !== undefined) return known
    const made = new MessageChannel()
    channels.set(id, made)
    return made
  }
  const result = new Map<TaskManagerId, DeployedTask[]>()
  for (const { taskManager, deployment } of tasks) {
    const ports: TaskPorts = {
      inputs: deployment.gates.flatMap((gate) => gate.channels.map(({ id }) => channel(id).port2)),
      outputs: deployment.partitions.flatMap((partition) => partition.subpartitions.map(({ id }) => channel(id).port1)),
      storage: services.storage(deployment),
      outside: services.outside(deployment),
      observer: services.observer(deployment),
    }
    const placed = result.get(taskManager)
    if (placed === undefined) result.set(taskManager, [{ deployment, ports }])
    else placed.push({ deployment, ports })
  }
  return result
}

export const portsOf = ({ ports }: DeployedTask): MessagePort[] => [
  ...ports.inputs,
  ...ports.outputs,
  ports.storage,
  ports.outside,
  ports.observer,
]
