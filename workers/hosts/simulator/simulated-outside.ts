/** The outside worker of the simulated world: hosts `OutsideWorld`, which survives every kill of the cluster. */
import type { EventBody } from '../../model/events.ts'
import type { OutsideReply } from '../../model/outside.ts'
import type { EngineTime } from '../../model/time.ts'
import type { OutsideFault, OutsideOut } from '../../outside/outside-io.ts'
import type { OutsideWorld } from '../../outside/outside-world.ts'
import type { OutsideCall, TaskEnvelope } from './envelopes.ts'
import type { Line } from './line.ts'
import type { Receiver, World } from './world.ts'

type OutsideMessage = OutsideCall | { readonly type: 'timer'; readonly timer: string; readonly generation: number }

export class SimulatedOutside implements Receiver<OutsideMessage>, OutsideOut {
  readonly machine: OutsideWorld
  private readonly world: World
  /** Where the answer to the request in hand goes. */
  private answering: Line<TaskEnvelope> | null = null
  private readonly timers = new Map<string, number>()
  private generation = 0

  constructor(world: World, machine: OutsideWorld) {
    this.world = world
    this.machine = machine
    machine.handle({ type: 'start' }, world.now, this)
  }

  receive(message: OutsideMessage): void {
    if (message.type === 'call') {
      this.answering = message.answer
      this.machine.handle({ type: 'request', from: '', request: message.request }, this.world.now, this)
      this.answering = null
      return
    }
    if (this.timers.get(message.timer) !== message.generation) return
    this.timers.delete(message.timer)
    this.machine.handle({ type: 'timer', timer: message.timer }, this.world.now, this)
  }

  inject(fault: OutsideFault): void {
    this.machine.handle({ type: 'fault', fault }, this.world.now, this)
  }

  reply(_to: string, reply: OutsideReply): void {
    this.answering?.send({ type: 'input', input: { type: 'outside-reply', reply } })
  }

  setTimer(timer: string, at: EngineTime): void {
    this.generation++
    this.timers.set(timer, this.generation)
    this.world.schedule<OutsideMessage>(at, this, { type: 'timer', timer, generation: this.generation })
  }

  clearTimer(timer: string): void {
    this.timers.delete(timer)
  }

  event(body: EventBody): void {
    this.world.log('outside', body)
  }

  /** The simulated outside world never dies. */
  persist(): void {}
}
