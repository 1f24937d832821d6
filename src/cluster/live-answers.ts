/** What a scenario asks of files and snapshots of the live cluster, fetched before it is judged. */
import { compileJob } from '../../workers/model/compile-job.ts'
import type { JobDocument } from '../../workers/model/job-document.ts'
import { nextDocument } from '../../workers/model/next-document.ts'
import type { SavepointRestoreSettings } from '../../workers/model/restore.ts'
import type { RestoreVerdict } from '../../workers/model/restore-verdict.ts'
import type { Expectation, ScenarioStart } from '../../workers/model/scenario-document.ts'
import type { Cluster } from './cluster-types.ts'
import { DeadlineExceeded } from './deadline.ts'

export type LiveVerdict = Omit<RestoreVerdict, 'refusedAt'>

export interface LiveAnswers {
  /** By the name that the expectation says. */
  readonly files: ReadonlyMap<string, { readonly files: number; readonly bytes: number }>
  /** By the expectation's own start. */
  readonly verdicts: ReadonlyMap<ScenarioStart, LiveVerdict>
}

export const NO_ANSWERS: LiveAnswers = { files: new Map(), verdicts: new Map() }

/** What the steps have named. */
export interface Places {
  /** A path, or the path of a name. */
  pathOf(name: string): string
  restoreOf(start: ScenarioStart): Promise<SavepointRestoreSettings | null>
}

type Asked = Pick<Cluster, 'files' | 'desk'>

/** `document` is that of the job that ran last. */
export async function liveAnswers(expectations: readonly Expectation[], cluster: Asked, document: JobDocument, places: Places): Promise<LiveAnswers> {
  const files = new Map<string, { readonly files: number; readonly bytes: number }>()
  const verdicts = new Map<ScenarioStart, LiveVerdict>()
  for (const expectation of expectations) {
    if ('files' in expectation) {
      const { below } = expectation.files
      const found = await cluster.files(`${places.pathOf(below).replace(/\/$/, '')}/`)
      files.set(below, { files: found.length, bytes: found.reduce((sum, { size }) => sum + size, 0) })
    } else if ('verdict' in expectation) verdicts.set(expectation.verdict, await verdictOn(expectation.verdict, cluster, document, places))
  }
  return { files, verdicts }
}

/** As on the simulator, a snapshot or document that cannot be started from is a refusal. Rejects where nobody answers. */
async function verdictOn(start: ScenarioStart, cluster: Asked, before: JobDocument, places: Places): Promise<LiveVerdict> {
  const document = nextDocument(before, start)
  const { graph, problems } = compileJob(document)
  if (graph === null) return refused(problems[0]?.message ?? 'the job does not compile')
  try {
    const restore = await places.restoreOf(start)
    if (restore === null) return { accepted: true, refusal: null, operators: [], notes: [] }
    const { path, ...settings } = restore
    return await cluster.desk.verdict({ kind: 'stored', path }, document, settings)
  } catch (error) {
    if (error instanceof DeadlineExceeded) throw error
    return refused(error instanceof Error ? error.message : String(error))
  }
}

const refused = (refusal: string): LiveVerdict => ({ accepted: false, refusal, operators: [], notes: [] })
