/**
 * Settings that are changed while the job runs: what a record costs in each operator of the selected task, how unevenly a generator draws its keys,
 * how long a channel takes, and how much it takes a second.
 */
import { inputChannels } from '../../workers/projections/channel-view.ts'
import { senderName } from '../../workers/projections/plan.ts'
import type { JobVertex } from '../../workers/model/job-graph.ts'
import { useCluster } from '../stores/cluster-context.ts'
import { useRun } from '../stores/run-store.ts'
import { useView } from '../stores/view-store.ts'
import { Button } from '../widgets/controls.tsx'
import { duration } from '../widgets/figures.ts'
import { LogSlider } from '../widgets/log-slider.tsx'
import { ChannelDelay } from './channel-delay.tsx'
import { ChannelRate } from './channel-rate.tsx'
import { Section } from './inspector-frame.tsx'
import { SkewKnob } from './skew-knob.tsx'

const COST_MIN = 100
const COST_MAX = 1_000_000

export function Knobs({ vertex, subtask }: { readonly vertex: JobVertex; readonly subtask: number }) {
  const cluster = useCluster()
  const costs = useRun((state) => state.status?.costs)
  const leading = useRun((state) => state.status?.role === 'leading' && state.status.leader === 'running' && state.run.job.status === 'RUNNING')
  const set = useView((state) => state.set)
  const change = (uid: string, micros: number): void => {
    cluster.changeSettings({ costs: { [uid]: micros } }).catch((error: unknown) => set({ said: `The cost was not changed: ${error instanceof Error ? error.message : String(error)}.` }))
  }
  return (
    <Section title="Change while it runs">
      {vertex.chain.map((operator) => {
        const changed = costs?.[operator.uid]
        return (
          <div key={operator.uid} className="knob">
            {vertex.chain.length > 1 && <b>{operator.name}</b>}
            <LogSlider label="cost of a record" fromZero value={changed ?? operator.costMicros} min={COST_MIN} max={COST_MAX} format={(micros) => (micros === 0 ? 'none' : duration(micros))} disabled={!leading} onChange={(micros) => change(operator.uid, micros)} />
            {changed !== undefined && changed !== operator.costMicros && (
              <Button kind="ghost" onClick={() => change(operator.uid, operator.costMicros)}>
                Back to {operator.costMicros === 0 ? 'none' : duration(operator.costMicros)}
              </Button>
            )}
            {operator.type === 'generator' && <SkewKnob operator={operator} />}
          </div>
        )
      })}
      <p className="t3">For all subtasks of the operator; slow enough, it puts what feeds it under backpressure.</p>
      <ChannelKnobs vertex={vertex.id} subtask={subtask} />
    </Section>
  )
}

function ChannelKnobs({ vertex, subtask }: { readonly vertex: string; readonly subtask: number }) {
  const graph = useRun((state) => state.run.graph)
  const channels = graph === null ? [] : inputChannels(graph, vertex, subtask)
  if (channels.length === 0) return null
  return (
    <>
      <div className="knob-channels">
        {channels.map((channel) => (
          <div key={channel} role="group" aria-label={`Channel from ${senderName(graph, channel)}`}>
            <b>from {senderName(graph, channel)}</b>
            <ChannelDelay channel={channel} />
            <ChannelRate channel={channel} />
          </div>
        ))}
      </div>
      <p className="t3">Of this subtask's channels, also after a restart. A slow one makes its barrier late, and all others wait for it.</p>
    </>
  )
}
