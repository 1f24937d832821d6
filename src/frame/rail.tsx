/** The rail: the run, build mode, and the options over it. */
import { useView } from '../stores/view-store.ts'
import type { ViewName } from '../stores/view-store.ts'
import { Icon } from '../widgets/icon.tsx'
import type { IconName } from '../widgets/icon.tsx'

const ENTRIES: readonly { readonly view: ViewName; readonly title: string; readonly icon: IconName }[] = [
  { view: 'job', title: 'Run', icon: 'job' },
  { view: 'build', title: 'Build', icon: 'build' },
]

export function Rail() {
  const view = useView((state) => state.view)
  const set = useView((state) => state.set)
  return (
    <nav className="rail" aria-label="Modes">
      {ENTRIES.map((entry) => (
        <button key={entry.view} type="button" aria-pressed={entry.view === 'build' ? view === 'build' : view !== 'build'} onClick={() => set({ view: entry.view })}>
          <Icon name={entry.icon} size={16} />
          <span>{entry.title}</span>
        </button>
      ))}
      <button type="button" aria-haspopup="dialog" onClick={() => set({ view: 'build', firstMinute: false, optionsOpen: true })}>
        <Icon name="options" size={16} />
        <span>Options</span>
      </button>
    </nav>
  )
}
