/** The two faults that need a target. Pure. */
import type { Selection } from '../stores/view-store.ts'

export type Fault = 'kill-subtask' | 'kill-task-manager'

/** What pressing the button of a fault does: it takes what is selected, or waits for a target, or stops waiting. */
export function pressFault(fault: Fault, armed: Fault | null, selection: Selection | null): { readonly kill: boolean; readonly armed: Fault | null } {
  const fits = selection?.kind === (fault === 'kill-subtask' ? 'subtask' : 'task-manager')
  return { kill: fits, armed: fits || armed === fault ? null : fault }
}
