/** The job being edited: the document that the picture in build mode is of, its mistakes, and the way back. */
import { create } from 'zustand'
import type { JobDocument } from '../../workers/model/job-document.ts'
import type { Problem } from '../../workers/model/job-graph.ts'
import { record, redo, startHistory, undo } from '../editor/edit-history.ts'
import type { EditHistory } from '../editor/edit-history.ts'

interface JobState {
  /** Null until a job was loaded. */
  readonly history: EditHistory | null
  readonly problems: readonly Problem[]
  /** Forgets the steps. */
  load(document: JobDocument): void
  edit(next: JobDocument, tag?: string): void
  undo(): void
  redo(): void
  setProblems(problems: readonly Problem[]): void
}

export const useJob = create<JobState>()((set) => ({
  history: null,
  problems: [],
  load: (document) => set({ history: startHistory(document), problems: [] }),
  edit: (next, tag) => set(({ history }) => ({ history: history === null ? startHistory(next) : record(history, next, tag ?? null) })),
  undo: () => set(({ history }) => ({ history: history === null ? null : undo(history) })),
  redo: () => set(({ history }) => ({ history: history === null ? null : redo(history) })),
  setProblems: (problems) => set({ problems }),
}))
