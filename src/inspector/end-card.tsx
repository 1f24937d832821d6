/** After a recovery: what was lost, what was done again, and that each record counts once. */
import type { SinkView } from '../../workers/model/outside.ts'
import { downtime } from '../../workers/projections/recovery-view.ts'
import { useRun } from '../stores/run-store.ts'
import { useView } from '../stores/view-store.ts'
import { Button } from '../widgets/controls.tsx'
import { count, duration } from '../widgets/figures.ts'
import { Icon } from '../widgets/icon.tsx'

export function EndCard() {
  const recovery = useRun((state) => state.run.recovery)
  const twice = useRun((state) => state.trace?.processedTwice ?? null)
  const checkpoints = useRun((state) => state.run.checkpoints)
  const verdicts = useRun((state) => state.verdicts)
  const sinks = useRun((state) => state.sinks)
  const dismissed = useView((state) => state.endCardDismissed)
  const set = useView((state) => state.set)
  const over = recovery?.ends['caught-up'] ?? null
  const running = useRun((state) => state.run.job.status === 'RUNNING' || state.run.job.status === 'FINISHED')
  if (!running || recovery === null || over === null || dismissed === recovery.startedAt) return null
  const proof = checkpoints.history.find((record) => record.status === 'COMPLETED' && record.triggeredAt >= over && verdicts.has(record.id))
  const verdict = proof === undefined ? undefined : verdicts.get(proof.id)
  const down = downtime(recovery)
  return (
    <section className="end-card" aria-label="After the recovery" role="status">
      <header>
        <Icon name="replaying" size={16} />
        <b>The job is back.</b>
        <span className="grow" />
        <Button kind="ghost" icon="close" label="Close" onClick={() => set({ endCardDismissed: recovery.startedAt })} />
      </header>
      <dl>
        <Row name="restored from" value={recovery.restoredFrom === null ? 'nothing: it started over' : `checkpoint ${recovery.restoredFrom}`} />
        <Row name="replayed" value={count(recovery.replayTotal)} />
        <Row name="processed twice" value={twice === null ? 'not fully traced' : count(twice)} />
        <Row name="counted once" value={verdict === undefined ? 'the next checkpoint will tell' : verdict.exact ? `${count(recovery.replayTotal)}, ${verdict.text}` : verdict.text} mark={verdict?.exact === true} />
        <Row name="failure to all RUNNING" value={down === null ? '–' : duration(down)} />
        {recovery.backOffMicros !== null && <Row name="of it back-off" value={duration(recovery.backOffMicros)} />}
        {recovery.aborted.length > 0 && <Row name="rows taken back" value={`${count(rowsOf(recovery.aborted, sinks))}, never committed`} />}
      </dl>
      {verdict !== undefined && !verdict.exact && <p className="failure">{verdict.differences.join('; ')}</p>}
    </section>
  )
}

/** What the outside world says of the transactions that were taken back. */
function rowsOf(aborted: readonly string[], sinks: Readonly<Record<string, SinkView>>): number {
  return Object.values(sinks)
    .flatMap((sink) => sink.transactions)
    .filter((transaction) => aborted.includes(transaction.id))
    .reduce((sum, transaction) => sum + transaction.rows, 0)
}

function Row({ name, value, mark = false }: { readonly name: string; readonly value: string; readonly mark?: boolean }) {
  return (
    <>
      <dt>{name}</dt>
      <dd className="num">
        {mark && <Icon name="check" size={12} label="checked" />} {value}
      </dd>
    </>
  )
}
