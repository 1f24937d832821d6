import { describe, expect, it } from 'vitest'
import { brokerPorts, type PlacedTask } from '../../../src/cluster/port-broker.ts'
import type { TaskDeployment } from '../../../workers/model/deployment.ts'
import { channelId, taskManagerId } from '../../../workers/model/ids.ts'

const EDGE = 0
const UP = 2
const DOWN = 2

function deployment(name: string, parts: { readonly gates?: unknown; readonly partitions?: unknown }): TaskDeployment {
  return { name, gates: [], partitions: [], ...parts } as unknown as TaskDeployment
}

const tasks: PlacedTask[] = [
  ...Array.from({ length: UP }, (_, up) => ({
    taskManager: taskManagerId(`tm-${up}`),
    deployment: deployment(`up${up}`, {
      partitions: [{ subpartitions: Array.from({ length: DOWN }, (_, down) => ({ id: channelId(EDGE, up, down) })) }],
    }),
  })),
  ...Array.from({ length: DOWN }, (_, down) => ({
    taskManager: taskManagerId(`tm-${down}`),
    deployment: deployment(`down${down}`, {
      gates: [{ channels: Array.from({ length: UP }, (_, up) => ({ id: channelId(EDGE, up, down) })) }],
    }),
  })),
]

describe('the broker of ports', () => {
  it('connects output u→d with input u→d of every pair, and nothing else', async () => {
    const lone = (): MessagePort => new MessageChannel().port1
    const placed = brokerPorts(tasks, { storage: lone, outside: lone, observer: lone })
    const all = [...placed.values()].flat()
    const byName = new Map(all.map((task) => [task.deployment.name, task.ports]))
    const heard: string[] = []
    let left = UP * DOWN
    const done = new Promise<void>((resolve) => {
      for (let down = 0; down < DOWN; down++) {
        byName.get(`down${down}`)?.inputs.forEach((port, up) => {
          port.onmessage = (event) => {
            heard.push(`${String(event.data)} at ${up}>${down}`)
            if (--left === 0) resolve()
          }
        })
      }
    })
    for (let up = 0; up < UP; up++) byName.get(`up${up}`)?.outputs.forEach((port, down) => port.postMessage(`${up}>${down}`))
    await done
    expect(heard.toSorted()).toEqual(['0>0 at 0>0', '0>1 at 0>1', '1>0 at 1>0', '1>1 at 1>1'])
    for (const { ports } of all) for (const port of [...ports.inputs, ...ports.outputs]) port.close()
  })

  it('puts every task where the JobManager placed it', () => {
    const lone = (): MessagePort => new MessageChannel().port1
    const placed = brokerPorts(tasks, { storage: lone, outside: lone, observer: lone })
    expect([...placed].map(([id, own]) => [id, own.map((task) => task.deployment.name)])).toEqual([
      ['tm-0', ['up0', 'down0']],
      ['tm-1', ['up1', 'down1']],
    ])
  })
})
