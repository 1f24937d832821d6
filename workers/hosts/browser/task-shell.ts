/**
 * Puts one StreamTask into a worker: ports to inputs, the clock to timers, effects to ports. It decides when the task may work, and
 * nothing else. Flink: the mailbox thread of a task, seen from outside.
 *
 * Time here: a task whose operators cost engine time is driven along its own due times, so that a worker that was woken late still
 * produces honest durations; it may stay behind the clock by `LAG_MAX_WALL_MS` before it catches up, and says that it lags. A task without costs
 * lives at the clock's time: its durations are measured.
 */
import type { TaskCommand } from '../../model/control.ts'
import type { TaskDeployment } from '../../model/deployment.ts'
import type { TaskReport } from '../../model/report.ts'
import type { EngineTime } from '../../model/time.ts'
import { StreamTask } from '../../task/stream-task.ts'
import type { StreamTaskEnvironment } from '../../task/task-environment.ts'
import type { TaskInput } from '../../task/task-io.ts'
import { HeadStart } from './head-start.ts'
import type { FromTask, QueryState, ToTask } from './messages.ts'
import { PacedClock } from './paced-clock.ts'
import { TaskEffects } from './task-effects.ts'
import type { DueInput } from './task-effects.ts'
import { TraceGate } from './trace-gate.ts'
import { WakeUp } from './wake-up.ts'

/** A turn ends after so long, so that messages come in. */
const TURN_MS = 1
const RUN_BUDGET = 2000
const BACKGROUND_BUDGET = 2000
const LAG_MAX_WALL_MS = 250
const LAG_REPORT_WALL_MS = 80
const LAG_PATIENCE_WALL_MS = 400
const REPORT_EVERY_MS = 100
/** How often a task that has nothing to do looks for requests that nobody answered, and reports: its gauges move on all the same. */
const LOOK_EVERY_MS = 1000

type Deploy = Extract<ToTask, { readonly type: 'deploy' }>

interface Running {
  readonly task: StreamTask
  readonly clock: PacedClock
  readonly effects: TaskEffects
  readonly gate: TraceGate
  readonly wakeUp: WakeUp
  /** Of a source. */
  readonly headStart: HeadStart | null
  /** Some operator costs engine time. */
  modelled: boolean
}

export class TaskShell {
  private readonly post: (message: FromTask) => void
  private readonly environment: StreamTaskEnvironment
  private running: Running | null = null
  private local: EngineTime = 0
  private dirty = false
  private reportTimer: ReturnType<typeof setTimeout> | null = null
  /** Wall time since which the task has been behind without a break; null: it keeps up. */
  private laggingSince: number | null = null

  constructor(post: (message: FromTask) => void, environment: StreamTaskEnvironment) {
    this.post = post
    this.environment = environment
  }

  onMessage(message: ToTask): void {
    switch (message.type) {
      case 'deploy':
        this.deploy(message)
        break
      case 'command':
        this.noteCosts(message.command)
        this.arrive({ type: 'command', command: message.command })
        if (this.running?.clock.isPaused === true) this.handlePaused()
        break
      case 'pace':
        this.running?.clock.apply(message.schedule)
        this.post({ type: 'pace-applied', epoch: message.schedule.epoch })
        this.running?.wakeUp.soon()
        break
      case 'query-state':
        this.answer(message)
        break
      case 'ping':
        this.post({ type: 'alive', ping: message.ping })
        break
    }
  }

  private deploy({ task: { deployment, ports }, schedule, copies }: Deploy): void {
    const clock = new PacedClock(schedule)
    this.local = clock.now()
    performance.mark(threadName(deployment))
    const task = new StreamTask(deployment, this.environment)
    const effects = new TaskEffects(deployment, ports, copies, {
      now: () => this.local,
      arriveAt: (due, input) => this.arrive(input, due),
      receive: (inputs) => this.receive(inputs),
      toTaskManager: (message) => this.post({ type: 'task-message', message }),
      keepCopies: (writes) => this.post({ type: 'keep-copies', writes }),
    })
    this.running = {
      task,
      clock,
      effects,
      gate: new TraceGate(
        {
          passed: () => passedBy(task.report(this.local)),
          setTraced: (traced) => task.handle({ type: 'command', command: { type: 'set-traced', traced } }, this.local, effects),
        },
        effects,
        deployment.traced,
      ),
      wakeUp: new WakeUp(clock, () => this.turn()),
      headStart: deployment.gates.length === 0 ? new HeadStart(task, ports.outputs.length, () => this.running?.wakeUp.soon()) : null,
      modelled: deployment.chain.some((operator) => operator.costMicros > 0),
    }
    setInterval(() => this.lookUp(), LOOK_EVERY_MS)
    this.arrive({ type: 'start' })
  }

  private lookUp(): void {
    this.dirty = true
    this.running?.wakeUp.soon()
  }

  /** A task that is made to cost time lives along its own due times from then on. */
  private noteCosts(command: TaskCommand): void {
    if (this.running === null || command.type !== 'change-settings') return
    if (Object.values(command.change.costs ?? {}).some((micros) => micros > 0)) this.running.modelled = true
  }

  /** Puts an input on the agenda, at the modelled time of its arrival or now, whichever is later. */
  private arrive(input: TaskInput, due = 0): void {
    const running = this.running
    if (running === null) return
    running.effects.agenda.add(Math.max(due, running.clock.now()), input)
    running.wakeUp.soon()
  }

  /** Worked on at once, unless a turn is on its way: then more may have come by its time. */
  private receive(inputs: readonly DueInput[]): void {
    const running = this.running
    if (running === null) return
    for (const { due, input } of inputs) running.effects.agenda.add(due, input)
    if (!running.wakeUp.isSoon) this.turn()
  }

  private turn(): void {
    const running = this.running
    if (running === null) return
    if (running.clock.isPaused) {
      running.effects.flush(null)
      return
    }
    running.effects.refillTrace()
    running.gate.update()
    const more = this.work(running)
    const background = running.task.background(BACKGROUND_BUDGET, this.local, running.effects)
    this.flush(running)
    this.scheduleReport()
    if (more || background) running.wakeUp.soon()
    else running.wakeUp.at(running.effects.nextDue)
  }

  /** The worker of a task that has ended is dropped at any moment: its last figures leave with its last events. */
  private flush(running: Running): void {
    const { task, effects } = running
    const isLast = this.dirty && task.waiting(this.local).kind === 'ended'
    if (isLast) {
      this.dirty = false
      running.gate.settle()
    }
    effects.flush(isLast ? task.report(this.local) : null)
  }

  /** True: there is more to do at once. */
  private work(running: Running): boolean {
    const { task, effects, clock } = running
    const turnEnds = performance.now() + TURN_MS
    effects.expireRequests()
    for (;;) {
      const now = clock.now()
      this.local = Math.max(this.local, running.modelled ? now - this.allowedLag(clock) : now)
      if (effects.nextDue <= this.local) this.handleNext(running)
      else if (this.isReady(running)) {
        task.run(RUN_BUDGET, this.local, effects)
        effects.dispatch()
        running.gate.update()
        this.dirty = true
      } else if (effects.nextDue <= now) {
        this.local = effects.nextDue
        this.handleNext(running)
      } else {
        // Nothing to do before the clock goes on: what was waited for was not work.
        this.laggingSince = null
        return false
      }
      if (performance.now() >= turnEnds) {
        // Without costs nothing has to keep up: its durations are measured.
        if (running.modelled) this.reportLag(clock)
        return true
      }
    }
  }

  private isReady({ task, headStart, modelled }: Running): boolean {
    if (headStart !== null) task.holdBack(!modelled && headStart.isTaken(), this.local)
    return task.waiting(this.local).kind === 'ready'
  }

  private handleNext(running: Running): void {
    const input = running.effects.nextInput()
    if (input === undefined) return
    this.handle(running, input)
    this.dirty = true
  }

  private handle({ task, effects, gate }: Running, input: TaskInput): void {
    task.handle(input, this.local, effects)
    effects.dispatch()
    if (input.type !== 'command') return
    if (input.command.type === 'set-traced') gate.told(input.command.traced)
    else if (input.command.type === 'change-settings') effects.delayChannels(input.command.change.delays ?? {})
  }

  /** Paused: control passes, data and timers do not (DESIGN 8, 2). */
  private handlePaused(): void {
    const running = this.running
    if (running === null) return
    for (const input of running.effects.takeCommands()) this.handle(running, input)
    running.effects.flush(running.task.report(this.local))
  }

  private allowedLag(clock: PacedClock): EngineTime {
    return Math.ceil(LAG_MAX_WALL_MS * clock.pace * 1000)
  }

  /** A hiccup is caught up with; only lagging that lasts is a pace that is too high. */
  private reportLag(clock: PacedClock): void {
    const behind = (clock.now() - this.local) / (clock.pace * 1000)
    const wall = performance.now()
    if (behind < LAG_REPORT_WALL_MS) this.laggingSince = null
    else if (this.laggingSince === null) this.laggingSince = wall
    else if (wall - this.laggingSince > LAG_PATIENCE_WALL_MS) {
      this.laggingSince = wall
      this.post({ type: 'lagging', wallMillis: behind })
    }
  }

  private scheduleReport(): void {
    if (!this.dirty || this.reportTimer !== null) return
    this.reportTimer = setTimeout(() => {
      this.reportTimer = null
      this.dirty = false
      const running = this.running
      if (running !== null) running.effects.flush(running.task.report(this.local))
    }, REPORT_EVERY_MS)
  }

  private answer({ query, uid }: QueryState): void {
    this.post({ type: 'state-answer', query, rows: this.running?.task.keyedEntries(uid) ?? null })
  }
}

/** As Flink names a task's thread; a profile of the browser shows whose worker it is. */
const threadName = ({ name, subtask, parallelism, attemptNumber }: TaskDeployment): string => `${name} (${subtask + 1}/${parallelism})#${attemptNumber}`

const passedBy = ({ recordsIn, recordsOut }: TaskReport): number => recordsIn + recordsOut
