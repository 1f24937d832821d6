/** The run being watched: view models as the page shows them, published at most ten times a second. */
import { create } from 'zustand'
import type { CheckpointId } from '../../workers/model/ids.ts'
import type { SinkView } from '../../workers/model/outside.ts'
import type { TraceSummary } from '../../workers/model/overlay-scene.ts'
import type { EngineTime } from '../../workers/model/time.ts'
import { emptyRunView } from '../../workers/projections/run-view.ts'
import type { RunView } from '../../workers/projections/run-view.ts'
import type { ClusterStatus } from '../cluster/cluster-types.ts'

export interface Verdict {
  readonly text: string
  readonly exact: boolean
  /** What differs, a few of them. */
  readonly differences: readonly string[]
}

/** What is shown; replaced as a whole. */
export interface Shown {
  readonly run: RunView
  readonly now: EngineTime
  /** By uid of the sink. */
  readonly sinks: Readonly<Record<string, SinkView>>
  readonly trace: TraceSummary | null
  readonly verdicts: ReadonlyMap<CheckpointId, Verdict>
}

interface RunState extends Shown {
  readonly status: ClusterStatus | null
}

export const useRun = create<RunState>()(() => ({
  run: emptyRunView(null),
  now: 0,
  sinks: {},
  trace: null,
  verdicts: new Map(),
  status: null,
}))
