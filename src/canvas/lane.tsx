/** One subtask: what it does, how busy it is, the chamber with the record in work, and below that what it keeps. */
import { memo } from 'react'
import type { JobVertex } from '../../workers/model/job-graph.ts'
import type { TraceSummary } from '../../workers/model/overlay-scene.ts'
import { backpressureOf } from '../../workers/projections/backpressure.ts'
import { currentCheckpoint } from '../../workers/projections/checkpoint-view.ts'
import type { SubtaskRef } from '../../workers/projections/plan.ts'
import { isRecovering } from '../../workers/projections/recovery-view.ts'
import { recordsBefore, type Tape } from '../../workers/projections/tape-view.ts'
import { taskManagerName } from '../../workers/projections/sentence.ts'
import { useRun } from '../stores/run-store.ts'
import { useView } from '../stores/view-store.ts'
import { count } from '../widgets/figures.ts'
import { Gauge, gaugeWord } from '../widgets/gauge.tsx'
import { Icon } from '../widgets/icon.tsx'
import { laneState } from './lane-state.ts'
import { SinkContent } from './sink-lane.tsx'
import { StateTable } from './state-table.tsx'
import { TapeDrawing } from './tape.tsx'
import type { CardKind, LaneBox, LaneMeasures } from './world-types.ts'

interface LaneProps {
  readonly vertex: JobVertex
  readonly kind: CardKind
  readonly box: LaneBox
  readonly measures: LaneMeasures
  readonly first: boolean
}

export const Lane = memo(function Lane({ vertex, kind, box, measures, first }: LaneProps) {
  const run = useRun((state) => state.run)
  const selected = useView((state) => state.selection?.kind === 'subtask' && state.selection.vertex === vertex.id && state.selection.subtask === box.subtask)
  const key = `${vertex.id}_${box.subtask}`
  const state = laneState(run, vertex.id, box.subtask)
  const task = run.job.tasks[key]
  const failed = task?.state === 'FAILED' || task?.state === 'CANCELED'
  return (
    <div
      className={`lane ${kind}${failed ? ' ended' : ''}${measures.compact ? ' compact' : ''}`}
      style={{ height: box.height }}
      data-lane={key}
      tabIndex={first ? 0 : -1}
      role="button"
      aria-pressed={selected}
      aria-label={`${vertex.name} ${box.subtask}, ${state.words}`}
    >
      <div className="lane-line">
        <span className="index num">{box.subtask}</span>
        <span className={`doing ${state.tone}`}>
          <Icon name={state.icon} />
          {state.words}
        </span>
        {state.pips !== null && <Pips {...state.pips} />}
        {kind !== 'source' && kind !== 'sink' && kind !== 'plain' && <Place task={task} />}
      </div>
      <GaugeLine laneKey={key} short={kind === 'source' || kind === 'plain'} />
      <div className="chamber" style={{ height: measures.chamber }}>
        {kind === 'keyed' ? <Culprit at={{ vertex: vertex.id, subtask: box.subtask }} /> : <Rates laneKey={key} kind={kind} task={task} />}
      </div>
      <Content vertex={vertex} kind={kind} box={box} laneKey={key} />
    </div>
  )
})

function Pips({ arrived, expected }: { readonly arrived: number; readonly expected: number }) {
  return (
    <span className="pips" role="img" aria-label={`${arrived} of ${expected} barriers have come`}>
      {Array.from({ length: Math.min(expected, 8) }, (_, index) => (
        <i key={index} className={index < arrived ? 'in' : ''} />
      ))}
    </span>
  )
}

type Task = ReturnType<typeof useRun.getState>['run']['job']['tasks'][string] | undefined

/** The TaskManager; after a move the one that it came from, struck out. */
function Place({ task }: { readonly task: Task }) {
  if (task?.taskManager == null) return <span className="place" />
  return (
    <span className="place">
      {task.formerTaskManager !== null && <s className="lost">{taskManagerName(task.formerTaskManager)}</s>}
      {taskManagerName(task.taskManager)}
    </span>
  )
}

function GaugeLine({ laneKey, short }: { readonly laneKey: string; readonly short: boolean }) {
  const flow = useRun((state) => state.run.flows[laneKey])
  const { figure, word } = gaugeWord(flow?.busy ?? null, flow?.backpressured ?? null)
  return (
    <div className="gauge-line">
      <Gauge busy={flow?.busy ?? null} backpressured={flow?.backpressured ?? null} hard={flow?.hard ?? null} />
      <span>
        <span className="num">{figure}</span>
        {figure === '–' ? '' : ' %'}
        {short ? '' : ` ${word}`}
      </span>
    </div>
  )
}

/** The flag stands where the Checkpoints view names the culprit: one rule for both. */
function Culprit({ at }: { readonly at: SubtaskRef }) {
  const isCulprit = useRun(({ run }) => {
    if (run.graph === null) return false
    const subtasks = backpressureOf(run.graph, run.flows, run.channels).flatMap((vertex) => vertex.subtasks)
    return subtasks.some((other) => other.role === 'culprit' && other.vertex === at.vertex && other.subtask === at.subtask)
  })
  if (!isCulprit) return null
  return (
    <span className="flagmark">
      <Icon name="bottleneck" size={12} />
      bottleneck
    </span>
  )
}

function Rates({ laneKey, kind, task }: { readonly laneKey: string; readonly kind: CardKind; readonly task: Task }) {
  const flow = useRun((state) => state.run.flows[laneKey])
  const rate = kind === 'sink' ? flow?.inRate : flow?.outRate
  const runs = task?.state === 'RUNNING'
  const pool = runs ? (flow?.report.outPoolUsage ?? 0) : 0
  return (
    <>
      <div className="rate-line">
        {kind !== 'sink' && (
          <span>
            <b className="num">{rate == null ? '–' : rate >= 100 ? count(rate) : rate.toFixed(1)}</b>/s
          </span>
        )}
        <Place task={task} />
      </div>
      {kind === 'source' && (
        <div className="pool">
          output pool <b className="num">{runs ? Math.round(pool * 100) : '–'}</b>
          {runs && ' %'}
          <svg width="92" height="9" aria-hidden="true">
            {Array.from({ length: 12 }, (_, index) => (
              <rect key={index} x={0.5 + index * 7.4} y=".5" width="5.4" height="7" fill={index < Math.round(pool * 12) ? 'var(--text-2)' : 'none'} stroke="var(--line-3)" />
            ))}
          </svg>
        </div>
      )}
    </>
  )
}

function Content({ vertex, kind, box, laneKey }: { readonly vertex: JobVertex; readonly kind: CardKind; readonly box: LaneBox; readonly laneKey: string }) {
  switch (kind) {
    case 'source':
      return <SourceContent laneKey={laneKey} roomy={box.height > 220} />
    case 'keyed':
      return <KeyedContent vertex={vertex} rows={box.rows} laneKey={laneKey} />
    case 'sink':
      return <SinkOf vertex={vertex} height={box.height} subtask={box.subtask} />
    case 'plain':
      return (
        <p className="no-state">
          <span aria-hidden="true">–</span> no state
        </p>
      )
  }
}

function SourceContent({ laneKey, roomy }: { readonly laneKey: string; readonly roomy: boolean }) {
  const tapes = useRun((state) => state.run.tapes)
  const reads = useRun((state) => state.trace?.reads[laneKey])
  const own = Object.values(tapes).filter((tape) => `${tape.vertex}_${tape.subtask}` === laneKey)
  const tape = own[0]
  if (tape === undefined) return null
  const replaying = tape.rewound !== null && tape.rewound.caughtUpAt === null
  return (
    <>
      <TapeDrawing tape={traced(tape, reads)} recent={reads?.recent ?? []} />
      {roomy && (
        <p className={`tape-words${replaying ? ' replaying' : ''}`}>
          {replaying && tape.rewound !== null ? (
            <>
              <span className="num">{count(Math.max(0, tape.rewound.from - tape.head))}</span> of <span className="num">{count(tape.rewound.from - tape.rewound.to)}</span> to replay
            </>
          ) : (
            <>
              {tape.flag !== null && (
                <>
                  snapshot at <span className="num t1">{count(recordsBefore(tape, tape.flag.offset))}</span>
                  <br />
                </>
              )}
              {tape.end !== null && recordsBefore(tape, tape.end) > 0 && (
                <>
                  <span className="num">{((recordsBefore(tape, tape.head) / recordsBefore(tape, tape.end)) * 100).toFixed(1)}</span> % of the log read
                </>
              )}
            </>
          )}
          {own.length > 1 && ` · ${own.length} partitions`}
        </p>
      )}
    </>
  )
}

/** Reports come a few times a second; while records are traced the head stands where the last one was read. */
function traced(tape: Tape, reads: TraceSummary['reads'][string] | undefined): Tape {
  const near = reads !== undefined && reads.partition === tape.partition && Math.abs(reads.head - tape.head) < TRACE_NEAR
  return near ? { ...tape, head: reads.head } : tape
}
const TRACE_NEAR = 200

function KeyedContent({ vertex, rows, laneKey }: { readonly vertex: JobVertex; readonly rows: number; readonly laneKey: string }) {
  const flow = useRun((state) => state.run.flows[laneKey])
  const record = useRun((state) => currentCheckpoint(state.run.checkpoints))
  const recovering = useRun((state) => isRecovering(state.run.recovery))
  const state = flow?.report.operators.find((operator) => operator.keyed !== null)?.keyed
  if (flow === undefined || state == null) return null
  const keyFields = vertex.chain.flatMap((operator) => operator.keyFields).find((fields) => fields !== null) ?? []
  const part = record?.status === 'IN_PROGRESS' ? record.subtasks.find((one) => `${one.vertex}_${one.subtask}` === laneKey) : undefined
  return <StateTable state={state} keyName={keyFields.join(' · ')} attempt={flow.report.attempt} rows={rows} part={part} recovering={recovering} />
}

function SinkOf({ vertex, height, subtask }: { readonly vertex: JobVertex; readonly height: number; readonly subtask: number }) {
  const operator = vertex.chain.find((one) => one.output === null)
  const sink = useRun((state) => (operator === undefined ? undefined : state.sinks[operator.uid]))
  return operator === undefined ? null : <SinkContent operator={operator} sink={sink} height={height} subtask={subtask} />
}
