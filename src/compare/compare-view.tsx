/**
 * The job at hand twice on the simulator, aligned and unaligned, on the same seed and under the same backpressure: what each checkpoint cost, and
 * where the time went. The live job is not touched.
 */
import { useEffect, useRef, useState } from 'react'
import { findOperatorType } from '../../workers/model/catalogue/catalogue.ts'
import { compileJob } from '../../workers/model/compile-job.ts'
import type { JobDocument } from '../../workers/model/job-document.ts'
import { checkpointCosts, comparedInterval, persistedInFlight } from '../../workers/projections/compared-run.ts'
import type { ComparedInterval, ComparedRun, CompareRequest } from '../../workers/projections/compared-run.ts'
import { compareRuns } from '../cluster/compare-runs.ts'
import type { Comparison, CompareProgress } from '../cluster/compare-runs.ts'
import { useJob } from '../stores/job-store.ts'
import { useRun } from '../stores/run-store.ts'
import { Button } from '../widgets/controls.tsx'
import { bytes, clock, count, duration } from '../widgets/figures.ts'
import { Icon } from '../widgets/icon.tsx'
import { LogSlider } from '../widgets/log-slider.tsx'
import { intervalWords, liveWords } from './compare-words.ts'
import { ComparedBars } from './compared-bars.tsx'
import { ComparedTable } from './compared-table.tsx'
import './compare.css'

const CHECKPOINTS = 3
const LIMIT_MICROS = 600_000_000
const KILL_AT_MICROS = 15_000_000
/** Slow enough that what feeds it has to wait, with every built-in job. */
const DEFAULT_COST_MICROS = 60_000
const COST_MIN = 100
const COST_MAX = 1_000_000

interface Settings {
  readonly uid: string
  readonly costMicros: number
  readonly seed: number
  readonly kill: boolean
}

interface Done {
  readonly settings: Settings
  readonly interval: ComparedInterval
  readonly runs: readonly ComparedRun[]
}

export function CompareView() {
  const job = useJob((state) => state.history?.present ?? null)
  if (job === null) return null
  return (
    <section className="compare" aria-label="Compare">
      <h2>
        Aligned and unaligned, side by side <small>{job.name}, simulated twice: same seed, same faults, same slow operator. <Live /></small>
      </h2>
      <Comparing key={job.operators.map(({ uid }) => uid).join(' ')} job={job} />
    </section>
  )
}

/** The status as the cluster tells it: a frozen view does not make it old. */
function Live() {
  const status = useRun((state) => state.status?.job?.status ?? state.run.job.status)
  const paused = useRun((state) => state.status?.pace.paused === true)
  const dead = useRun((state) => state.status?.dead != null)
  const led = useRun((state) => state.status?.leader === 'running')
  return <>{liveWords({ status, paused, dead, led })}</>
}

function Comparing({ job }: { readonly job: JobDocument }) {
  const slowable = job.operators.filter((operator) => (findOperatorType(operator.type)?.inputs ?? 0) > 0)
  const [settings, setSettings] = useState<Settings>({ uid: slowable[0]?.uid ?? '', costMicros: DEFAULT_COST_MICROS, seed: 1, kill: false })
  const [progress, setProgress] = useState<CompareProgress | null>(null)
  const [done, setDone] = useState<Done | null>(null)
  const [failed, setFailed] = useState<string | null>(null)
  const [shown, setShown] = useState(1)
  const running = useRef<Comparison | null>(null)
  useEffect(() => () => running.current?.stop(), [])

  const { graph } = compileJob(job)
  const interval = graph === null ? null : comparedInterval(graph.settings.checkpointing)
  const busy = progress !== null
  const stop = (): void => {
    running.current?.stop()
    setProgress(null)
  }
  const run = (): void => {
    if (interval === null) return
    setFailed(null)
    setProgress({ type: 'progress', mode: 'aligned', at: 0, ended: 0 })
    const comparison = compareRuns(requestOf(job, settings), setProgress)
    running.current = comparison
    comparison.runs.then(
      (runs) => {
        setDone({ settings, interval, runs })
        setShown(1)
        setProgress(null)
      },
      (error: unknown) => {
        setFailed(error instanceof Error ? error.message : String(error))
        setProgress(null)
      },
    )
  }
  return (
    <>
      <form className="compare-settings" onSubmit={(event) => event.preventDefault()}>
        <label>
          Slow operator{' '}
          <select value={settings.uid} disabled={busy} onChange={(event) => setSettings({ ...settings, uid: event.target.value })}>
            {slowable.map((operator) => (
              <option key={operator.uid} value={operator.uid}>
                {operator.name ?? operator.uid}
              </option>
            ))}
          </select>
        </label>
        <LogSlider label="cost of a record" value={settings.costMicros} min={COST_MIN} max={COST_MAX} format={duration} disabled={busy} onChange={(costMicros) => setSettings({ ...settings, costMicros })} />
        <label>
          Seed{' '}
          <input type="number" min={1} max={999_999} value={settings.seed} disabled={busy} onChange={(event) => setSettings({ ...settings, seed: Math.max(1, Math.trunc(event.target.valueAsNumber || 1)) })} />
        </label>
        <label>
          <input type="checkbox" checked={settings.kill} disabled={busy} onChange={(event) => setSettings({ ...settings, kill: event.target.checked })} /> kill a TaskManager at {clock(KILL_AT_MICROS)}
        </label>
        {busy ? (
          <Button icon="cancel" onClick={stop}>
            Stop
          </Button>
        ) : (
          <Button kind="primary" icon="start" disabled={interval === null || settings.uid === ''} onClick={run}>
            Run both
          </Button>
        )}
        {interval === null && <span className="mistake">The job has mistakes; build mode shows them.</span>}
      </form>
      <p className="compare-said t2" role="status">
        {progress !== null && `${progress.mode}: engine time ${clock(progress.at)}, ${progress.ended} of ${CHECKPOINTS} checkpoints have ended`}
        {failed !== null && (
          <span className="mistake">
            <Icon name="failed" /> It could not be simulated: {failed}.
          </span>
        )}
      </p>
      {done === null ? <Explanation interval={interval} /> : <Result done={done} shown={shown} onShow={setShown} />}
    </>
  )
}

function Explanation({ interval }: { readonly interval: ComparedInterval | null }) {
  return (
    <div className="compare-words t2">
      <p>
        A barrier waits in the queues that the records before it fill. <b>Aligned</b>, it must be worked up to: the slower the operator, the longer every checkpoint takes. <b>Unaligned</b>, it overtakes the
        queues, and what it overtook becomes part of the snapshot: more bytes, almost no time.
      </p>
      <p>Choose the operator that shall be slow and press “Run both”. The first {CHECKPOINTS} checkpoints of each run are compared.</p>
      {interval !== null && <p>{intervalWords(interval)}</p>}
    </div>
  )
}

function Result({ done, shown, onShow }: { readonly done: Done; readonly shown: number; readonly onShow: (id: number) => void }) {
  const { settings, interval, runs } = done
  return (
    <>
      <p className="compare-truth">
        <i aria-hidden="true" />
        <span>
          Simulated, seed <span className="num">{count(settings.seed)}</span>
        </span>
        {runs.map((run) => (
          <span key={run.mode}>
            {run.mode}: run hash <span className="num">{run.runHash}</span>, ends at <span className="num">{clock(run.endedAt)}</span>
            {run.restarts > 0 && `, ${run.restarts} ${run.restarts === 1 ? 'restart' : 'restarts'}`}
          </span>
        ))}
        <span>{intervalWords(interval)}</span>
      </p>
      <Sum runs={runs} id={shown} />
      <ComparedTable runs={runs} shown={shown} onShow={onShow} />
      <ComparedBars runs={runs} id={shown} />
    </>
  )
}

/** The comparison in one sentence, where unaligned has completed, and aligned has or has expired. */
function Sum({ runs, id }: { readonly runs: readonly ComparedRun[]; readonly id: number }) {
  const [aligned, unaligned] = (['aligned', 'unaligned'] as const).map((mode) => runs.find((run) => run.mode === mode)?.checkpoints.find((one) => one.id === id))
  if (aligned === undefined || unaligned === undefined) return null
  const [cost, other, persisted] = [checkpointCosts(aligned), checkpointCosts(unaligned), persistedInFlight('aligned', aligned)]
  if (other === null || persisted === null || aligned.endedAt === null || (cost === null && persisted.failed !== 'expired')) return null
  return (
    <p className="sum">
      Checkpoint {id} {cost === null ? 'expired after' : 'takes'} <b>{duration(aligned.endedAt - aligned.triggeredAt)}</b> aligned and {cost === null && 'takes '}
      <b>{duration(other.durationMicros)}</b> unaligned, which stores <b>{bytes(other.persistedBytes)}</b> that were in flight; aligned {cost === null ? 'stored' : 'stores'}{' '}
      {persisted.bytes === 0 ? 'none of them' : bytes(persisted.bytes)}.
    </p>
  )
}

function requestOf(document: JobDocument, { uid, costMicros, seed, kill }: Settings): CompareRequest {
  return {
    document,
    base: window.document.baseURI,
    seed,
    cost: { uid, micros: costMicros },
    fault: kill ? { fault: { kind: 'kill-task-manager', index: 0 }, at: KILL_AT_MICROS } : null,
    checkpoints: CHECKPOINTS,
    limit: LIMIT_MICROS,
  }
}
