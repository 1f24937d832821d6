import type { ExportTarget } from '../../../workers/model/snapshot-desk.ts'

/** Each with the version of `_metadata` that it reads (DESIGN 8, 17). */
export const EXPORT_TARGETS: readonly (readonly [ExportTarget, 3 | 4 | 5 | 6])[] = [
  ['1.11 to 1.15', 3],
  ['1.16 to 1.20', 4],
  ['2.0', 5],
  ['2.1 and later', 6],
]
