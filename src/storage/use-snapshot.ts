/** Reads a snapshot, tells how far it is, and lets go of it when nobody waits any more. */
import { useCallback, useEffect, useState } from 'react'
import { useCluster } from '../stores/cluster-context.ts'
import type { SnapshotSource } from './desk-types.ts'
import { reasonOf } from './desk-types.ts'
import { nextReading } from './reading.ts'
import type { Reading } from './reading.ts'

interface Known {
  readonly source: SnapshotSource
  /** Counts up with each time that it is read again. */
  readonly round: number
  readonly reading: Reading
}

const BEGUN: Reading = { is: 'reading', share: 0 }

export function useSnapshot(source: SnapshotSource): { readonly reading: Reading; readonly cancel: () => void; readonly again: () => void } {
  const cluster = useCluster()
  const [known, setKnown] = useState<Known | null>(null)
  const [round, setRound] = useState(0)
  const tell = useCallback(
    (told: Reading): void => setKnown((before) => ({ source, round, reading: nextReading(before?.source === source && before.round === round ? before.reading : BEGUN, told) })),
    [source, round],
  )
  useEffect(() => {
    let stale = false
    const hear = (told: Reading): void => {
      if (!stale) tell(told)
    }
    cluster.desk
      .open(source, (share) => hear({ is: 'reading', share }))
      .then(
        (view) => hear({ is: 'read', view }),
        (error: unknown) => hear({ is: 'refused', reason: reasonOf(error) }),
      )
    return () => {
      stale = true
    }
  }, [cluster, source, tell])
  const isCurrent = known?.source === source && known.round === round
  return { reading: isCurrent ? known.reading : BEGUN, cancel: () => tell({ is: 'cancelled' }), again: () => setRound(round + 1) }
}
