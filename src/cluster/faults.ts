/** Breaking things on purpose, by the same documents that scenarios and the simulator use. */
import type { ChannelId } from '../../workers/model/ids.ts'
import type { Fault } from '../../workers/model/scenario-document.ts'
import type { JobVertex, Problem } from '../../workers/model/job-graph.ts'
import { inputChannels } from '../../workers/projections/channel-view.ts'
import { bytesPerSecondOf, checkFault, durationMicros } from '../../workers/model/scenario-parser.ts'
import type { JobManagerView } from '../../workers/hosts/browser/requests.ts'
import type { ClockOwner } from './clock-owner.ts'
import type { Cluster } from './cluster-types.ts'
import { withDeadline } from './deadline.ts'
import { describeProblems } from './describe-problems.ts'
import type { ClusterServices } from './services.ts'

export interface FaultTargets {
  readonly cluster: Cluster
  readonly clock: ClockOwner
  readonly services: ClusterServices
  view(): Promise<JobManagerView>
}

/** Resolves when it is broken, not when the cluster has noticed. Rejects for what is no fault and for a target that is not there. */
export async function injectFault(fault: Fault, targets: FaultTargets): Promise<void> {
  const problems: Problem[] = []
  checkFault(fault, '', problems)
  if (problems.length > 0) throw new Error(describeProblems('not a fault', problems))
  const { cluster, clock, services } = targets
  switch (fault.kind) {
    case 'kill-subtask': {
      const view = await targets.view()
      const vertex = knownVertex(view, fault.uid)
      const execution = view.executions.find((candidate) => candidate.vertex === vertex.id && candidate.subtask === fault.subtask)
      if (execution === undefined) {
        throw new Error(`/subtask: there is no subtask ${fault.subtask} of the operator "${fault.uid}"; it has 0 to ${vertex.parallelism - 1}`)
      }
      return cluster.killSubtask(execution.attempt)
    }
    case 'kill-task-manager': {
      const { taskManagers } = cluster.status
      const target = taskManagers[fault.index]
      if (target === undefined) throw new Error(`/index: there is no TaskManager number ${fault.index}; there are ${taskManagers.length}, counted from 0`)
      return cluster.killTaskManager(target.id)
    }
    case 'kill-job-manager':
      return cluster.killJobManager()
    case 'fail-storage':
      await withDeadline(services.storageSurface.fault({ kind: fault.kind, reason: fault.reason, count: fault.count ?? 1 }), fault.kind)
      break
    case 'lose-storage-reply':
      await withDeadline(services.storageSurface.fault(fault), fault.kind)
      break
    case 'stall-storage': {
      const over = clock.now() + durationMicros(fault.for)
      await withDeadline(services.storageSurface.fault({ kind: 'stall-storage', on: true }), fault.kind)
      clock.whenShows(over, () => void services.storageSurface.fault({ kind: 'stall-storage', on: false }))
      break
    }
    case 'slow-channel': {
      const micros = durationMicros(fault.by)
      const channels = channelsBetween(await targets.view(), fault)
      await cluster.changeSettings({ delays: Object.fromEntries(channels.map((channel) => [channel, micros])) })
      services.event({ type: 'FaultInjected', fault: fault.kind, target: `${fault.from} to ${fault.to}` }, clock.now())
      return
    }
    case 'limit-channel': {
      const rate = bytesPerSecondOf(fault.rate)
      const channels = channelsBetween(await targets.view(), fault)
      await cluster.changeSettings({ rates: Object.fromEntries(channels.map((channel) => [channel, rate])) })
      services.event({ type: 'FaultInjected', fault: fault.kind, target: `${fault.from} to ${fault.to}` }, clock.now())
      return
    }
    case 'set-cost': {
      knownVertex(await targets.view(), fault.uid)
      await cluster.changeSettings({ costs: { [fault.uid]: durationMicros(fault.cost) } })
      services.event({ type: 'FaultInjected', fault: fault.kind, target: fault.uid }, clock.now())
      return
    }
    case 'set-skew': {
      const operator = knownVertex(await targets.view(), fault.uid).chain.find(({ uid }) => uid === fault.uid)
      if (operator?.type !== 'generator') throw new Error(`/uid: "${fault.uid}" is no generator: only a generator can be told how to draw its keys`)
      await cluster.changeSettings({ skews: { [fault.uid]: fault.skew } })
      services.event({ type: 'FaultInjected', fault: fault.kind, target: fault.uid }, clock.now())
      return
    }
    case 'delay-acks':
    case 'lose-completion-notice':
    case 'lose-leadership':
      throw new Error(`${fault.kind} happens on the simulator only`)
    case 'outside-outage':
      await withDeadline(services.outsideSurface.outage(durationMicros(fault.for)), fault.kind)
      break
  }
  if (fault.kind !== 'outside-outage') services.event({ type: 'FaultInjected', fault: fault.kind, target: 'storage' }, clock.now())
}

const vertexOf = ({ graph }: JobManagerView, uid: string): JobVertex | undefined => graph?.vertices.find(({ chain }) => chain.some((operator) => operator.uid === uid))

function knownVertex(view: JobManagerView, uid: string): JobVertex {
  const vertex = vertexOf(view, uid)
  if (vertex !== undefined) return vertex
  const uids = view.graph?.vertices.flatMap(({ chain }) => chain.map((operator) => operator.uid)) ?? []
  throw new Error(`/uid: there is no operator with the uid "${uid}"; there are: ${uids.join(', ')}`)
}

function channelsBetween(view: JobManagerView, { from, to }: { readonly from: string; readonly to: string }): readonly ChannelId[] {
  const { graph } = view
  const [sender, receiver] = [vertexOf(view, from), vertexOf(view, to)]
  const edges = new Set(graph?.edges.filter((edge) => edge.from === sender?.id && edge.to === receiver?.id).map(({ index }) => index))
  if (graph === null || receiver === undefined || edges.size === 0) throw new Error(`no channel leads from "${from}" to "${to}"`)
  const channels = Array.from({ length: receiver.parallelism }, (_, subtask) => inputChannels(graph, receiver.id, subtask)).flat()
  return channels.filter((channel) => edges.has(Number(channel.split(':')[0])))
}
