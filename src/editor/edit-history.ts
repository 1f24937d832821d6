/** Undo and redo over whole documents: they are small, and nothing can be forgotten. */
import type { JobDocument } from '../../workers/model/job-document.ts'

/** Older steps are forgotten. */
export const UNDO_STEPS_MAX = 200

export interface EditHistory {
  readonly past: readonly JobDocument[]
  readonly present: JobDocument
  readonly future: readonly JobDocument[]
  /** Consecutive edits with the same tag (typing in one field, dragging one card) are one step. */
  readonly tag: string | null
}

export const startHistory = (present: JobDocument): EditHistory => ({ past: [], present, future: [], tag: null })

export function record(history: EditHistory, next: JobDocument, tag: string | null = null): EditHistory {
  if (next === history.present) return history
  const merges = tag !== null && tag === history.tag
  const past = merges ? history.past : [...history.past, history.present].slice(-UNDO_STEPS_MAX)
  return { past, present: next, future: [], tag }
}

export function undo(history: EditHistory): EditHistory {
  const previous = history.past.at(-1)
  if (previous === undefined) return history
  return { past: history.past.slice(0, -1), present: previous, future: [history.present, ...history.future], tag: null }
}

export function redo(history: EditHistory): EditHistory {
  const next = history.future[0]
  if (next === undefined) return history
  return { past: [...history.past, history.present], present: next, future: history.future.slice(1), tag: null }
}
