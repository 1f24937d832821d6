/** Savepoints written here, in every version that a target needs, are restored by real Flink on both state backends at other parallelisms. */
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import type { ExportTarget } from '../../workers/model/snapshot-desk.ts'
import { decodeLogEnumerator, logSplitName } from '../../workers/operators/sources/split-codec.ts'
import { check, difference } from './checks.ts'
import { entriesOf } from './entries.ts'
import { exportFor, readableBy, TARGETS } from './export-for.ts'
import { openSnapshotAt } from './open-snapshot-at.ts'
import { everyOperator, layOnDisk, start, takeSavepoint } from './our-savepoints.ts'
import { operatorSpecs } from './real-flink.ts'
import type { RealFlink } from './real-flink.ts'
import { checkRestores } from './restore-by-flink.ts'
import type { ToRestore } from './restore-by-flink.ts'

const SECOND = 1_000_000
/** One and two bytes of key group in the keys of canonical files. */
const MAX_PARALLELISMS = [128, 300] as const

export function restoreWhatWeWrite(flink: RealFlink): void {
  const folder = flink.folder('ours')
  rmSync(folder, { recursive: true })
  const toRestore: ToRestore[] = []
  for (const maxParallelism of MAX_PARALLELISMS) {
    const simulator = start(everyOperator(maxParallelism), maxParallelism)
    simulator.runTo(2 * SECOND)
    for (const format of ['CANONICAL', 'NATIVE'] as const) {
      const path = join(folder, `${format}-${maxParallelism}`)
      layOnDisk(simulator, takeSavepoint(simulator, format), path)
      const backend = format === 'NATIVE' ? { backend: 'hashmap' as const } : {}
      toRestore.push({ name: `our ${format.toLowerCase()} savepoint, max parallelism ${maxParallelism}`, path: readableBy(flink.target, path), ...backend })
    }
    check(`our job of max parallelism ${maxParallelism}: its savepoints are the effect of what the sources have read`, simulator.watch.first === null ? [] : [JSON.stringify(simulator.watch.first)])
  }
  const [first] = toRestore
  if (first !== undefined) toRestore.push(...TARGETS.slice(0, TARGETS.indexOf(flink.target)).map((target) => exported(first, target)))
  checkRestores(flink, toRestore)
  checkKafkaOffsets(flink, toRestore)
  if (first !== undefined) checkRefusal(flink, first)
}

/** The comparison is worth something: Flink looks at the types, and refuses state of another. */
function checkRefusal(flink: RealFlink, { name, path }: ToRestore): void {
  const operators = operatorSpecs(openSnapshotAt(path).view).map((operator) => ({
    ...operator,
    states: operator.states.map((state) => (operator.uid === 'by-string' && state.name === 'count' ? { ...state, valueType: 'String' } : state)),
  }))
  const [answer] = flink.restore([{ name, snapshot: path, backend: 'hashmap', parallelism: 1, operators }])
  check(`${name}: a String instead of a Long is refused by Flink`, answer?.failure?.includes('must not be incompatible') === true ? [] : [answer?.failure ?? 'it was restored'])
}

/** What is in it stays as it was. */
const exported = (of: ToRestore, target: ExportTarget): ToRestore => ({
  name: `${of.name}, exported for Flink ${target}`,
  path: exportFor(target, of.path),
  entries: entriesOf(openSnapshotAt(of.path).view),
  operatorsOf: of.path,
})

/** Log sources keep their offsets as the Kafka connector does. What the connector reads is what the reader here says. */
function checkKafkaOffsets(flink: RealFlink, snapshots: readonly ToRestore[]): void {
  const sources = snapshots.flatMap(({ name, path }) => {
    const { savepoint, view } = openSnapshotAt(path)
    return ['rows', 'labels'].flatMap((uid) => view.operators.filter((operator) => operator.uid === uid).map((operator) => ({ name: `${name}, source ${uid}`, operator, coordinator: savepoint.operators.find(({ operatorId }) => operatorId === operator.operatorId)?.coordinator?.bytes ?? new Uint8Array(0) })))
  })
  const requests = sources.map(({ name, operator, coordinator }) => ({
    name,
    splits: operator.states.flatMap((state) => state.sample.flatMap(({ value }) => (value !== null && typeof value === 'object' && value.kind === 'bytes' ? [value.hex] : []))),
    coordinator: Buffer.from(coordinator).toString('hex'),
  }))
  const answers = flink.offsets(requests)
  sources.forEach(({ name, operator, coordinator }, i) => {
    const { splits, enumerator, failure } = answers[i] ?? {}
    const positions = operator.offsets.map(({ split, position }) => `${split} from ${String(position)}`)
    const assigned = decodeLogEnumerator(coordinator).map((one) => `${one.assigned ? 'assigned' : 'unassigned'} ${logSplitName(one.split)} from ${one.split.offset}`)
    const whose = ['the reader', 'the Kafka connector'] as const
    const problems = splits === undefined || enumerator === undefined ? [failure ?? 'no answer'] : [...difference(positions, splits, whose), ...difference(['discovered true', ...assigned], enumerator, whose)]
    check(`${name}: ${positions.length} offsets as the Kafka connector reads them`, positions.length === 0 ? ['no offsets'] : problems)
  })
}
