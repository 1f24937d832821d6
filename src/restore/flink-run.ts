/** The same start on a cluster: `flink run`. Pure. */
import type { SavepointRestoreSettings } from '../../workers/model/restore.ts'

/** `path` as the cluster would have it; the jar is the reader's own. Flink: CliFrontendParser. */
export function flinkRun({ path, allowNonRestoredState, claimMode }: SavepointRestoreSettings): string {
  const flags = [`--fromSavepoint ${quoted(path)}`, `--claimMode ${claimMode}`, ...(allowNonRestoredState ? ['--allowNonRestoredState'] : [])]
  return `flink run ${flags.join(' ')} job.jar`
}

/** For a shell, where it has anything but plain characters. */
const quoted = (path: string): string => (/^[\w./:=-]+$/.test(path) ? path : `'${path.replaceAll("'", `'\\''`)}'`)
