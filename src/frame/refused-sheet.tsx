/** A file or a link that is no job: what is wrong and where. Nothing was taken over. */
import { useEffect, useRef } from 'react'
import { useView } from '../stores/view-store.ts'
import { Button } from '../widgets/controls.tsx'
import { Icon } from '../widgets/icon.tsx'

export function RefusedSheet() {
  const { refused, set } = useView()
  const sheet = useRef<HTMLDialogElement>(null)
  useEffect(() => {
    if (refused !== null) sheet.current?.showModal()
    else sheet.current?.close()
  }, [refused])
  return (
    <dialog ref={sheet} className="sheet refused" aria-label="Not opened" onClose={() => set({ refused: null })}>
      <header>
        <h2>{refused?.title}</h2>
        <Button kind="ghost" icon="close" label="Close" onClick={() => set({ refused: null })} />
      </header>
      <ul>
        {refused?.faults.map((fault) => (
          <li key={`${fault.place} ${fault.message}`}>
            <Icon name="failed" />
            <span>
              <b>{fault.message}</b> {fault.cure}
              <code>{fault.place}</code>
            </span>
          </li>
        ))}
      </ul>
      <p className="t2">Nothing was taken over: what you had is as it was.</p>
    </dialog>
  )
}
