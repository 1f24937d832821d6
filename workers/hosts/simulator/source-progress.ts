/** How far the sources of a simulated job have read. */
import type { SourceOffsets } from '../../invariants/exactly-once.ts'
import type { Simulator } from './simulator.ts'

/** By source uid: the next offset of each partition, as the tasks report it. */
export function readOffsets(simulator: Simulator): SourceOffsets {
  const stopped = offsetsOfStop(simulator)
  if (stopped !== null) return stopped
  const offsets = new Map<string, Map<number, number> | 'all'>()
  for (const { uid, type } of simulator.document.operators) {
    if (type === 'log' || type === 'generator') offsets.set(uid, isFinished(simulator, uid) ? 'all' : new Map<number, number>())
  }
  for (const task of simulator.tasks()) {
    if (!task.deployment.chain.some((operator) => offsets.has(operator.uid))) continue
    for (const { uid, splits } of task.machine.report(simulator.now).operators) {
      const own = offsets.get(uid)
      if (own === undefined || own === 'all') continue
      for (const { partition, offset } of splits ?? []) own.set(partition, offset)
    }
  }
  return offsets
}

/** Null: the job was not stopped with a savepoint. Else what its sources had read, as they noted it for the savepoint. */
function offsetsOfStop({ events, graph }: Simulator): SourceOffsets | null {
  const own = events.slice(events.findLastIndex(({ body }) => body.type === 'JobSubmitted') + 1)
  const completed = own.findLast(({ body }) => body.type === 'CheckpointCompleted' && body.stops === true)?.body
  if (completed?.type !== 'CheckpointCompleted' || !own.some(({ body }) => body.type === 'JobStoppedWithSavepoint')) return null
  const offsets = new Map<string, Map<number, number>>()
  for (const { body } of own) {
    if (body.type !== 'SyncSnapshotEnded' || body.checkpointId !== completed.checkpointId) continue
    for (const part of body.parts) {
      const uid = graph.vertices.flatMap((vertex) => vertex.chain).find(({ operatorId }) => operatorId === part.operator)?.uid
      if (uid === undefined || part.kind !== 'offsets') continue
      const own = offsets.get(uid) ?? new Map<number, number>()
      for (const { split, offset } of part.offsets ?? []) own.set(Number(split.slice(split.lastIndexOf('-') + 1)), offset)
      offsets.set(uid, own)
    }
  }
  return offsets
}

/** Every partition of every topic has been read to its end; generators have finished. */
export function sourcesAtEnd(simulator: Simulator): boolean {
  for (const [uid, read] of readOffsets(simulator)) {
    if (read === 'all') continue
    const operator = simulator.document.operators.find((candidate) => candidate.uid === uid)
    const topic = simulator.topics.find((candidate) => candidate.name === operator?.params?.['topic'])
    if (topic === undefined || topic.partitions.some((rows, partition) => read.get(partition) !== rows.length)) return false
  }
  return true
}

function isFinished(simulator: Simulator, uid: string): boolean {
  const vertex = simulator.graph.vertices.find((candidate) => candidate.chain.some((operator) => operator.uid === uid))
  const last = simulator.events.findLast(({ body }) => body.type === 'JobStatusChanged')?.body
  if (last?.type === 'JobStatusChanged' && last.to === 'FINISHED') return true
  const executions = simulator.cluster.leader?.machine.executions.filter((execution) => execution.vertex === vertex?.id) ?? []
  return executions.length > 0 && executions.every((execution) => execution.state === 'FINISHED')
}
