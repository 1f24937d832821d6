/** Acknowledgements that carry all state, as tasks send them with JobManager storage. */
import { must } from '../../../workers/base/assert.ts'
import { operatorId } from '../../../workers/model/ids.ts'
import type { JobDocument } from '../../../workers/model/job-document.ts'
import type { TaskStateSnapshot } from '../../../workers/model/state-handles.ts'
import { testJob } from './harness.ts'
import type { Cluster } from './harness.ts'

/** The job of the harness without a directory. */
export function memoryJob(config: JobDocument['config'] = {}): JobDocument {
  const { 'execution.checkpointing.dir': _, ...rest } = testJob().config ?? {}
  return { ...testJob(), config: { ...rest, ...config } }
}

/** Every task acknowledges with one stream of so many bytes. */
export function snapshotMemory(cluster: Cluster, id: number, size: number): void {
  for (const { attempt, vertex, state } of cluster.machine.executions) if (state === 'RUNNING') cluster.ack(attempt, id, inMemory(vertex, size))
}

/** The id of a checkpoint that has been taken so. */
export function ackInMemory(cluster: Cluster, size: number): number {
  cluster.trigger()
  const id = must(cluster.all('CheckpointTriggered').at(-1), 'a triggered checkpoint').checkpointId
  snapshotMemory(cluster, id, size)
  return id
}

function inMemory(vertex: string, size: number): TaskStateSnapshot {
  const stream = { kind: 'bytes' as const, name: 'state', bytes: new Uint8Array(size).fill(1) }
  const managedOperator = { states: [{ name: 's', mode: 'SPLIT_DISTRIBUTE' as const, offsets: [0] }], stream }
  return { operators: [{ operatorId: operatorId(vertex), state: { managedOperator, managedKeyed: null } }] }
}
