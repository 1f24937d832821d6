/** Asks the engine what would happen, again whenever the job or the settings change; the answer to an older question is dropped. */
import { useEffect, useState } from 'react'
import type { JobDocument } from '../../workers/model/job-document.ts'
import type { SavepointRestoreSettings } from '../../workers/model/restore.ts'
import type { RestoreVerdict } from '../../workers/model/restore-verdict.ts'
import { useCluster } from '../stores/cluster-context.ts'
import { reasonOf, type SnapshotSource } from '../storage/desk-types.ts'

export type Judgement = { readonly is: 'asking' } | { readonly is: 'told'; readonly verdict: RestoreVerdict } | { readonly is: 'refused'; readonly reason: string }

export function useVerdict(source: SnapshotSource, document: JobDocument, { allowNonRestoredState, claimMode }: Omit<SavepointRestoreSettings, 'path'>): Judgement {
  const cluster = useCluster()
  const [judgement, setJudgement] = useState<Judgement>({ is: 'asking' })
  useEffect(() => {
    let stale = false
    const tell = (one: Judgement): void => {
      if (!stale) setJudgement(one)
    }
    cluster.desk.verdict(source, document, { allowNonRestoredState, claimMode }).then(
      (verdict) => tell({ is: 'told', verdict }),
      (error: unknown) => tell({ is: 'refused', reason: reasonOf(error) }),
    )
    return () => {
      stale = true
    }
  }, [cluster, source, document, allowNonRestoredState, claimMode])
  return judgement
}
