/** What every menu behind a button does: focus on its first entry, closed by a click elsewhere, by the focus that leaves, and by `close`. */
import { useEffect, useRef, useState } from 'react'
import type { FocusEvent, RefObject } from 'react'

interface MenuState {
  readonly open: boolean
  readonly setOpen: (open: boolean) => void
  /** Holds the button and the menu. */
  readonly box: RefObject<HTMLSpanElement | null>
  /** Gives the focus back to the button (`aria-haspopup`). */
  readonly close: () => void
  readonly onBlur: (event: FocusEvent<HTMLElement>) => void
}

export function useMenu(): MenuState {
  const [open, setOpen] = useState(false)
  const box = useRef<HTMLSpanElement>(null)
  useEffect(() => {
    if (!open) return undefined
    box.current?.querySelector<HTMLElement>('[role="menuitem"]:not(:disabled)')?.focus()
    const outside = (event: PointerEvent): void => {
      if (!box.current?.contains(event.target as Node)) setOpen(false)
    }
    addEventListener('pointerdown', outside, true)
    return () => removeEventListener('pointerdown', outside, true)
  }, [open])
  return {
    open,
    setOpen,
    box,
    close: () => {
      setOpen(false)
      box.current?.querySelector<HTMLElement>('[aria-haspopup="menu"]')?.focus()
    },
    onBlur: (event) => {
      if (event.relatedTarget !== null && !event.currentTarget.contains(event.relatedTarget)) setOpen(false)
    },
  }
}
