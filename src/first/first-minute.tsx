/** The first open: the job runs, one sentence, one button. Everything else comes after the first kill. */
import { useRef } from 'react'
import { isGloballyTerminal } from '../../workers/model/execution.ts'
import type { RunView } from '../../workers/projections/run-view.ts'
import { tasksOn } from '../../workers/projections/job-view.ts'
import { checkpointAge, currentCheckpoint } from '../../workers/projections/checkpoint-view.ts'
import { taskManagerName } from '../../workers/projections/sentence.ts'
import { slotsSentence, slotsWanted } from '../../workers/projections/slots.ts'
import { firstVictim } from '../canvas/first-victim.ts'
import { JobMenu } from '../frame/job-menu.tsx'
import { Brand } from '../frame/mark.tsx'
import { ThemeButton } from '../frame/theme-button.tsx'
import { useCluster } from '../stores/cluster-context.ts'
import { useRun } from '../stores/run-store.ts'
import { useView } from '../stores/view-store.ts'
import { Button } from '../widgets/controls.tsx'
import { Duration } from '../widgets/duration.tsx'
import { Icon } from '../widgets/icon.tsx'
import { Ring } from '../widgets/ring.tsx'
import './first-minute.css'

export function FirstBar() {
  const { frozen, set } = useView()
  const leave = (change: Parameters<typeof set>[0]) => () => set({ firstMinute: false, ...change })
  return (
    <header className="bar first">
      <Brand />
      <span className="grow" />
      <button type="button" className="first-link" onClick={leave({ view: 'job' })}>
        All controls
      </button>
      <button type="button" className="first-link" onClick={leave({ view: 'checkpoints' })}>
        Checkpoints
      </button>
      <button type="button" className="first-link" onClick={leave({ view: 'build' })}>
        Build your own
      </button>
      <JobMenu title="More jobs" className="first-link" />
      <Button icon="freeze" pressed={frozen} onClick={() => set({ frozen: !frozen })}>
        Freeze view
      </Button>
      <ThemeButton />
    </header>
  )
}

export function FirstWords() {
  const dead = useRun((state) => state.status?.dead != null)
  const run = useRun((state) => state.run)
  const now = useRun((state) => state.now)
  const running = run.job.status === 'RUNNING'
  const over = run.job.status !== null && isGloballyTerminal(run.job.status)
  if (dead) return null
  return (
    <div className="hello">
      <h1>This stream processor {over ? 'has stopped' : running ? 'is running' : 'is starting'} in your tab.</h1>
      <p>
        <Ring share={shareOf(run, now)} size={20} />
        <span>
          {shapeOf(run)} <Countdown run={run} now={now} />
        </span>
      </p>
    </div>
  )
}

/** "Two sources, one row per origin." */
function shapeOf(run: RunView): string {
  if (run.graph === null) return ''
  const sources = run.graph.vertices.filter((vertex) => vertex.isSource).reduce((sum, vertex) => sum + vertex.parallelism, 0)
  const by = run.graph.edges.find((edge) => edge.ship === 'hash')?.by.join(', ')
  const words = ['No source', 'One source', 'Two sources', 'Three sources', 'Four sources']
  return `${words[sources] ?? `${sources} sources`}${by === undefined ? '.' : `, one count per ${by === 'origin' ? 'airport' : by}.`}`
}

function Countdown({ run, now }: { readonly run: RunView; readonly now: number }) {
  const record = currentCheckpoint(run.checkpoints)
  const verdict = useRun((state) => (record === undefined ? undefined : state.verdicts.get(record.id)))
  if (record?.status === 'IN_PROGRESS') {
    return (
      <>
        Checkpoint <b className="num">{record.id}</b> is under way: <b className="num">{record.acknowledged}</b> of <b className="num">{record.tasks}</b> subtasks have acknowledged it.
      </>
    )
  }
  const slots = slotsWanted(run.job, run.graph)
  if (slots !== null) return <>It is {slotsSentence(slots)}.</>
  const { nextAt } = run.checkpoints
  if (nextAt === null) return null
  const left = Math.max(0, nextAt - now)
  return (
    <>
      {record?.status === 'COMPLETED' && (
        <>
          Checkpoint <b className="num">{record.id}</b> is complete after <Duration micros={checkpointAge(record, now)} />
          {verdict === undefined ? '' : `: ${verdict.text}`}.{' '}
        </>
      )}
      Checkpoint <b className="num">{(record?.id ?? 0) + 1}</b> starts in <b className="num">{(left / 1_000_000).toFixed(1)}</b> s.
    </>
  )
}

function shareOf(run: RunView, now: number): number {
  const interval = run.graph?.settings.checkpointing.intervalMicros ?? null
  const { nextAt } = run.checkpoints
  const record = currentCheckpoint(run.checkpoints)
  if (record?.status === 'IN_PROGRESS') return record.tasks === 0 ? 0 : record.acknowledged / record.tasks
  return interval === null || nextAt === null ? 0 : 1 - Math.max(0, nextAt - now) / interval
}

const NUMBERS = ['none', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine']
const word = (value: number): string => NUMBERS[value] ?? String(value)

export function FirstButton() {
  const run = useRun((state) => state.run)
  const leading = useRun((state) => state.status?.role === 'leading')
  const set = useView((state) => state.set)
  const cluster = useCluster()
  const pressed = useRef(false)
  const victim = firstVictim(run.job)
  const all = Object.keys(run.job.tasks).length
  const own = victim === null ? 0 : tasksOn(run.job, victim).length
  const kill = (): void => {
    if (victim === null || pressed.current) return
    pressed.current = true
    void cluster.killTaskManager(victim)
    set({ firstMinute: false })
  }
  return (
    <div className="first-kill">
      <button type="button" className="big-button" disabled={victim === null || !leading || run.job.status !== 'RUNNING'} onClick={kill}>
        <Icon name="killWorker" size={16} />
        Kill this worker
      </button>
      {victim !== null && (
        <p>
          {taskManagerName(victim)} runs {word(own)} of the {word(all)} subtasks. It is a real worker: killing it ends it, and what it had in memory is gone.
        </p>
      )}
    </div>
  )
}
