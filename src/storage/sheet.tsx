/** A question over the page: the only place with a shadow. */
import { useEffect, useRef } from 'react'
import type { ReactNode } from 'react'
import { Button } from '../widgets/controls.tsx'

export function Sheet({ title, children, onClose }: { readonly title: string; readonly children: ReactNode; readonly onClose: () => void }) {
  const sheet = useRef<HTMLDialogElement>(null)
  useEffect(() => {
    const before = document.activeElement
    sheet.current?.showModal()
    sheet.current?.querySelector<HTMLElement>('input, footer button')?.focus()
    // It leaves the page as a whole: nobody else gives the focus back.
    return () => {
      if (before instanceof HTMLElement && before.isConnected) before.focus()
    }
  }, [])
  return (
    <dialog ref={sheet} className="sheet storage-sheet" aria-label={title} onClose={onClose}>
      <header>
        <h2>{title}</h2>
        <Button kind="ghost" icon="close" label="Close" onClick={onClose} />
      </header>
      {children}
    </dialog>
  )
}
