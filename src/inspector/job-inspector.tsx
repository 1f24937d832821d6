/** The job as a whole: the watch over its sums, its attempts, and what Flink calls them. */
import type { RunView } from '../../workers/projections/run-view.ts'
import { slotsSentence, slotsWanted } from '../../workers/projections/slots.ts'
import { recordsBefore } from '../../workers/projections/tape-view.ts'
import { useRun } from '../stores/run-store.ts'
import { count, duration } from '../widgets/figures.ts'
import { Icon } from '../widgets/icon.tsx'
import { Figures, InspectorFrame, Section } from './inspector-frame.tsx'
import { MetricsSection } from './metrics-section.tsx'

export function JobInspector() {
  const run = useRun((state) => state.run)
  const verdicts = useRun((state) => state.verdicts)
  const latest = run.checkpoints.latestCompleted
  const verdict = latest === null ? undefined : verdicts.get(latest)
  const watch = watchOf(run)
  const slots = slotsWanted(run.job, run.graph)
  return (
    <InspectorFrame title="Job" note={run.graph === null ? '' : `${run.graph.vertices.reduce((sum, vertex) => sum + vertex.parallelism, 0)} subtasks`} closable={false}>
      {run.job.status === 'FAILED' && (
        <Section title="Why it failed">
          <p>{run.job.cause ?? 'No cause is known.'}</p>
          <p className="t2">No attempt comes any more. Mend the cause in build mode, or start it again as it is: Start.</p>
        </Section>
      )}
      {slots !== null && (
        <Section title="Why is it waiting?">
          <p>The job is {slotsSentence(slots)}. A slot takes one subtask of each operator.</p>
        </Section>
      )}
      <Section title="Watch">
        <Figures rows={watch.rows} />
        {verdict !== undefined && (
          <p className={verdict.exact ? 'verdict' : 'verdict failure'}>
            <Icon name={verdict.exact ? 'check' : 'failed'} size={12} /> Checkpoint {latest}: {verdict.text}
            {verdict.differences.length > 0 && <small>{verdict.differences.join('; ')}</small>}
          </p>
        )}
      </Section>
      <Section title="Attempts">
        <table className="table">
          <thead>
            <tr>
              <th>no.</th>
              <th>ended by</th>
              <th className="figure">from</th>
              <th className="figure" title="From the failure until every subtask ran again, the back-off in it">
                down
              </th>
            </tr>
          </thead>
          <tbody>
            {run.job.attempts.toReversed().slice(0, 5).map((attempt) => (
              <tr key={attempt.number}>
                <td className="figure left">{attempt.number}</td>
                <td className="wrap">{attempt.endedBy ?? (attempt.runningAt === null ? 'not running yet' : 'running')}</td>
                <td className="figure">{attempt.from ?? '–'}</td>
                <td className="figure">{attempt.downMicros === null ? '–' : duration(attempt.downMicros)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </Section>
      <MetricsSection path="" />
    </InspectorFrame>
  )
}

/** What the sources have read and what stands in channels: the rest has been worked in. */
function watchOf(run: RunView): { readonly rows: readonly (readonly [string, string])[] } {
  const read = Object.values(run.tapes).reduce((sum, tape) => sum + recordsBefore(tape, tape.head), 0)
  const sources = new Set(run.graph?.vertices.filter((vertex) => vertex.isSource).map((vertex) => vertex.id))
  const edges = new Set(run.graph?.edges.filter((edge) => sources.has(edge.from)).map((edge) => edge.index))
  let inFlight = 0
  for (const [id, channel] of Object.entries(run.channels)) {
    if (edges.has(Number(id.split(':')[0]))) inFlight += channel.input.records + channel.output.records
  }
  return {
    rows: [
      ['Records read, all partitions', count(read)],
      ['of them waiting in queues', count(inFlight)],
    ],
  }
}
