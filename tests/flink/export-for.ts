/** Snapshots of the engine, exported for the Flink that is to read them. */
import { join } from 'node:path'
import { readSlice, sizesBelow } from '../../scripts/samples/open-directory.ts'
import type { ExportTarget } from '../../workers/model/snapshot-desk.ts'
import { exportSavepoint, TARGET_VERSIONS } from '../../workers/savepoint/export-savepoint.ts'
import { runPlan } from '../../workers/savepoint/read-plan.ts'
import { openSnapshotAt } from './open-snapshot-at.ts'
import { writeFile } from './our-savepoints.ts'

/** Oldest first: a Flink reads what is for an older one. */
export const TARGETS = Object.keys(TARGET_VERSIONS) as readonly ExportTarget[]
const NEWEST: ExportTarget = '2.1 and later'

/** What the engine writes is for the newest; a copy for an older one. */
export const readableBy = (target: ExportTarget, path: string): string => (target === NEWEST ? path : exportFor(target, path))

/** Writes it beside the original; its path. */
export function exportFor(target: ExportTarget, from: string): string {
  const directory = { name: '', path: from, sizes: sizesBelow(from) }
  const result = runPlan(exportSavepoint(openSnapshotAt(from).savepoint, directory.sizes, target), (slice) => readSlice(directory, slice))
  const to = `${from}-for-${target.replaceAll(' ', '-')}`
  writeFile(join(to, '_metadata'), result.metadata)
  for (const file of result.files) {
    writeFile(join(to, file.name), Buffer.concat(file.parts.map((part) => (part instanceof Uint8Array ? part : readSlice(directory, part)))))
  }
  return to
}
