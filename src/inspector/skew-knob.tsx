/** How unevenly a generator draws its keys, changed while the job runs. */
import { SKEW_MAX } from '../../workers/model/scenario-document.ts'
import type { OperatorDescription } from '../../workers/model/job-graph.ts'
import { useCluster } from '../stores/cluster-context.ts'
import { useRun } from '../stores/run-store.ts'
import { useView } from '../stores/view-store.ts'
import { Button } from '../widgets/controls.tsx'
import { useId } from 'react'

const STEP = 0.1

export function SkewKnob({ operator }: { readonly operator: OperatorDescription }) {
  const cluster = useCluster()
  const id = useId()
  const changed = useRun((state) => state.status?.skews[operator.uid])
  const leading = useRun((state) => state.status?.role === 'leading' && state.status.leader === 'running' && state.run.job.status === 'RUNNING')
  const set = useView((state) => state.set)
  const documented = Number(operator.params['skew'] ?? 0)
  const value = changed ?? documented
  const change = (skew: number): void => {
    cluster.changeSettings({ skews: { [operator.uid]: skew } }).catch((error: unknown) => set({ said: `The skew was not changed: ${error instanceof Error ? error.message : String(error)}.` }))
  }
  return (
    <>
      <span className="log-slider">
        <label htmlFor={id}>key skew</label>
        <input id={id} type="range" min={0} max={SKEW_MAX} step={STEP} value={value} disabled={!leading} aria-valuetext={skewText(value)} onChange={(event) => change(Number(event.target.value))} />
        <output htmlFor={id} className="num">
          {skewText(value)}
        </output>
      </span>
      {changed !== undefined && changed !== documented && (
        <Button kind="ghost" onClick={() => change(documented)}>
          Back to {skewText(documented)}
        </Button>
      )}
    </>
  )
}

const skewText = (skew: number): string => (skew === 0 ? 'none' : skew.toFixed(1))
