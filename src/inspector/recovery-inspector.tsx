/** A recovery under way: its cause, its stages as they end, the fate of the records that are read again. */
import { stageDurations } from '../../workers/projections/recovery-view.ts'
import type { RecoveryStage } from '../../workers/projections/recovery-view.ts'
import { targetName } from '../../workers/projections/narration.ts'
import { strategyName } from '../../workers/projections/sentence.ts'
import { useRun } from '../stores/run-store.ts'
import { count, duration } from '../widgets/figures.ts'
import { Icon } from '../widgets/icon.tsx'
import { Figures, InspectorFrame, Section } from './inspector-frame.tsx'

const WORDS: Readonly<Record<RecoveryStage, string>> = {
  detected: 'failure noticed',
  cancelled: 'tasks canceled',
  'back-off': 'back-off over',
  rewound: 'sources put back',
  restored: 'state restored',
  channels: 'channels open, RUNNING',
  'caught-up': 'caught up',
}

export function RecoveryInspector() {
  const run = useRun((state) => state.run)
  const now = useRun((state) => state.now)
  const { recovery } = run
  if (recovery === null) return null
  const share = recovery.replayTotal === 0 ? 0 : recovery.replayed / recovery.replayTotal
  return (
    <InspectorFrame title="Recovery" note={recovery.restoredFrom === null ? `attempt ${run.job.attempts.length}` : `from checkpoint ${recovery.restoredFrom}`} closable={false}>
      <Section title="Cause">
        <p>{recovery.fault === null ? recovery.cause : `${capital(targetName(recovery.fault, run.graph))} was killed.`}</p>
        {recovery.strategy !== null && (
          <p className="t2">
            Restart strategy <span className="mono">{strategyName(recovery.strategy)}</span>
            {recovery.backOffMicros !== null && `, back-off ${duration(recovery.backOffMicros)}`}.
          </p>
        )}
      </Section>
      <Section title="Stages">
        <table className="table plain">
          <tbody>
            {stageDurations(recovery, now).map((stage) => (
              <tr key={stage.stage} className={stage.open ? 'open' : ''}>
                <td>
                  <Icon name={stage.open ? 'hourglass' : 'check'} size={12} /> {WORDS[stage.stage]}
                </td>
                <td className="figure">{duration(stage.micros)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </Section>
      {recovery.replayTotal > 0 && (
        <Section title={`Fate of the ${count(recovery.replayTotal)} records`}>
          <div className="fate" role="img" aria-label={`${recovery.replayed} of ${recovery.replayTotal} replayed`}>
            <i style={{ width: `${share * 100}%` }} />
          </div>
          <Figures
            rows={[
              ['replayed', count(recovery.replayed)],
              ['to come', count(recovery.replayTotal - recovery.replayed)],
            ]}
          />
        </Section>
      )}
    </InspectorFrame>
  )
}

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)
