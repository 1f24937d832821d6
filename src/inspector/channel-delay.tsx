/** The delay of one input channel, changed while the job runs. */
import type { ChannelId } from '../../workers/model/ids.ts'
import { useCluster } from '../stores/cluster-context.ts'
import { useRun } from '../stores/run-store.ts'
import { useView } from '../stores/view-store.ts'
import { duration } from '../widgets/figures.ts'
import { LogSlider } from '../widgets/log-slider.tsx'

const DELAY_MIN = 1_000
const DELAY_MAX = 10_000_000
/** Beside a slider and its figure. */
const NAME_MAX = 10

export function ChannelDelay({ channel, sender }: { readonly channel: ChannelId; readonly sender: string }) {
  const cluster = useCluster()
  const delay = useRun((state) => state.run.channels[channel]?.delayMicros ?? 0)
  const leading = useRun((state) => state.status?.role === 'leading' && state.status.leader === 'running' && state.run.job.status === 'RUNNING')
  const set = useView((state) => state.set)
  const change = (micros: number): void => {
    cluster.setChannelDelay(channel, micros).catch((error: unknown) => set({ said: `The channel was not slowed: ${error instanceof Error ? error.message : String(error)}.` }))
  }
  return (
    <LogSlider label={`delay from ${shortened(sender)}`} fromZero value={delay} min={DELAY_MIN} max={DELAY_MAX} format={(micros) => (micros === 0 ? 'none' : duration(micros))} disabled={!leading} onChange={change} />
  )
}

/** The number of the subtask is what tells channels apart: it is never cut. */
export function shortened(sender: string): string {
  const at = sender.lastIndexOf(' ')
  return at <= NAME_MAX ? sender : `${sender.slice(0, NAME_MAX - 1).trimEnd()}… ${sender.slice(at + 1)}`
}
