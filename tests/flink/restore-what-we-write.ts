/** Savepoints written here, in every version that a target needs, are restored by real Flink on both state backends at other parallelisms. */
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { exportSavepoint, TARGET_VERSIONS } from '../../workers/savepoint/export-savepoint.ts'
import { runPlan } from '../../workers/savepoint/read-plan.ts'
import type { ExportTarget } from '../../workers/model/snapshot-desk.ts'
import { readSlice, sizesBelow } from '../../scripts/samples/open-directory.ts'
import { check } from './checks.ts'
import { entriesOf } from './entries.ts'
import { openSnapshotAt } from './open-snapshot-at.ts'
import { everyOperator, layOnDisk, start, takeSavepoint, writeFile } from './our-savepoints.ts'
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
    const path = join(folder, `canonical-${maxParallelism}`)
    layOnDisk(simulator, takeSavepoint(simulator, 'CANONICAL'), path)
    toRestore.push({ name: `our canonical savepoint, max parallelism ${maxParallelism}`, path })
    const native = join(folder, `native-${maxParallelism}`)
    layOnDisk(simulator, takeSavepoint(simulator, 'NATIVE'), native)
    toRestore.push({ name: `our native savepoint, max parallelism ${maxParallelism}`, path: native, backend: 'hashmap' })
    check(`our job of max parallelism ${maxParallelism}: its savepoints are the effect of what the sources have read`, simulator.watch.first === null ? [] : [JSON.stringify(simulator.watch.first)])
  }
  const [first] = toRestore
  if (first !== undefined) toRestore.push(...Object.keys(TARGET_VERSIONS).map((target) => exported(first, target as ExportTarget, folder)))
  checkRestores(flink, toRestore)
}

/** What is in it stays as it was. */
function exported(of: ToRestore, target: ExportTarget, folder: string): ToRestore {
  const directory = { name: '', path: of.path, sizes: sizesBelow(of.path) }
  const { savepoint, view } = openSnapshotAt(of.path)
  const result = runPlan(exportSavepoint(savepoint, directory.sizes, target), (slice) => readSlice(directory, slice))
  const path = join(folder, `for-${target.replaceAll(' ', '-')}`)
  writeFile(join(path, '_metadata'), result.metadata)
  for (const file of result.files) {
    writeFile(join(path, file.name), Buffer.concat(file.parts.map((part) => (part instanceof Uint8Array ? part : readSlice(directory, part)))))
  }
  return { name: `${of.name}, exported for Flink ${target}`, path, entries: entriesOf(view), operatorsOf: of.path }
}
