import type { KeyboardEvent } from 'react'

/** Arrows walk, Esc and Tab leave. Keys of the page are not meant while the menu is open. */
export function walkMenu(event: KeyboardEvent<HTMLElement>, onClose: () => void): void {
  event.stopPropagation()
  const items = [...event.currentTarget.querySelectorAll<HTMLElement>('[role="menuitem"]:not(:disabled)')]
  const at = items.indexOf(document.activeElement as HTMLElement)
  const next = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: items.length - 1 }[event.key]
  if (next !== undefined) items.at(next % items.length)?.focus()
  else if (event.key === 'Escape' || event.key === 'Tab') onClose()
  else return
  event.preventDefault()
}
