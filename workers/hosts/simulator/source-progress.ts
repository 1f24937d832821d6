/** How far the sources of a simulated job have read. */
import type { SourceOffsets } from '../../invariants/exactly-once.ts'
import type { Simulator } from './simulator.ts'

/** By source uid: the next offset of each partition, as the tasks report it. A source whose tasks have all finished has read everything. */
export function readOffsets(simulator: Simulator): SourceOffsets {
  const offsets = new Map<string, Map<number, number>>()
  for (const operator of simulator.document.operators) {
    if (operator.type !== 'log' && operator.type !== 'generator') continue
    offsets.set(operator.uid, isFinished(simulator, operator.uid) ? ends(simulator, operator.uid) : new Map())
  }
  for (const task of simulator.tasks()) {
    if (!task.deployment.chain.some((operator) => offsets.has(operator.uid))) continue
    for (const { uid, splits } of task.machine.report(simulator.now).operators) {
      for (const { partition, offset } of splits ?? []) offsets.get(uid)?.set(partition, offset)
    }
  }
  return offsets
}

/** Every partition of every topic has been read to its end; bounded generators have finished. */
export function sourcesAtEnd(simulator: Simulator): boolean {
  for (const [uid, read] of readOffsets(simulator)) {
    if (isFinished(simulator, uid)) continue
    const expected = ends(simulator, uid)
    if (expected.size === 0) return false
    for (const [partition, end] of expected) if (read.get(partition) !== end) return false
  }
  return true
}

function ends(simulator: Simulator, uid: string): Map<number, number> {
  const operator = simulator.document.operators.find((candidate) => candidate.uid === uid)
  const topic = simulator.topics.find((candidate) => candidate.name === operator?.params?.['topic'])
  if (topic !== undefined) return new Map(topic.partitions.map((rows, partition) => [partition, rows.length] as const))
  return generatorEnds(operator?.params ?? {}, operator?.parallelism ?? 1)
}

function generatorEnds(_params: Readonly<Record<string, unknown>>, _parallelism: number): Map<number, number> {
  return new Map()
}

function isFinished(simulator: Simulator, uid: string): boolean {
  const vertex = simulator.graph.vertices.find((candidate) => candidate.chain.some((operator) => operator.uid === uid))
  const executions = simulator.cluster.leader?.machine.executions.filter((execution) => execution.vertex === vertex?.id) ?? []
  return executions.length > 0 && executions.every((execution) => execution.state === 'FINISHED')
}
