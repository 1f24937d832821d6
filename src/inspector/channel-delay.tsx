/** How much longer what comes through one input channel takes, changed while the job runs. */
import type { ChannelId } from '../../workers/model/ids.ts'
import { channelEnds } from '../../workers/projections/plan.ts'
import { useCluster } from '../stores/cluster-context.ts'
import { useRun } from '../stores/run-store.ts'
import { useView } from '../stores/view-store.ts'
import { Button } from '../widgets/controls.tsx'
import { duration } from '../widgets/figures.ts'
import { LogSlider } from '../widgets/log-slider.tsx'

const DELAY_MIN = 1_000
const DELAY_MAX = 10_000_000

export function ChannelDelay({ channel }: { readonly channel: ChannelId }) {
  const cluster = useCluster()
  const changed = useRun((state) => state.status?.delays[channel])
  const documented = useRun((state) => channelEnds(state.run.graph, channel)?.edge.delayMicros ?? 0)
  const leading = useRun((state) => state.status?.role === 'leading' && state.status.leader === 'running' && state.run.job.status === 'RUNNING')
  const set = useView((state) => state.set)
  const change = (micros: number): void => {
    cluster.changeSettings({ delays: { [channel]: micros } }).catch((error: unknown) => set({ said: `The channel was not slowed: ${error instanceof Error ? error.message : String(error)}.` }))
  }
  return (
    <>
      <LogSlider label="delay" fromZero value={changed ?? documented} min={DELAY_MIN} max={DELAY_MAX} format={delayText} disabled={!leading} onChange={change} />
      {changed !== undefined && changed !== documented && (
        <Button kind="ghost" onClick={() => change(documented)}>
          Back to {delayText(documented)}
        </Button>
      )}
    </>
  )
}

const delayText = (micros: number): string => (micros === 0 ? 'none' : duration(micros))
