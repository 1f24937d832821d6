/** Savepoints that the engine here writes on the simulator, laid on the disk as Flink finds them. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { must } from '../../workers/base/assert.ts'
import { Simulator } from '../../workers/hosts/simulator/simulator.ts'
import type { SavepointFormat } from '../../workers/model/checkpoint.ts'
import type { JobDocument } from '../../workers/model/job-document.ts'

const SECOND = 1_000_000
const ROWS = 600
const KEYS = ['a', 'hello', 'grüße-✓-😀', '', 'user-1', 'x'.repeat(200)]

/** Every operator with state that there is, and every type of key. */
export function everyOperator(maxParallelism: number): JobDocument {
  const keyed = (uid: string, by: readonly string[]): Pick<JobDocument, 'operators' | 'edges'> => ({
    operators: [
      { uid, type: 'process-count', parallelism: 2 },
      { uid: `${uid}-out`, type: 'print' },
    ],
    edges: [
      { from: 'rows', to: uid, ship: 'hash', by },
      { from: uid, to: `${uid}-out` },
    ],
  })
  const counts = [keyed('by-string', ['name']), keyed('by-int', ['number']), keyed('by-long', ['big']), keyed('by-boolean', ['even']), keyed('by-tuple', ['name', 'even', 'number'])]
  return {
    weir: 'job@1',
    name: 'every operator with state',
    config: { 'execution.checkpointing.interval': '1 h', 'pipeline.max-parallelism': maxParallelism },
    topics: [
      { name: 'rows', partitions: 3, schema: { fields: { name: 'String', number: 'Int', big: 'Long', part: 'Double', even: 'Boolean' } }, rows: rows() },
      { name: 'labels', partitions: 1, schema: { fields: { name: 'String', label: 'String', weight: 'Double', ok: 'Boolean' } }, rows: KEYS.map((key, i) => [key, `label ${i}`, i / 4, i % 2 === 0]) },
    ],
    operators: [
      { uid: 'rows', type: 'log', parallelism: 2, params: { topic: 'rows', rate: 100 } },
      { uid: 'labels', type: 'log', params: { topic: 'labels' } },
      { uid: 'pairs', type: 'generator', parallelism: 2, params: { rows: 'pair', keys: 20, rate: 50, count: 10_000 } },
      { uid: 'figures', type: 'aggregate', parallelism: 2, params: { aggregates: [{ fn: 'count', as: 'n' }, { fn: 'sum', field: 'big', as: 'sum' }, { fn: 'mean', field: 'part', as: 'mean' }, { fn: 'min', field: 'number', as: 'least' }] } },
      { uid: 'sums', type: 'aggregate', parallelism: 2, params: { aggregates: [{ fn: 'sum', field: 'value', as: 'sum' }] } },
      { uid: 'join', type: 'connect', parallelism: 2 },
      { uid: 'committed', type: 'two-phase-commit', parallelism: 2 },
      ...['figures', 'sums'].map((uid) => ({ uid: `${uid}-out`, type: 'print' })),
      ...counts.flatMap((part) => part.operators),
    ],
    edges: [
      { from: 'rows', to: 'figures', ship: 'hash', by: ['name'] },
      { from: 'pairs', to: 'sums', ship: 'hash', by: ['key'] },
      { from: 'rows', to: 'join', input: 1, ship: 'hash', by: ['name'] },
      { from: 'labels', to: 'join', input: 2, ship: 'hash', by: ['name'] },
      { from: 'join', to: 'committed', ship: 'rebalance' },
      { from: 'figures', to: 'figures-out' },
      { from: 'sums', to: 'sums-out' },
      ...counts.flatMap((part) => part.edges),
    ],
  }
}

function rows(): (string | number | boolean)[][] {
  return Array.from({ length: ROWS }, (_, i) => [KEYS[i % KEYS.length] as string, (i % 9) - 4, ((i % 7) - 3) * 1_000_000_007, (i % 16) / 8 - 1, i % 2 === 0])
}

export function start(document: JobDocument, seed: number): Simulator {
  const topics = (document.topics ?? []).map(({ name, partitions, rows: all = [] }) => ({
    name,
    partitions: Array.from({ length: partitions }, (_, partition) => all.filter((_, index) => index % partitions === partition).map((row) => [...(row as readonly (string | number | boolean)[])])),
  }))
  return new Simulator({ document, seed, topics })
}

/** Its path on the simulator. */
export function takeSavepoint(simulator: Simulator, format: SavepointFormat): string {
  simulator.triggerSavepoint('/savepoints', format)
  return completed(simulator)
}

export function completed(simulator: Simulator): string {
  const event = must(simulator.runUntilEvent(({ body }) => body.type === 'CheckpointCompleted', simulator.now + 600 * SECOND), 'the completion of a snapshot')
  return event.body.type === 'CheckpointCompleted' ? event.body.externalPath : ''
}

/** Copies a directory of the simulator's file system; handles in it are relative. */
export function layOnDisk(simulator: Simulator, path: string, folder: string): void {
  for (const entry of simulator.files(`${path}/`)) writeFile(join(folder, entry.path.slice(path.length + 1)), bytesAt(simulator, entry.path))
}

function bytesAt(simulator: Simulator, path: string): Uint8Array {
  const result = simulator.cluster.storage.files.execute({ type: 'read', path }, null)
  return must(result.ok ? result.bytes : null, path)
}

export function writeFile(path: string, bytes: Uint8Array): void {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, bytes)
}
