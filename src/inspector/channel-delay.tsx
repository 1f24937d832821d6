/** The delay of one input channel, changed while the job runs. */
import type { ChannelId } from '../../workers/model/ids.ts'
import { useCluster } from '../stores/cluster-context.ts'
import { useRun } from '../stores/run-store.ts'
import { useView } from '../stores/view-store.ts'
import { duration } from '../widgets/figures.ts'
import { LogSlider } from '../widgets/log-slider.tsx'

const DELAY_MIN = 1_000
const DELAY_MAX = 10_000_000

export function ChannelDelay({ channel }: { readonly channel: ChannelId }) {
  const cluster = useCluster()
  const delay = useRun((state) => state.run.channels[channel]?.delayMicros ?? 0)
  const leading = useRun((state) => state.status?.role === 'leading' && state.status.leader === 'running' && state.run.job.status === 'RUNNING')
  const set = useView((state) => state.set)
  const change = (micros: number): void => {
    cluster.setChannelDelay(channel, micros).catch((error: unknown) => set({ said: `The channel was not slowed: ${error instanceof Error ? error.message : String(error)}.` }))
  }
  return (
    <LogSlider label="delay" fromZero value={delay} min={DELAY_MIN} max={DELAY_MAX} format={(micros) => (micros === 0 ? 'none' : duration(micros))} disabled={!leading} onChange={change} />
  )
}
