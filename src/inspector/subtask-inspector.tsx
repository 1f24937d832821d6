/** One subtask: why it waits, its inputs, its state in full, and what Flink calls all that. */
import { inputChannels } from '../../workers/projections/channel-view.ts'
import { currentCheckpoint } from '../../workers/projections/checkpoint-view.ts'
import type { KeyedStateReport } from '../../workers/model/report.ts'
import { findVertex, senderName } from '../../workers/projections/plan.ts'
import type { RunView } from '../../workers/projections/run-view.ts'
import { taskManagerName } from '../../workers/projections/sentence.ts'
import { laneState } from '../canvas/lane-state.ts'
import { fieldsOf, keyText, scalarText } from '../canvas/value-text.ts'
import { useCluster } from '../stores/cluster-context.ts'
import { useRun } from '../stores/run-store.ts'
import { Button } from '../widgets/controls.tsx'
import { count, duration } from '../widgets/figures.ts'
import { Icon } from '../widgets/icon.tsx'
import { KeyLetter } from '../widgets/key-letter.tsx'
import { InspectorFrame, Section } from './inspector-frame.tsx'
import { Knobs } from './knobs.tsx'
import { MetricsSection } from './metrics-section.tsx'
import { whyWaiting } from './why.ts'

interface SubtaskProps {
  readonly vertex: string
  readonly subtask: number
}

export function SubtaskInspector({ vertex, subtask }: SubtaskProps) {
  const run = useRun((state) => state.run)
  const now = useRun((state) => state.now)
  const leading = useRun((state) => state.status?.role === 'leading')
  const cluster = useCluster()
  const key = `${vertex}_${subtask}`
  const found = run.graph === null ? undefined : findVertex(run.graph, vertex as never)
  const task = run.job.tasks[key]
  const flow = run.flows[key]
  const causes = whyWaiting(run, vertex, subtask, now)
  const keyed = flow?.report.operators.find((operator) => operator.keyed !== null)?.keyed ?? null
  const kills = task !== undefined && leading
  return (
    <InspectorFrame title={`${found?.name ?? 'Subtask'} ${subtask}`} note={task?.taskManager == null ? laneState(run, vertex, subtask).words : taskManagerName(task.taskManager)}>
      <Section title={causes.length > 0 ? 'Why is it waiting?' : 'It is not waiting'}>
        {causes.length === 0 ? (
          <p className="t2">{laneState(run, vertex, subtask).words}</p>
        ) : (
          <ol className="why">
            {causes.map((cause) => (
              <li key={cause.text}>
                <Icon name={cause.icon} size={16} />
                <span className="why-figure num">{cause.figure}</span>
                {cause.text}
              </li>
            ))}
          </ol>
        )}
      </Section>
      <Inputs run={run} vertex={vertex} subtask={subtask} />
      {found !== undefined && <Knobs vertex={found} subtask={subtask} />}
      {keyed !== null && keyed !== undefined && <State state={keyed} keyName={found?.chain.flatMap((operator) => operator.keyFields).find((fields) => fields !== null)?.join(' · ') ?? 'key'} />}
      <MetricsSection path={`/vertices/${vertex}`} subtask={subtask} />
      <div className="section actions">
        <Button icon="killSubtask" shortcut="K" disabled={!kills} onClick={() => task !== undefined && void cluster.killSubtask(task.attempt)}>
          Kill this subtask
        </Button>
      </div>
    </InspectorFrame>
  )
}

function Inputs({ run, vertex, subtask }: SubtaskProps & { readonly run: RunView }) {
  if (run.graph === null) return null
  const channels = inputChannels(run.graph, vertex, subtask)
  if (channels.length === 0) return null
  const record = currentCheckpoint(run.checkpoints)
  return (
    <Section title="Inputs">
      <table className="table">
        <thead>
          <tr>
            <th>channel</th>
            <th>{record === undefined ? 'barrier' : `barrier ${record.id}`}</th>
            <th className="figure">queued</th>
            <th className="figure">held</th>
          </tr>
        </thead>
        <tbody>
          {channels.map((id) => {
            const channel = run.channels[id]
            const part = record?.subtasks.find((one) => one.vertex === vertex && one.subtask === subtask)
            const arrival = part?.barriers.find((one) => one.channel === id)
            return (
              <tr key={id}>
                <td className="channel-name" title={senderName(run.graph, id)}>
                  {channel?.state === 'blocked' && <Icon name="padlock" size={12} label="blocked" />}
                  {channel?.state === 'awaited' && <Icon name="hourglass" size={12} label="awaited" />} <span>{senderName(run.graph, id).replace(/ \d+$/, '')}</span> {/\d+$/.exec(senderName(run.graph, id))?.[0]}
                </td>
                <td className="wrap">{channel?.state === 'awaited' ? 'awaited' : arrival !== undefined && record !== undefined ? `came at +${duration(arrival.at - record.triggeredAt)}` : '–'}</td>
                <td className="figure">{count(channel?.input.records ?? 0)}</td>
                <td className="figure">{channel?.held == null ? '–' : count(channel.held.records)}</td>
              </tr>
            )
          })}
        </tbody>
      </table>
    </Section>
  )
}

function State({ state, keyName }: { readonly state: KeyedStateReport; readonly keyName: string }) {
  return (
    <Section title={`State: ${count(state.keys)} keys${state.rows.length < state.keys ? `, ${count(state.rows.length)} shown` : ''}`}>
      <div className="state-scroll">
        <table className="table">
          <thead>
            <tr>
              <th>{keyName}</th>
              <th className="figure">group</th>
              {state.columns.map((column) => (
                <th key={column} className="figure">
                  {column}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {state.rows.map((row) => (
              <tr key={keyText(row.key)}>
                <td>
                  <KeyLetter name={keyText(row.key)} />
                </td>
                <td className="figure t3">{row.keyGroup}</td>
                {state.columns.map((column, index) => (
                  <td key={column} className="figure">
                    {scalarText(fieldsOf(row.value)[index])}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </Section>
  )
}

