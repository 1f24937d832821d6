/** What one input channel takes a second, changed while the job runs. */
import type { ChannelId } from '../../workers/model/ids.ts'
import { channelEnds } from '../../workers/projections/plan.ts'
import { useCluster } from '../stores/cluster-context.ts'
import { useRun } from '../stores/run-store.ts'
import { useView } from '../stores/view-store.ts'
import { Button } from '../widgets/controls.tsx'
import { bytes } from '../widgets/figures.ts'
import { LogSlider } from '../widgets/log-slider.tsx'

const RATE_MIN = 100
const RATE_MAX = 10_000_000

export function ChannelRate({ channel }: { readonly channel: ChannelId }) {
  const cluster = useCluster()
  const changed = useRun((state) => state.status?.rates[channel])
  const documented = useRun((state) => channelEnds(state.run.graph, channel)?.edge.bytesPerSecond ?? null)
  const leading = useRun((state) => state.status?.role === 'leading' && state.status.leader === 'running' && state.run.job.status === 'RUNNING')
  const set = useView((state) => state.set)
  const change = (rate: number | null): void => {
    cluster.changeSettings({ rates: { [channel]: rate } }).catch((error: unknown) => set({ said: `The rate was not changed: ${error instanceof Error ? error.message : String(error)}.` }))
  }
  const rate = changed === undefined ? documented : changed
  return (
    <>
      <LogSlider label="rate" toInfinity value={rate ?? Infinity} min={RATE_MIN} max={RATE_MAX} format={rateText} disabled={!leading} onChange={(value) => change(value === Infinity ? null : value)} />
      {changed !== undefined && changed !== documented && (
        <Button kind="ghost" onClick={() => change(documented)}>
          Back to {rateText(documented ?? Infinity)}
        </Button>
      )}
    </>
  )
}

const rateText = (rate: number): string => (rate === Infinity ? 'no limit' : `${bytes(rate)}/s`)
