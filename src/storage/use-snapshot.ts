/** Reads a snapshot, tells how far it is, and lets go of it when nobody waits any more. */
import { useCallback, useEffect, useState } from 'react'
import type { SnapshotView } from '../../workers/model/snapshot-view.ts'
import { useCluster } from '../stores/cluster-context.ts'
import type { SnapshotSource } from './desk-types.ts'
import { reasonOf } from './desk-types.ts'

export type Reading =
  | { readonly is: 'reading'; readonly share: number }
  | { readonly is: 'read'; readonly view: SnapshotView }
  | { readonly is: 'refused'; readonly reason: string }
  | { readonly is: 'cancelled' }

interface Known {
  readonly round: number
  readonly source: SnapshotSource
  readonly reading: Reading
}

/** `again` reads it once more. */
export function useSnapshot(source: SnapshotSource): { readonly reading: Reading; readonly cancel: () => void; readonly again: () => void } {
  const cluster = useCluster()
  const [known, setKnown] = useState<Known | null>(null)
  const [round, setRound] = useState(0)
  useEffect(() => {
    let stale = false
    const tell = (reading: Reading): void => {
      if (stale) return
      // Cancelled is cancelled: what comes later is not shown.
      setKnown((before) => (before?.source === source && before.round === round && before.reading.is === 'cancelled' ? before : { source, round, reading }))
    }
    cluster.desk
      .open(source, (share) => tell({ is: 'reading', share }))
      .then(
        (view) => tell({ is: 'read', view }),
        (error: unknown) => tell({ is: 'refused', reason: reasonOf(error) }),
      )
    return () => {
      stale = true
    }
  }, [cluster, source, round])
  const cancel = useCallback(() => setKnown({ source, round, reading: { is: 'cancelled' } }), [source, round])
  return { reading: known?.source === source && known.round === round ? known.reading : { is: 'reading', share: 0 }, cancel, again: () => setRound(round + 1) }
}
