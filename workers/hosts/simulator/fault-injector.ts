/** Carries out faults: at once, at a virtual time, or right after the n-th event of a kind, when it hits the middle of things. */
import { matchesPattern } from '../../invariants/event-pattern.ts'
import type { EngineEvent, EventType } from '../../model/events.ts'
import type { EventPattern, Fault } from '../../model/scenario-document.ts'
import { bytesPerSecondOf, durationMicros } from '../../model/scenario-parser.ts'
import type { EngineTime } from '../../model/time.ts'
import type { Cluster } from './cluster.ts'
import type { EventObserver, Receiver, World } from './world.ts'

export interface PlannedFault {
  readonly fault: Fault
  readonly when: { readonly at: EngineTime } | { readonly event: EventType; readonly count: number }
}

const NO_UIDS = { vertexOf: () => null, operatorIdOf: () => '' }

interface Armed {
  readonly fault: Fault
  /** Without a uid. */
  readonly pattern: EventPattern
  left: number
}

export class FaultInjector implements Receiver<Fault>, EventObserver {
  /** How many have hit something. */
  injected = 0
  private readonly world: World
  private readonly cluster: Cluster
  private armed: Armed[] = []
  private healed = false

  constructor(world: World, cluster: Cluster, plan: readonly PlannedFault[]) {
    this.world = world
    this.cluster = cluster
    for (const { fault, when } of plan) {
      if ('at' in when) world.schedule<Fault>(when.at, this, fault)
      else this.arm(fault, { type: when.event, count: when.count })
    }
  }

  /** It comes right behind the n-th event from now on that the pattern means. */
  arm(fault: Fault, pattern: EventPattern): void {
    this.armed.push({ fault, pattern, left: pattern.count ?? 1 })
  }

  observe(event: EngineEvent): void {
    for (const armed of this.armed) {
      if (!matchesPattern(event, armed.pattern, NO_UIDS)) continue
      armed.left--
      if (armed.left === 0) this.world.schedule<Fault>(this.world.now, this, armed.fault)
    }
  }

  receive(fault: Fault): void {
    if (!this.healed) this.inject(fault)
  }

  /** No fault of the plan happens any more, and what was broken works again. The dead stay dead: the cluster replaces them. */
  heal(): void {
    this.healed = true
    this.armed = []
    this.cluster.storage.heal()
    this.cluster.outside.inject({ kind: 'available' })
  }

  /** False: there is nothing (alive) that it could hit. */
  inject(fault: Fault): boolean {
    const target = this.target(fault)
    if (target === null) return false
    this.injected++
    if (fault.kind !== 'outside-outage') this.world.log('cluster', { type: 'FaultInjected', fault: fault.kind, target })
    this.carryOut(fault)
    return true
  }

  private target(fault: Fault): string | null {
    const { cluster } = this
    switch (fault.kind) {
      case 'kill-subtask':
        return this.task(fault)?.deployment.attempt ?? null
      case 'kill-task-manager':
        return cluster.taskManagers[fault.index]?.id ?? null
      case 'kill-job-manager':
      case 'lose-leadership':
        return cluster.leader === null ? null : 'jobmanager'
      case 'delay-acks':
      case 'lose-completion-notice':
        return `checkpoint ${fault.checkpoint}`
      case 'slow-channel':
      case 'limit-channel':
        return cluster.leader !== null && cluster.channelsBetween(fault.from, fault.to).length > 0 ? `${fault.from} to ${fault.to}` : null
      case 'set-skew':
        return cluster.leader !== null && this.isGenerator(fault.uid) ? fault.uid : null
      case 'set-cost':
        return cluster.leader !== null && this.has(fault.uid) ? fault.uid : null
      case 'outside-outage':
        return 'outside'
      default:
        return 'storage'
    }
  }

  private carryOut(fault: Fault): void {
    const { cluster } = this
    switch (fault.kind) {
      case 'kill-subtask': {
        const task = this.task(fault)
        if (task !== null) cluster.killTask(task)
        return
      }
      case 'kill-task-manager': {
        const taskManager = cluster.taskManagers[fault.index]
        if (taskManager !== undefined) cluster.killTaskManager(taskManager)
        return
      }
      case 'kill-job-manager':
        return cluster.killJobManager()
      case 'lose-leadership':
        return cluster.loseLeadership(durationMicros(fault.for))
      case 'delay-acks':
        cluster.ackDelays.push({ checkpointId: fault.checkpoint, uid: fault.uid ?? null, micros: durationMicros(fault.for) })
        return
      case 'lose-completion-notice':
        cluster.lostNotices.push({ checkpointId: fault.checkpoint, uid: fault.uid ?? null })
        return
      case 'slow-channel': {
        const micros = durationMicros(fault.by)
        const channels = cluster.channelsBetween(fault.from, fault.to)
        cluster.tellLeader({ type: 'change-settings', change: { delays: Object.fromEntries(channels.map((id) => [id, micros])) } })
        return
      }
      case 'limit-channel': {
        const bytesPerSecond = bytesPerSecondOf(fault.rate)
        const channels = cluster.channelsBetween(fault.from, fault.to)
        cluster.tellLeader({ type: 'change-settings', change: { rates: Object.fromEntries(channels.map((id) => [id, bytesPerSecond])) } })
        return
      }
      case 'set-skew':
        cluster.tellLeader({ type: 'change-settings', change: { skews: { [fault.uid]: fault.skew } } })
        return
      case 'set-cost':
        cluster.tellLeader({ type: 'change-settings', change: { costs: { [fault.uid]: durationMicros(fault.cost) } } })
        return
      case 'fail-storage':
        return cluster.storage.failWrites(fault.reason, fault.count ?? 1)
      case 'lose-storage-reply':
        return cluster.storage.loseNextReply(fault.applied)
      case 'stall-storage':
        return cluster.storage.stall(durationMicros(fault.for))
      case 'outside-outage':
        return cluster.outside.inject({ kind: 'unavailable', durationMicros: durationMicros(fault.for) })
    }
  }

  private isGenerator(uid: string): boolean {
    const chains = [...this.cluster.tasks.values()].filter((task) => task.alive).flatMap((task) => task.deployment.chain)
    return chains.some((operator) => operator.uid === uid && operator.type === 'generator')
  }

  private has(uid: string): boolean {
    return [...this.cluster.tasks.values()].some((task) => task.alive && task.deployment.chain.some((operator) => operator.uid === uid))
  }

  private task(fault: Extract<Fault, { kind: 'kill-subtask' }>) {
    for (const task of this.cluster.tasks.values()) {
      if (!task.alive || task.deployment.subtask !== fault.subtask) continue
      if (task.deployment.chain.some((operator) => operator.uid === fault.uid)) return task
    }
    return null
  }
}
