/** Which uid is this hash of? Those of the job at hand were tried already, others are tried when they are typed. */
import { useState } from 'react'
import { useCluster } from '../stores/cluster-context.ts'
import { Button } from '../widgets/controls.tsx'
import { Icon } from '../widgets/icon.tsx'
import { reasonOf } from './desk-types.ts'

type Tried = { readonly uid: string | null; readonly among: number } | { readonly problem: string }

interface UidBoxProps {
  readonly operatorId: string
  /** Of the job at hand, if one of its uids is it. */
  readonly known: string | null
}

export function UidBox({ operatorId, known }: UidBoxProps) {
  const cluster = useCluster()
  const [text, setText] = useState('')
  const [tried, setTried] = useState<Tried | null>(null)
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
        <Outcome tried={tried} known={known} />
      </span>
    </form>
  )
}

function Outcome({ tried, known }: { readonly tried: Tried | null; readonly known: string | null }) {
  if (tried !== null && 'problem' in tried) return tried.problem
  const uid = tried?.uid ?? known
  if (uid !== null) {
    return (
      <>
        <Icon name="check" /> It is the hash of <b className="mono">{uid}</b>
        {tried?.uid == null && ', a uid of the job at hand'}.
      </>
    )
  }
  return tried === null ? 'None of the uids of the job at hand is it.' : `None of these ${tried.among}.`
}
