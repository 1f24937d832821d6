/** Asks the engine what would come of starting a job from a snapshot, wherever the snapshot lies. */
import { compileJob } from '../../../model/compile-job.ts'
import type { JobDocument } from '../../../model/job-document.ts'
import type { SavepointRestoreSettings } from '../../../model/restore.ts'
import type { RestoreVerdict } from '../../../model/restore-verdict.ts'
import { restoreVerdict } from '../../../jobmaster/restore-verdict.ts'
import type { DeskFiles } from './desk-files.ts'
import { drivePlan } from './drive-plan.ts'
import { whole, type SnapshotDirectory } from './snapshot-source.ts'

/** Rejects for a document with mistakes, with their places. Files that lie elsewhere are looked for in storage, as a restore would. */
export async function askVerdict(directory: SnapshotDirectory, document: JobDocument, settings: Omit<SavepointRestoreSettings, 'path'>, files: DeskFiles): Promise<RestoreVerdict> {
  const { graph, problems } = compileJob(document)
  if (graph === null) {
    throw new Error(['the job has mistakes, so that it cannot be started from anything:', ...problems.map(({ path, message, cure }) => `${path}: ${message} ${cure}`)].join('\n'))
  }
  const { savepoint, location } = whole(directory)
  const below = `${location}/`
  const verdict = await drivePlan(restoreVerdict({ savepoint, location, graph, settings }), {
    read: ({ name, offset, length }) =>
      name.startsWith(below) ? directory.read({ name: name.slice(below.length), offset, length }) : files.readPart(name, offset, length),
  })
  const warnings = problems.map(({ message, cure }) => `${message} ${cure}`)
  return { ...verdict, notes: [...verdict.notes, ...warnings] }
}
