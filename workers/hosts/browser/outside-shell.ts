/**
 * The outside worker: the outside world with its journal, a port for every task that uses it. Built-in data sets are fetched here, so that their
 * rows never pass through the page.
 */
import { expose } from 'comlink'
import type { TopicContent } from '../../model/outside.ts'
import type { OutsideInput } from '../../outside/outside-io.ts'
import { DurableOutsideWorld, type DurableOutsideOut } from '../../storage/durable-outside-world.ts'
import { EventPort } from './event-port.ts'
import { loadTopics } from './load-topics.ts'
import type { Fence, OutsideAnswer, OutsideCall, ToOutside, WorkerNotice } from './messages.ts'
import { PacedClock } from './paced-clock.ts'
import type { OutsideSurface } from './requests.ts'
import { Timers } from './timers.ts'
import { WakeUp } from './wake-up.ts'

/** An outside reader gets at most so many rows of each kind in one answer: the newest. */
const VIEW_ROWS_MAX = 200_000

type Start = Extract<ToOutside, { readonly type: 'start' }>

interface Running {
  readonly clock: PacedClock
  readonly timers: Timers
  readonly wakeUp: WakeUp
  readonly events: EventPort
  readonly world: Promise<DurableOutsideWorld>
}

export class OutsideShell {
  private readonly post: (message: WorkerNotice) => void
  private readonly databaseName: string
  private readonly askers = new Map<string, MessagePort>()
  private nextAsker = 1
  private topics: readonly TopicContent[] = []
  private running: Running | null = null

  constructor(post: (message: WorkerNotice) => void, databaseName: string) {
    this.post = post
    this.databaseName = databaseName
  }

  onMessage(message: ToOutside): void {
    switch (message.type) {
      case 'start':
        this.start(message)
        break
      case 'open':
        this.open(message.port, message.fence)
        break
      case 'pace':
        this.running?.clock.apply(message.schedule)
        this.post({ type: 'pace-applied', epoch: message.schedule.epoch })
        this.running?.wakeUp.soon()
        break
      case 'ping':
        this.post({ type: 'alive', ping: message.ping })
        break
    }
  }

  private start({ schedule, observer, surface }: Start): void {
    const clock = new PacedClock(schedule)
    const timers = new Timers()
    const events = new EventPort(observer, 'outside')
    const wakeUp = new WakeUp(clock, () => void this.turn())
    const out: DurableOutsideOut = {
      reply: (to, reply: OutsideAnswer) => this.askers.get(to)?.postMessage(reply),
      setTimer: (timer, at) => {
        timers.set(timer, at)
        wakeUp.soon()
      },
      clearTimer: (timer) => timers.clear(timer),
      event: (body) => {
        events.event(body, clock.now())
        events.flush(clock.now())
      },
      // Whoever asks for a change hears of it too: the answer says UNAVAILABLE, and why.
      storageFailed: (failure) => this.post({ type: 'store-failed', message: failure === null ? null : failure.message }),
    }
    this.running = { clock, timers, wakeUp, events, world: this.openWorld(out) }
    expose(this.surface(this.running), surface)
    void this.handle({ type: 'start' })
  }

  private async openWorld(out: DurableOutsideOut): Promise<DurableOutsideWorld> {
    const opened = await DurableOutsideWorld.open(this.databaseName, [], out)
    if (!opened.ok) throw new Error(`the outside world cannot be opened: ${opened.error.message}`)
    return opened.value
  }

  private open(port: MessagePort, fence: Fence): void {
    const asker = String(this.nextAsker++)
    this.askers.set(asker, port)
    port.addEventListener('close', () => this.askers.delete(asker))
    port.onmessage = (event: MessageEvent<OutsideCall>) => {
      const { requestId, op } = event.data
      void this.handle({ type: 'request', from: asker, request: { requestId, job: fence.job, token: fence.token, op } })
    }
  }

  private async handle(input: OutsideInput): Promise<void> {
    const running = this.running
    if (running === null) return
    const world = await running.world
    world.handle(input, running.clock.now())
  }

  private async turn(): Promise<void> {
    const running = this.running
    if (running === null || running.clock.isPaused) return
    if (running.timers.nextDue > running.clock.now()) {
      running.wakeUp.at(running.timers.nextDue)
      return
    }
    const timer = running.timers.pop()
    if (timer !== undefined) await this.handle({ type: 'timer', timer: timer.timer })
    running.wakeUp.soon()
  }

  private surface({ world }: Running): OutsideSurface {
    return {
      loadTopics: async (topics, base) => {
        this.topics = await loadTopics(topics, base)
        for (const topic of this.topics) await this.handle({ type: 'load-topic', topic })
      },
      topics: () => this.topics,
      resetSinks: () => this.handle({ type: 'reset' }),
      sink: async (sink, limit) => (await world).view(sink, Math.min(limit, VIEW_ROWS_MAX)),
      outage: (durationMicros) => this.handle({ type: 'fault', fault: { kind: 'unavailable', durationMicros } }),
    }
  }
}
