import { expect, test } from 'vitest'
import { EMPTY_CHANNEL_VIEW, inputChannels, reduceChannelReport, reduceChannels, waitsAt } from '../../../workers/projections/channel-view.ts'
import { reduceFlow } from '../../../workers/projections/flow-view.ts'
import { EMPTY_JOB_VIEW, tasksOn } from '../../../workers/projections/job-view.ts'
import { narrate } from '../../../workers/projections/narration.ts'
import { reduceJob } from '../../../workers/projections/reduce-job.ts'
import { downtime, isRecovering, stageDurations } from '../../../workers/projections/recovery-view.ts'
import { emptyRunView, reduceRun } from '../../../workers/projections/run-view.ts'
import { slotsSentence, slotsWanted } from '../../../workers/projections/slots.ts'
import { EMPTY_TAPE_VIEW, recordsBefore, reduceTapeReport, reduceTapes, replayOf } from '../../../workers/projections/tape-view.ts'
import { operatorId, taskManagerId } from '../../../workers/model/ids.ts'
import type { EngineEvent } from '../../../workers/model/events.ts'
import { at, channel, event, GRAPH, JOB, KEYED, report, SINK, SOURCE } from './fixture.ts'

const TM2 = taskManagerId('tm-2')
const FLIGHTS = operatorId(SOURCE)
const split = (offset: number) => ({ operators: [{ operator: FLIGHTS, uid: 'flights', keyed: null, splits: [{ split: 'flights-0', partition: 0, offset, first: 0, end: 5000 }], transactions: null }] })

test('a channel whose barrier came first is blocked, the one that is waited for is awaited, and both open together', () => {
  const blocked = channel(0, 1, 0)
  const awaited = channel(0, 0, 0)
  let view = reduceChannels(EMPTY_CHANNEL_VIEW, event(10, { type: 'BarrierArrived', checkpointId: 7, channel: blocked, arrived: 1, expected: 2, ...at(KEYED, 0) }), GRAPH)
  view = reduceChannels(view, event(10, { type: 'ChannelBlocked', checkpointId: 7, channel: blocked, ...at(KEYED, 0) }), GRAPH)
  expect([view[blocked]?.state, view[awaited]?.state]).toEqual(['blocked', 'awaited'])
  expect(waitsAt(view, GRAPH, KEYED, 0)).toMatchObject([{ blocked: { channel: blocked }, awaited: { channel: awaited } }])
  view = reduceChannels(view, event(30, { type: 'BarrierArrived', checkpointId: 7, channel: awaited, arrived: 2, expected: 2, ...at(KEYED, 0) }), GRAPH)
  view = reduceChannels(view, event(30, { type: 'AlignmentCompleted', checkpointId: 7, alignmentMicros: 20, ...at(KEYED, 0) }), GRAPH)
  expect([view[blocked]?.state, view[awaited]?.state]).toEqual(['open', 'open'])
  expect(waitsAt(view, GRAPH, KEYED, 0)).toEqual([])
})

test('a task that ends takes its locks and what it held with it', () => {
  const blocked = channel(0, 1, 0)
  let view = reduceChannels(EMPTY_CHANNEL_VIEW, event(10, { type: 'ChannelBlocked', checkpointId: 7, channel: blocked, ...at(KEYED, 0) }), GRAPH)
  view = reduceChannelReport(view, report(SOURCE, 1, { outputs: [{ channel: blocked, buffers: 2, records: 6, bytes: 214, credits: 2, stopped: true, sentRecords: 40, sentBuffers: 9 }] }))
  view = reduceChannels(view, event(20, { type: 'TaskStateChanged', to: 'CANCELED', taskManager: TM2, ...at(KEYED, 0) }), GRAPH)
  expect(view[blocked]).toMatchObject({ state: 'open', held: null })
})

test('a stopped subpartition shows what its sender holds', () => {
  const output = { channel: channel(0, 1, 0), buffers: 2, records: 6, bytes: 214, credits: 2, stopped: true, sentRecords: 40, sentBuffers: 9 }
  const view = reduceChannelReport(EMPTY_CHANNEL_VIEW, report(SOURCE, 1, { outputs: [output] }))
  expect(view[output.channel]?.held).toEqual({ buffers: 2, records: 6, bytes: 214 })
})

test('the channels of a subtask are in the order of its inputs', () => {
  expect(inputChannels(GRAPH, SINK, 0)).toEqual([channel(1, 0, 0), channel(1, 1, 0)])
})

test('shares of a stretch between two reports add up to one', () => {
  let view = reduceFlow({}, report(KEYED, 0, { at: 0 }))
  view = reduceFlow(view, report(KEYED, 0, { at: 1_000_000, busyMicros: 700_000, idleMicros: 100_000, backpressuredMicros: 200_000, recordsIn: 50 }))
  const flow = view[`${KEYED}_0`]
  expect([flow?.busy, flow?.idle, flow?.backpressured, flow?.inRate]).toEqual([0.7, 0.1, 0.2, 50])
})

test('a restored source puts its head back, and the distance is to be replayed', () => {
  let view = reduceTapeReport(EMPTY_TAPE_VIEW, report(SOURCE, 0, { at: 5, ...split(110) }))
  view = reduceTapes(view, event(6, { type: 'SourceRewound', operator: FLIGHTS, split: 'flights-0', to: 40, ...at(SOURCE, 0, 1) }))
  expect(Object.values(view)[0]).toMatchObject({ head: 40, rewound: { from: 110, to: 40, caughtUpAt: null } })
  view = reduceTapeReport(view, report(SOURCE, 0, { at: 7, ...split(80) }))
  expect(replayOf(view)).toEqual({ total: 70, done: 40, caughtUp: false })
  view = reduceTapeReport(view, report(SOURCE, 0, { at: 9, ...split(115) }))
  expect(replayOf(view)).toEqual({ total: 70, done: 70, caughtUp: true })
})

test('a second failure before the old frontier is reached keeps the old frontier', () => {
  let view = reduceTapeReport(EMPTY_TAPE_VIEW, report(SOURCE, 0, { at: 5, ...split(110) }))
  view = reduceTapes(view, event(6, { type: 'SourceRewound', operator: FLIGHTS, split: 'flights-0', to: 40, ...at(SOURCE, 0, 1) }))
  view = reduceTapeReport(view, report(SOURCE, 0, { at: 7, ...split(60) }))
  view = reduceTapes(view, event(8, { type: 'SourceRewound', operator: FLIGHTS, split: 'flights-0', to: 40, ...at(SOURCE, 0, 2) }))
  expect(Object.values(view)[0]?.rewound).toMatchObject({ from: 110, to: 40 })
})

test('a task names the TaskManager that it ran on before, and late words of an old attempt change nothing', () => {
  let view = reduceJob(EMPTY_JOB_VIEW, event(1, { type: 'TaskStateChanged', to: 'RUNNING', taskManager: TM2, ...at(KEYED, 1, 0) }))
  view = reduceJob(view, event(5, { type: 'TaskStateChanged', to: 'DEPLOYING', taskManager: taskManagerId('tm-3'), ...at(KEYED, 1, 1) }))
  view = reduceJob(view, event(6, { type: 'TaskStateChanged', to: 'CANCELED', taskManager: TM2, ...at(KEYED, 1, 0) }))
  expect(view.tasks[`${KEYED}_1`]).toMatchObject({ state: 'DEPLOYING', taskManager: 'tm-3', formerTaskManager: 'tm-2' })
  expect(tasksOn(view, taskManagerId('tm-3')).length).toBe(1)
})

test('a lost TaskManager stays in the picture and its successor is marked as a replacement', () => {
  let view = reduceJob(EMPTY_JOB_VIEW, event(1, { type: 'TaskManagerRegistered', taskManager: TM2, slots: 3 }))
  view = reduceJob(view, event(2, { type: 'TaskManagerLost', taskManager: TM2, cause: 'terminated' }))
  view = reduceJob(view, event(3, { type: 'TaskManagerRegistered', taskManager: taskManagerId('tm-3'), slots: 3 }))
  expect(view.taskManagers.map((tm) => [tm.id, tm.state, tm.replacement])).toEqual([
    ['tm-2', 'lost', false],
    ['tm-3', 'live', true],
  ])
})

const NAMES = ['Flights 0', 'Delay 0'] as const

test('each sentence names who acts and has figures with units', () => {
  const said = (body: EngineEvent['body']) => {
    const sentence = narrate(event(0, body), GRAPH)
    return sentence === null ? null : `${sentence.subject ?? ''} ${sentence.text}`.trim()
  }
  expect(said({ type: 'ChannelRateChanged', channel: channel(0, 0, 0), bytesPerSecond: 65_536, ...at(SOURCE, 0) })).toBe(`${NAMES[0]} sends ${NAMES[1]} at most 64.0 KB a second from now on.`)
  expect(said({ type: 'ChannelRateChanged', channel: channel(0, 0, 0), bytesPerSecond: null, ...at(SOURCE, 0) })).toBe(`${NAMES[0]} sends to ${NAMES[1]} without a limit again.`)
  expect(said({ type: 'ChannelBlocked', checkpointId: 7, channel: channel(0, 0, 0), ...at(KEYED, 0) })).toBe(`${NAMES[1]} blocks the channel from ${NAMES[0]}: barrier 7 came there first.`)
  expect(said({ type: 'AlignmentCompleted', checkpointId: 7, alignmentMicros: 372_000, ...at(KEYED, 0) })).toBe('Delay 0 has every barrier 7 after 372 ms.')
  expect(said({ type: 'FaultInjected', fault: 'kill-task-manager', target: 'tm-2' })).toBe('You kill TM-2.')
  expect(said({ type: 'CheckpointScheduled', nextAt: 5 })).toBeNull()
  expect(said({ type: 'UnalignedSnapshotStarted', checkpointId: 7, ...at(KEYED, 0) })).toBe('Delay 0 takes its snapshot 7 without waiting for the other barriers: what is in flight becomes part of it.')
  expect(said({ type: 'BarrierPulledForward', checkpointId: 7, channel: channel(0, 0, 0), side: 'input', ...at(KEYED, 0) })).toBe('Delay 0 lets barrier 7 from Flights 0 pass what stands before it.')
  expect(said({ type: 'BarrierPulledForward', checkpointId: 7, channel: channel(0, 0, 0), side: 'output', ...at(SOURCE, 0) })).toBe('Flights 0 lets barrier 7 to Delay 0 pass what stands before it.')
  expect(said({ type: 'InFlightPersisted', checkpointId: 7, inputBytes: 300, outputBytes: 100, ...at(KEYED, 0) })).toBe('Delay 0 keeps 400 B in flight as part of checkpoint 7: 300 B before it, 100 B behind it.')
  expect(said({ type: 'InFlightRestored', checkpointId: 7, side: 'input', records: 1, ...at(KEYED, 0) })).toBe('Delay 0 has 1 record back in its inputs that was in flight at checkpoint 7.')
  expect(said({ type: 'InFlightRestored', checkpointId: 7, side: 'output', records: 3, ...at(KEYED, 0) })).toBe('Delay 0 has 3 records back in its outputs that were in flight at checkpoint 7.')
  expect(said({ type: 'CheckpointTriggered', checkpointId: 8, periodic: false, tasks: 5, savepoint: true })).toBe('The JobManager triggers savepoint 8: 5 subtasks must acknowledge it, and its barriers overtake nothing.')
  expect(said({ type: 'CheckpointCompleted', checkpointId: 8, externalPath: '/s', checkpointedBytes: 20, stateBytes: 20, durationMicros: 4000, savepoint: true })).toBe('Savepoint 8 is complete after 4 ms: 20 B written, nothing committed.')
})

function recovery(): EngineEvent[] {
  const tasks = [at(SOURCE, 0), at(SOURCE, 1), at(KEYED, 0), at(KEYED, 1), at(SINK, 0)]
  const again = [at(SOURCE, 0, 1), at(SOURCE, 1, 1), at(KEYED, 0, 1), at(KEYED, 1, 1), at(SINK, 0, 1)]
  return [
    ...tasks.map((task) => event(1, { type: 'TaskStateChanged', to: 'RUNNING', taskManager: TM2, ...task })),
    event(2, { type: 'JobStatusChanged', job: JOB, from: 'CREATED', to: 'RUNNING' }),
    event(100, { type: 'FaultInjected', fault: 'kill-task-manager', target: 'tm-2' }),
    event(118, { type: 'TaskManagerLost', taskManager: TM2, cause: 'tm-2 is no longer reachable' }),
    event(118, { type: 'JobStatusChanged', job: JOB, from: 'RUNNING', to: 'RESTARTING' }),
    event(120, { type: 'RestartScheduled', attemptNumber: 1, delayMicros: 1000, strategy: 'exponential-delay', cause: 'lost' }),
    ...tasks.map((task) => event(130, { type: 'TaskStateChanged', to: 'CANCELED', taskManager: TM2, ...task })),
    event(1130, { type: 'CheckpointRestored', checkpointId: 3, externalPath: '/x' }),
    event(1150, { type: 'SourceRewound', operator: FLIGHTS, split: 'flights-0', to: 40, ...at(SOURCE, 0, 1) }),
    event(1200, { type: 'StateRestored', checkpointId: 3, operator: operatorId(KEYED), keys: 6, bytes: 1430, ...at(KEYED, 0, 1) }),
    ...again.map((task) => event(1250, { type: 'TaskStateChanged', to: 'RUNNING', taskManager: TM2, ...task })),
    event(1251, { type: 'JobStatusChanged', job: JOB, from: 'RESTARTING', to: 'RUNNING' }),
  ]
}

test('a recovery has its stages in order, and its replay counts from the restored offset to the old head', () => {
  const before = reduceRun(emptyRunView(GRAPH), recovery().slice(0, 6), [report(SOURCE, 0, { at: 90, ...split(110) })])
  const down = reduceRun(before, recovery().slice(6), [])
  expect(down.recovery).toMatchObject({ restoredFrom: 3, replayTotal: 70, replayed: 0, keys: 6 })
  expect(down.recovery === null ? null : downtime(down.recovery)).toBe(1151)
  expect(stageDurations(down.recovery!, 1300).map((stage) => stage.stage)).toEqual(['detected', 'cancelled', 'back-off', 'rewound', 'restored', 'channels', 'caught-up'])
  const done = reduceRun(down, [], [{ ...report(SOURCE, 0, { at: 1500, ...split(120) }), ...at(SOURCE, 0, 1) }])
  expect(done.recovery).toMatchObject({ replayed: 70, ends: { 'caught-up': 1500 } })
  expect(done.job.attempts.map((one) => [one.number, one.from, one.downMicros])).toEqual([
    [1, null, null],
    [2, 3, 1151],
  ])
})

test('after the loss of the JobManager the recovery is not over while the tasks in the log are those of before', () => {
  const first = [at(SOURCE, 0), at(SOURCE, 1), at(KEYED, 0), at(KEYED, 1), at(SINK, 0)]
  const again = [at(SOURCE, 0, 1), at(SOURCE, 1, 1), at(KEYED, 0, 1), at(KEYED, 1, 1), at(SINK, 0, 1)]
  const before = reduceRun(
    emptyRunView(GRAPH),
    [...first.map((task) => event(1, { type: 'TaskStateChanged', to: 'RUNNING', taskManager: TM2, ...task })), event(2, { type: 'JobStatusChanged', job: JOB, from: 'CREATED', to: 'RUNNING' })],
    [report(SOURCE, 0, { at: 90, ...split(110) })],
  )
  const taken = reduceRun(
    before,
    [
      event(100, { type: 'FaultInjected', fault: 'kill-job-manager', target: 'jobmanager' }),
      event(150, { type: 'JobStatusChanged', job: JOB, from: 'INITIALIZING', to: 'RUNNING' }),
      event(160, { type: 'CheckpointRestored', checkpointId: 3, externalPath: '/x' }),
    ],
    [],
  )
  expect(taken.recovery?.ends).toMatchObject({ channels: null, 'caught-up': null })
  const back = reduceRun(
    taken,
    [
      event(200, { type: 'SourceRewound', operator: FLIGHTS, split: 'flights-0', to: 40, ...at(SOURCE, 0, 1) }),
      ...again.map((task) => event(250, { type: 'TaskStateChanged', to: 'RUNNING', taskManager: TM2, ...task })),
    ],
    [],
  )
  expect(back.recovery).toMatchObject({ replayTotal: 70, ends: { channels: 250, 'caught-up': null } })
})

test('events of several workers in one batch are told in the order of engine time', () => {
  const view = reduceRun(emptyRunView(GRAPH), [event(9, { type: 'CheckpointAborted', checkpointId: 1, reason: 'CHECKPOINT_EXPIRED', message: 'late' }), event(3, { type: 'CheckpointTriggered', checkpointId: 1, periodic: true, tasks: 5 }, 'other')], [])
  expect(view.narration.map((sentence) => sentence.at)).toEqual([3, 9])
  expect(view.checkpoints.history[0]?.status).toBe('FAILED')
})

test('the last barrier of an alignment is not told as a block, the first one is', () => {
  const arrived = (time: number, up: number, count: number): EngineEvent[] => [
    event(time, { type: 'BarrierArrived', checkpointId: 1, channel: channel(0, up, 0), arrived: count, expected: 2, ...at(KEYED, 0) }),
    event(time, { type: 'ChannelBlocked', checkpointId: 1, channel: channel(0, up, 0), ...at(KEYED, 0) }),
  ]
  const view = reduceRun(emptyRunView(GRAPH), [event(1, { type: 'CheckpointTriggered', checkpointId: 1, periodic: true, tasks: 5 }), ...arrived(2, 0, 1), ...arrived(3, 1, 2)], [])
  expect(view.narration.filter((sentence) => sentence.text.startsWith('blocks')).map((sentence) => sentence.at)).toEqual([2])
})

test('a failure that is not recoverable is told as such, a strategy that allows no restart by its name', () => {
  const told = (strategy: string) => narrate(event(0, { type: 'RecoverySuppressed', strategy, cause: 'why' }), GRAPH)
  expect(JSON.stringify(told('The failure is not recoverable'))).toContain('The failure is not recoverable: why')
  expect(JSON.stringify(told('NoRestartBackoffTimeStrategy'))).toContain('The restart strategy none allows no restart: why')
})

test('a job that has failed has no attempt and no checkpoint to come, and its recovery stands still', () => {
  const events = [
    ...recovery().slice(0, 6),
    event(125, { type: 'CheckpointScheduled', nextAt: 5000 }),
    event(140, { type: 'JobStatusChanged', job: JOB, from: 'RESTARTING', to: 'FAILING', cause: 'no slots' }),
    event(141, { type: 'JobStatusChanged', job: JOB, from: 'FAILING', to: 'FAILED', cause: 'no slots' }),
  ]
  const down = reduceRun(emptyRunView(GRAPH), events.slice(0, -1), [])
  expect([isRecovering(down.recovery), down.checkpoints.nextAt, down.job.attempts.length]).toEqual([true, 5000, 2])
  const failed = reduceRun(down, events.slice(-1), [])
  expect([isRecovering(failed.recovery), failed.checkpoints.nextAt, failed.job.restart]).toEqual([false, null, null])
  expect(failed.job.attempts.map((one) => [one.number, one.endedAt === null])).toEqual([[1, false]])
  expect(failed.recovery?.abandoned).toEqual({ at: 141, status: 'FAILED' })
  expect(stageDurations(failed.recovery!, 9_000_000).some((stage) => stage.open)).toBe(false)
})

test('the only attempt of a job that fails before it runs ends with what it failed of', () => {
  const view = reduceRun(emptyRunView(GRAPH), [event(1, { type: 'JobStatusChanged', job: JOB, from: 'INITIALIZING', to: 'CREATED' }), event(2, { type: 'JobStatusChanged', job: JOB, from: 'CREATED', to: 'FAILED', cause: 'no slots' })], [])
  expect(view.job.attempts).toMatchObject([{ number: 1, endedAt: 2, endedBy: 'no slots' }])
})

test('a subtask that does not run measures nothing, and keeps what it reported', () => {
  const key = `${KEYED}_0`
  const running = event(1, { type: 'TaskStateChanged', to: 'RUNNING', taskManager: TM2, ...at(KEYED, 0) })
  const reports = [report(KEYED, 0, { at: 10 }), report(KEYED, 0, { at: 1_000_000, busyMicros: 999_990, recordsIn: 50, recordsOut: 50 })]
  const busy = reduceRun(emptyRunView(GRAPH), [running], reports)
  expect(busy.flows[key]?.busy).toBe(1)
  const dead = reduceRun(busy, [event(1_100_000, { type: 'TaskStateChanged', to: 'CANCELED', taskManager: TM2, ...at(KEYED, 0) })], [report(KEYED, 0, { at: 1_200_000, busyMicros: 1_199_990, recordsIn: 60 })])
  expect(dead.flows[key]).toMatchObject({ busy: null, backpressured: null, inRate: null, outRate: null, report: { recordsIn: 60 } })
  const again = reduceRun(dead, [event(1_300_000, { type: 'TaskStateChanged', to: 'DEPLOYING', taskManager: TM2, ...at(KEYED, 0, 1) })], [])
  expect(again.flows[key]?.busy).toBeNull()
})

test('late words of an attempt that has a successor leave the measures of the successor', () => {
  const again = { ...at(KEYED, 0, 1) }
  const reports = [{ ...report(KEYED, 0, { at: 10 }), ...again }, { ...report(KEYED, 0, { at: 1_000_000, busyMicros: 500 }), ...again }]
  const view = reduceRun(emptyRunView(GRAPH), [event(1, { type: 'TaskStateChanged', to: 'RUNNING', taskManager: TM2, ...again })], reports)
  expect(reduceRun(view, [event(2, { type: 'TaskStateChanged', to: 'CANCELED', taskManager: TM2, ...at(KEYED, 0, 0) })], []).flows[`${KEYED}_0`]?.busy).toBe(1)
})

test('an attempt that is to come has no downtime of the recovery before', () => {
  const back = reduceRun(emptyRunView(GRAPH), recovery(), [])
  const restart = event(9000, { type: 'RestartScheduled', attemptNumber: 2, delayMicros: 1000, strategy: 'exponential-delay', cause: 'lost' })
  expect(reduceRun(back, [restart], []).job.attempts.map((one) => one.downMicros)).toEqual([null, 1151, null])
})

test('a job with too few slots says how many it waits for, and nothing once they are there', () => {
  const scheduled = [0, 1].map((subtask) => event(2, { type: 'TaskStateChanged', to: 'SCHEDULED', taskManager: null, ...at(KEYED, subtask) }))
  const start = [
    event(1, { type: 'JobStatusChanged', job: JOB, from: 'CREATED', to: 'RUNNING' }),
    event(1, { type: 'TaskManagerRegistered', taskManager: TM2, slots: 1 }),
    ...scheduled,
  ]
  const view = reduceRun(emptyRunView(GRAPH), start, [])
  expect(slotsWanted(view.job, GRAPH)).toEqual({ needed: 2, there: 1, since: 2 })
  expect(slotsSentence({ needed: 3, there: 2 })).toBe('waiting for 3 slots, 2 are there')
  expect(slotsSentence({ needed: 2, there: 1 })).toBe('waiting for 2 slots, 1 is there')
  const lost = reduceRun(view, [event(3, { type: 'TaskManagerLost', taskManager: TM2, cause: 'terminated' })], [])
  expect(slotsWanted(lost.job, GRAPH)).toEqual({ needed: 2, there: 0, since: 2 })
  const enough = reduceRun(view, [event(3, { type: 'TaskManagerRegistered', taskManager: taskManagerId('tm-3'), slots: 1 })], [])
  expect(slotsWanted(enough.job, GRAPH)).toBeNull()
  const failed = reduceRun(view, [event(4, { type: 'JobStatusChanged', job: JOB, from: 'RUNNING', to: 'FAILED', cause: 'no slots' })], [])
  expect(slotsWanted(failed.job, GRAPH)).toBeNull()
})

test('records of a split are counted from where it begins, and none before that is known', () => {
  const part = { split: '2', partition: 1, offset: 1_007, first: 1_000, end: null }
  const rewound = reduceTapes(EMPTY_TAPE_VIEW, event(4, { type: 'SourceRewound', operator: FLIGHTS, split: '2', to: 1_005, ...at(SOURCE, 0) }))
  expect(Object.values(rewound).map((tape) => recordsBefore(tape, tape.head))).toEqual([0])
  const view = reduceTapeReport(rewound, report(SOURCE, 0, { at: 5, operators: [{ operator: FLIGHTS, uid: 'flights', keyed: null, splits: [part], transactions: null }] }))
  expect(Object.values(view).map((tape) => [recordsBefore(tape, tape.head), tape.end])).toEqual([[7, null]])
})

test('what the tasks of the job before still say is not of the job that follows, whose attempts have the same names', () => {
  const submitted = event(200, { type: 'JobSubmitted', job: JOB, name: 'next' })
  const view = reduceRun(emptyRunView(GRAPH), [submitted], [report(SOURCE, 0, { at: 190, ...split(691) })])
  const begun = reduceRun(view, [event(210, { type: 'SplitAssigned', operator: FLIGHTS, split: 'flights-0', offset: 0, ...at(SOURCE, 0) })], [])
  expect(Object.values(begun.tapes)).toMatchObject([{ head: 0, rewound: null }])
  expect(begun.flows).toEqual({})
})
