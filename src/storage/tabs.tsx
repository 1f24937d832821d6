/** Tabs as in the Checkpoints view: arrows walk them. */
interface Tab<T extends string> {
  readonly id: T
  readonly title: string
  readonly note?: string
}

interface TabsProps<T extends string> {
  readonly label: string
  /** Of the ids: `name-tab-id` and `name-panel-id`. */
  readonly name: string
  readonly tabs: readonly Tab<T>[]
  readonly tab: T
  readonly onTab: (tab: T) => void
}

export function Tabs<T extends string>({ label, name, tabs, tab, onTab }: TabsProps<T>) {
  const walk = (event: React.KeyboardEvent): void => {
    const step = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0
    if (step === 0) return
    event.preventDefault()
    event.stopPropagation()
    const at = tabs.findIndex((one) => one.id === tab)
    const next = tabs[(at + step + tabs.length) % tabs.length]
    if (next === undefined) return
    onTab(next.id)
    document.getElementById(`${name}-tab-${next.id}`)?.focus()
  }
  return (
    <div className="panel-tabs" role="tablist" aria-label={label} tabIndex={-1} onKeyDown={walk}>
      {tabs.map((one) => (
        <button key={one.id} type="button" role="tab" id={`${name}-tab-${one.id}`} aria-controls={`${name}-panel-${one.id}`} aria-selected={one.id === tab} tabIndex={one.id === tab ? 0 : -1} onClick={() => onTab(one.id)}>
          {one.title}
          {one.note !== undefined && <small>{one.note}</small>}
        </button>
      ))}
    </div>
  )
}
