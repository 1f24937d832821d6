/** Uids of the job at hand that an operator's id is the hash of: before Flink 2.0 a snapshot holds the hash alone. */
import { useEffect, useState } from 'react'
import type { SnapshotView } from '../../workers/model/snapshot-view.ts'
import { useCluster } from '../stores/cluster-context.ts'
import { useJob } from '../stores/job-store.ts'

/** By operator id; found ones only. */
export type KnownUids = ReadonlyMap<string, string>

const NONE: KnownUids = new Map()
const OPERATORS_MAX = 500

export function useUids(view: SnapshotView): KnownUids {
  const cluster = useCluster()
  const job = useJob((state) => state.history?.present ?? null)
  const own = job?.operators.map(({ uid }) => uid).join('\n') ?? ''
  const [known, setKnown] = useState<{ readonly view: SnapshotView; readonly uids: KnownUids } | null>(null)
  useEffect(() => {
    let stale = false
    const candidates = own.split('\n').filter((uid) => uid !== '')
    const nameless = view.operators.filter((operator) => operator.uid === '').slice(0, OPERATORS_MAX)
    if (candidates.length === 0 || nameless.length === 0) return undefined
    const found = Promise.all(nameless.map(async ({ operatorId }) => [operatorId, await cluster.desk.uidOf(operatorId, candidates)] as const))
    found.then(
      (pairs) => {
        if (!stale) setKnown({ view, uids: new Map(pairs.flatMap(([id, uid]) => (uid === null ? [] : [[id, uid] as const]))) })
      },
      () => undefined,
    )
    return () => {
      stale = true
    }
  }, [cluster, view, own])
  return known?.view === view ? known.uids : NONE
}
