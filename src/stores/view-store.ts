/** How the run is looked at: nothing here changes the run. */
import { create } from 'zustand'
import type { CheckpointId, TaskManagerId, VertexId } from '../../workers/model/ids.ts'
import type { Refusal } from '../editor/read-job.ts'

export type ThemeChoice = 'system' | 'light' | 'dark'
export type ViewName = 'job' | 'checkpoints' | 'storage' | 'outputs' | 'list' | 'compare' | 'build'

export type Selection =
  | { readonly kind: 'subtask'; readonly vertex: VertexId; readonly subtask: number }
  | { readonly kind: 'task-manager'; readonly id: TaskManagerId }
  | { readonly kind: 'job-manager' }

interface ViewState {
  readonly theme: ThemeChoice
  readonly view: ViewName
  /** The first minute: one sentence, one button. Over after the first kill or a click on a view. */
  readonly firstMinute: boolean
  readonly selection: Selection | null
  readonly frozen: boolean
  readonly marking: boolean
  readonly narrationLevel: 1 | 2 | 3
  readonly pinned: CheckpointId | null
  readonly helpOpen: boolean
  /** The form of options over build mode. */
  readonly optionsOpen: boolean
  /** The side panel as a drawer, where there is no room beside the stage. */
  readonly sideOpen: boolean
  /** A file or a link that could not be opened, and why. */
  readonly refused: { readonly title: string; readonly faults: readonly Refusal[] } | null
  /** Something that was asked for and did not come about. */
  readonly said: string | null
  /** The document in build mode came by link and has not been started yet. */
  readonly cameByLink: boolean
  /** The reader's own wish, over what the system asks for. */
  readonly motion: 'system' | 'reduced' | 'full'
  /** A fault that waits for its target: the next click on the picture takes it. */
  readonly armed: 'kill-subtask' | 'kill-task-manager' | null
  readonly endCardDismissed: number | null
  /** The snapshot that the restore sheet is about; null: it is closed. */
  readonly restoreFrom: string | null
  /** Where the job was stopped with a savepoint, until that has been taken note of. */
  readonly stoppedAt: string | null
  /** Opens the restore sheet. */
  openRestore(path: string): void
  set(change: Partial<Omit<ViewState, 'set' | 'openRestore'>>): void
}

const THEME_KEY = 'weir.theme'

function storedTheme(): ThemeChoice {
  try {
    const stored = localStorage.getItem(THEME_KEY)
    return stored === 'light' || stored === 'dark' ? stored : 'system'
  } catch {
    return 'system'
  }
}

export const useView = create<ViewState>()((set) => ({
  theme: storedTheme(),
  view: 'job',
  firstMinute: true,
  selection: null,
  frozen: false,
  marking: false,
  narrationLevel: 2,
  pinned: null,
  helpOpen: false,
  optionsOpen: false,
  sideOpen: false,
  refused: null,
  said: null,
  cameByLink: false,
  motion: 'system',
  armed: null,
  endCardDismissed: null,
  restoreFrom: null,
  stoppedAt: null,
  openRestore: (path) => set({ restoreFrom: path }),
  set: (change) => set(change),
}))

/** What is shown now, whatever was chosen. */
export function shownTheme(choice: ThemeChoice): 'light' | 'dark' {
  if (choice !== 'system') return choice
  return matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light'
}

export function applyTheme(choice: ThemeChoice): void {
  const root = document.documentElement
  if (choice === 'system') delete root.dataset['theme']
  else root.dataset['theme'] = choice
  try {
    if (choice === 'system') localStorage.removeItem(THEME_KEY)
    else localStorage.setItem(THEME_KEY, choice)
  } catch {
    // Storage is forbidden: the choice holds until the page closes.
  }
}

export function motionReduced(choice: 'system' | 'reduced' | 'full'): boolean {
  if (choice !== 'system') return choice === 'reduced'
  return matchMedia('(prefers-reduced-motion: reduce)').matches
}
