import { expect, test } from 'vitest'
import { nextCheckpoint } from '../../../src/checkpoints/next-checkpoint.ts'
import { pressFault } from '../../../src/frame/press-fault.ts'
import { whyWaiting } from '../../../src/inspector/why.ts'
import { taskManagerId } from '../../../workers/model/ids.ts'
import { emptyRunView, reduceRun } from '../../../workers/projections/run-view.ts'
import { at, event, GRAPH, JOB, KEYED } from '../projections/fixture.ts'

const RUNNING = { status: 'RUNNING', cause: null, nextAt: 2_000_000, now: 1_500_000, slots: null, first: true } as const

test('a running job tells when its next checkpoint comes, also that it is due', () => {
  expect(nextCheckpoint(RUNNING)).toBe('The first one starts in 500 ms.')
  expect(nextCheckpoint({ ...RUNNING, first: false, now: 2_000_000 })).toBe('The next one is due.')
  expect(nextCheckpoint({ ...RUNNING, nextAt: null })).toBe('Periodic checkpoints disabled. Checkpoint triggers one by hand.')
})

test('a job that has ended has no next checkpoint, whatever was announced', () => {
  expect(nextCheckpoint({ ...RUNNING, status: 'FAILED', cause: 'no slots.' })).toBe('The job is FAILED: no checkpoint comes. Start begins it again. It failed of: no slots.')
  expect(nextCheckpoint({ ...RUNNING, status: 'CANCELED' })).toBe('The job is CANCELED: no checkpoint comes. Start begins it again.')
})

test('a job that waits for slots tells of them in the place of a countdown', () => {
  expect(nextCheckpoint({ ...RUNNING, slots: 'waiting for 3 slots, 2 are there' })).toBe('None can start: the job is waiting for 3 slots, 2 are there.')
})

test('why a SCHEDULED subtask waits: the slots that are needed and those that are there', () => {
  const view = reduceRun(
    emptyRunView(GRAPH),
    [
      event(1, { type: 'JobStatusChanged', job: JOB, from: 'CREATED', to: 'RUNNING' }),
      event(1, { type: 'TaskManagerRegistered', taskManager: taskManagerId('tm-1'), slots: 1 }),
      event(2, { type: 'TaskStateChanged', to: 'SCHEDULED', taskManager: null, ...at(KEYED, 0) }),
    ],
    [],
  )
  expect(whyWaiting(view, KEYED, 0, 1000).map((cause) => cause.text)).toEqual(['It is SCHEDULED', 'The job is waiting for 2 slots, 1 is there: a slot takes one subtask of each vertex'])
})

test('a fault that is done takes the waiting for a target with it', () => {
  const worker = { kind: 'task-manager', id: taskManagerId('tm-1') } as const
  expect(pressFault('kill-task-manager', 'kill-subtask', worker)).toEqual({ kill: true, armed: null })
  expect(pressFault('kill-subtask', null, worker)).toEqual({ kill: false, armed: 'kill-subtask' })
  expect(pressFault('kill-subtask', 'kill-subtask', null)).toEqual({ kill: false, armed: null })
  expect(pressFault('kill-task-manager', 'kill-subtask', null)).toEqual({ kill: false, armed: 'kill-task-manager' })
})
