/** The processes below the world: the JobManager with its clock, and each TaskManager with the subtasks in its slots. */
import type { ReactNode } from 'react'
import { isGloballyTerminal } from '../../workers/model/execution.ts'
import type { EngineTime } from '../../workers/model/time.ts'
import { checkpointAge, currentCheckpoint } from '../../workers/projections/checkpoint-view.ts'
import type { TaskManagerView } from '../../workers/projections/job-view.ts'
import { tasksOn } from '../../workers/projections/job-view.ts'
import { subtaskName } from '../../workers/projections/plan.ts'
import type { RunView } from '../../workers/projections/run-view.ts'
import { taskManagerName } from '../../workers/projections/sentence.ts'
import { slotsSentence, slotsWanted } from '../../workers/projections/slots.ts'
import { useCluster } from '../stores/cluster-context.ts'
import { useRun } from '../stores/run-store.ts'
import { useView } from '../stores/view-store.ts'
import { clock, duration } from '../widgets/figures.ts'
import { Duration } from '../widgets/duration.tsx'
import { Icon } from '../widgets/icon.tsx'
import { Ring } from '../widgets/ring.tsx'

export function Plates({ width, children }: { readonly width: number; readonly children: ReactNode }) {
  const run = useRun((state) => state.run)
  const lost = run.job.taskManagers.filter((tm) => tm.state === 'lost')
  const shown = run.job.taskManagers.filter((tm) => tm.state === 'live' || lost.at(-1) === tm)
  return (
    <div className={`plates${shown.length > 2 ? ' tight' : ''}`} style={{ width: width - 36 }}>
      <JobManagerPlate />
      {shown.map((tm) => (
        <TaskManagerPlate key={tm.id} tm={tm} run={run} />
      ))}
      {children}
    </div>
  )
}

function JobManagerPlate() {
  const run = useRun((state) => state.run)
  const now = useRun((state) => state.now)
  const status = useRun((state) => state.status)
  const cluster = useCluster()
  const set = useView((state) => state.set)
  const selected = useView((state) => state.selection?.kind === 'job-manager')
  const gone = status !== null && status.leader !== 'running'
  const kill = (): void => {
    set({ armed: null })
    void cluster.killJobManager()
  }
  return (
    <div className={`plate leader${gone ? ' dead' : ''}${selected ? ' selected' : ''}`}>
      <Ring share={clockShare(run, now)} />
      <button type="button" className="plate-name" aria-pressed={selected} onClick={() => set({ selection: { kind: 'job-manager' } })}>
        JobManager
      </button>
      <span className="t2">{gone ? 'starting again' : <JobManagerWords run={run} now={now} />}</span>
      <button type="button" className="plate-kill" aria-label="Kill the JobManager" title="Kill the JobManager" disabled={gone} onClick={kill}>
        <Icon name="killJobManager" />
      </button>
    </div>
  )
}

function JobManagerWords({ run, now }: { readonly run: RunView; readonly now: EngineTime }) {
  const record = currentCheckpoint(run.checkpoints)
  const slots = slotsWanted(run.job, run.graph)
  if (slots !== null) return <>{slotsSentence(slots)}</>
  if (run.job.restart !== null) {
    return (
      <>
        next attempt in <Duration micros={Math.max(0, run.job.restart.at + run.job.restart.delayMicros - now)} />
      </>
    )
  }
  if (record?.status === 'IN_PROGRESS') {
    const limit = run.graph?.settings.checkpointing.timeoutMicros
    return (
      <>
        checkpoint {record.id}, age <Duration micros={checkpointAge(record, now)} />
        {limit !== undefined && <span className="plate-limit"> of {duration(limit)}</span>}
      </>
    )
  }
  const next = run.checkpoints.nextAt
  if (next === null || run.job.status !== 'RUNNING') return <>{run.job.status === null ? 'no job' : isGloballyTerminal(run.job.status) ? `the job is ${run.job.status}` : 'waiting'}</>
  return (
    <>
      next checkpoint in <span className="num t1">{(Math.max(0, next - now) / 1_000_000).toFixed(1)}</span> s
    </>
  )
}

/** Of a checkpoint its age against the timeout; between two the time that has gone by. */
function clockShare(run: RunView, now: EngineTime): number {
  const record = currentCheckpoint(run.checkpoints)
  const settings = run.graph?.settings.checkpointing
  if (record?.status === 'IN_PROGRESS') return settings === undefined ? 0 : checkpointAge(record, now) / settings.timeoutMicros
  const { nextAt } = run.checkpoints
  if (nextAt === null || settings?.intervalMicros == null) return 0
  return 1 - Math.max(0, nextAt - now) / settings.intervalMicros
}

function TaskManagerPlate({ tm, run }: { readonly tm: TaskManagerView; readonly run: RunView }) {
  const cluster = useCluster()
  const set = useView((state) => state.set)
  const armed = useView((state) => state.armed)
  const selected = useView((state) => state.selection?.kind === 'task-manager' && state.selection.id === tm.id)
  const kill = (): void => {
    set({ armed: null })
    void cluster.killTaskManager(tm.id)
  }
  if (tm.state === 'lost') {
    return (
      <div className="plate dead">
        <Icon name="killWorker" />
        <span className="plate-name">{taskManagerName(tm.id)}</span>
        <span>
          lost at <span className="num">{clock(tm.since)}</span>
        </span>
      </div>
    )
  }
  return (
    <div className={`plate${selected ? ' selected' : ''}`}>
      <button type="button" className="plate-name" aria-pressed={selected} onClick={() => (armed === 'kill-task-manager' ? kill() : set({ selection: { kind: 'task-manager', id: tm.id } }))}>
        {taskManagerName(tm.id)}
      </button>
      {tm.replacement && <span className="t3">new</span>}
      <span className="slots">
        {tasksOn(run.job, tm.id).map((task) => (
          <span key={task.attempt} className="slot" title={subtaskName(run.graph, task.vertex, task.subtask)}>
            <SlotName of={subtaskName(run.graph, task.vertex, task.subtask)} />
          </span>
        ))}
      </span>
      <button type="button" className={`plate-kill${armed === 'kill-task-manager' ? ' armed' : ''}`} aria-label={`Kill ${taskManagerName(tm.id)}`} title={`Kill ${taskManagerName(tm.id)}`} onClick={kill}>
        <Icon name="killWorker" />
      </button>
    </div>
  )
}

/** "Delay per airport 0" → "Delay 0": the first word, or its beginning, is enough beside its neighbours. The number is never cut. */
function SlotName({ of }: { readonly of: string }) {
  const words = of.split(' ')
  return (
    <>
      <span>{words[0]}</span>
      {words.length > 1 && <>&nbsp;{words.at(-1)}</>}
    </>
  )
}
