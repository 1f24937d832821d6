/** How late a task of a worker hears of what was sent: by its deployment, and by a command while it runs. */
import { expect, it } from 'vitest'
import type { DueInput, TaskEffectsHost } from '../../../workers/hosts/browser/task-effects.ts'
import { TaskEffects } from '../../../workers/hosts/browser/task-effects.ts'
import type { OnChannel, TaskPorts } from '../../../workers/hosts/browser/messages.ts'
import type { TaskDeployment } from '../../../workers/model/deployment.ts'
import { channelId } from '../../../workers/model/ids.ts'

const [FIRST, SECOND] = [channelId(0, 0, 0), channelId(0, 1, 0)]

/** Of what the two channels brought, when it is due. */
function task(): { readonly effects: TaskEffects; arrive(channel: number, sentAt: number): number | undefined } {
  const received: DueInput[] = []
  const port = (): MessagePort => ({ onmessage: null, postMessage: () => undefined }) as unknown as MessagePort
  const ports: TaskPorts = { inputs: [port(), port()], outputs: [], storage: port(), outside: port(), observer: port() }
  const host = { now: () => 0, receive: (inputs: readonly DueInput[]) => received.push(...inputs) } as unknown as TaskEffectsHost
  // Only what the effects read of it.
  const deployment = { attempt: 'a', gates: [{ channels: [{ id: FIRST, delayMicros: 300 }, { id: SECOND }] }], settings: { linkLatencyMicros: 20 } } as unknown as TaskDeployment
  const effects = new TaskEffects(deployment, ports, [], host)
  return {
    effects,
    arrive: (channel, sentAt) => {
      const message = { kind: 'event', sentAt } as unknown as OnChannel[number]
      ports.inputs[channel]?.onmessage?.({ data: [message] } as unknown as MessageEvent<OnChannel>)
      return received.at(-1)?.due
    },
  }
}

it('a channel is as late as the deployment says, and others are not', () => {
  const { arrive } = task()
  expect([arrive(0, 100), arrive(1, 100)]).toEqual([420, 120])
})

it('a command changes those that it names, and leaves the others as they are', () => {
  const { effects, arrive } = task()
  effects.delayChannels({ [SECOND]: 500 })
  expect([arrive(0, 100), arrive(1, 100)]).toEqual([420, 620])
  effects.delayChannels({ [FIRST]: 0, [channelId(7, 0, 0)]: 900 })
  expect([arrive(0, 1000), arrive(1, 1000)]).toEqual([1020, 1520])
})
