/** Which uid is this hash of? Those of the job at hand are tried at once, others when they are typed. */
import { useEffect, useState } from 'react'
import { useCluster } from '../stores/cluster-context.ts'
import { useJob } from '../stores/job-store.ts'
import { Button } from '../widgets/controls.tsx'
import { Icon } from '../widgets/icon.tsx'
import { reasonOf } from './desk-types.ts'

type Tried = { readonly uid: string | null; readonly among: number } | { readonly problem: string } | null

export function UidBox({ operatorId }: { readonly operatorId: string }) {
  const cluster = useCluster()
  const job = useJob((state) => state.history?.present ?? null)
  const [text, setText] = useState('')
  const [tried, setTried] = useState<Tried>(null)
  const own = job?.operators.map(({ uid }) => uid).join('\n') ?? ''
  useEffect(() => {
    let stale = false
    const candidates = own.split('\n').filter((uid) => uid !== '')
    if (candidates.length > 0) {
      cluster.desk.uidOf(operatorId, candidates).then(
        (uid) => {
          if (!stale && uid !== null) setTried({ uid, among: candidates.length })
        },
        () => undefined,
      )
    }
    return () => {
      stale = true
    }
  }, [cluster, operatorId, own])
  const attempt = (): void => {
    const candidates = text.split(/[\s,]+/).filter((uid) => uid !== '')
    if (candidates.length === 0) return
    cluster.desk.uidOf(operatorId, candidates).then(
      (uid) => setTried({ uid, among: candidates.length }),
      (error: unknown) => setTried({ problem: reasonOf(error) }),
    )
  }
  return (
    <form
      className="uid-box"
      onSubmit={(event) => {
        event.preventDefault()
        attempt()
      }}
    >
      <label>
        Which uid is this the hash of?
        <input className="mono" value={text} spellCheck={false} placeholder="uids, by space or comma" onChange={(event) => setText(event.target.value)} />
      </label>
      <Button disabled={text.trim() === ''} onClick={attempt}>
        Try
      </Button>
      <span role="status">
        {tried === null ? '' : 'problem' in tried ? tried.problem : tried.uid === null ? `None of these ${tried.among}.` : null}
        {tried !== null && 'uid' in tried && tried.uid !== null && (
          <>
            <Icon name="check" /> It is the hash of <b className="mono">{tried.uid}</b>.
          </>
        )}
      </span>
    </form>
  )
}
