import { applyTheme, shownTheme, useView } from '../stores/view-store.ts'
import { Button } from '../widgets/controls.tsx'

/** Light and dark; a third press gives the choice back to the system. */
export function ThemeButton() {
  const theme = useView((state) => state.theme)
  const set = useView((state) => state.set)
  const turn = (): void => {
    const next = theme === 'system' ? (shownTheme('system') === 'dark' ? 'light' : 'dark') : 'system'
    applyTheme(next)
    set({ theme: next })
  }
  return <Button kind="ghost" icon="theme" label={theme === 'system' ? 'Theme: as the system has it' : `Theme: ${theme}`} onClick={turn} />
}
