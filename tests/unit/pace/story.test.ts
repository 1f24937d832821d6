import { describe, expect, it } from 'vitest'
import { Story } from '../../../src/cluster/story.ts'
import type { EventBody } from '../../../workers/model/events.ts'
import type { ExecutionAttemptId, JobId, VertexId } from '../../../workers/model/ids.ts'
import { MICROS_PER_SECOND as S } from '../../../workers/model/time.ts'

const JOB = 'a'.repeat(32) as JobId
const status = (from: 'CREATED' | 'RUNNING' | 'RESTARTING', to: 'RUNNING' | 'RESTARTING' | 'CANCELED'): EventBody => ({
  type: 'JobStatusChanged', job: JOB, from, to,
})
const task = (to: 'DEPLOYING' | 'RUNNING' | 'FAILED'): EventBody => ({
  type: 'TaskStateChanged', attempt: 'v_0_1' as ExecutionAttemptId, vertex: 'v' as VertexId, subtask: 0, to, taskManager: null,
})
const triggered: EventBody = { type: 'CheckpointTriggered', checkpointId: 1, periodic: true, tasks: 5 }
const completed: EventBody = { type: 'CheckpointCompleted', checkpointId: 1, externalPath: '/c', checkpointedBytes: 1, stateBytes: 1, durationMicros: 1 }

function running(): Story {
  const story = new Story()
  story.setJob({ linkLatencyMicros: 20_000 })
  story.onEvent(status('CREATED', 'RUNNING'), 0, 0)
  return story
}

/** Wall milliseconds until the clock of a plan shows `target`. */
function wallMillis(story: Story, now: number, target: number, wall: number): number {
  const [first, second] = story.plan(now, wall).changes
  expect(second === undefined || second.engine >= target).toBe(true)
  return (target - now) / ((first?.pace ?? 0) * 1000)
}

describe('story pace', () => {
  it('goes at pace 1 while no job runs', () => {
    expect(new Story().plan(5, 0)).toMatchObject({ phase: 'still', changes: [{ engine: 5, pace: 1 }] })
  })

  it('hurries through the first quiet stretch, so that the first barrier comes within ten seconds', () => {
    const story = running()
    for (const next of [2 * S, 10 * S, 60 * S]) {
      story.onEvent({ type: 'CheckpointScheduled', nextAt: next }, 0, 0)
      expect(wallMillis(story, 0, next, 0)).toBeLessThan(5000)
    }
  })

  it('does not hurry towards the first trigger before every task runs: it would be refused', () => {
    const story = running()
    story.onEvent({ type: 'CheckpointScheduled', nextAt: 8 * S }, 0, 0)
    expect(story.onEvent(task('DEPLOYING'), 0, 0)).toBe(true)
    expect(wallMillis(story, 0, 8 * S, 0)).toBeGreaterThan(20_000)
    expect(story.onEvent(task('RUNNING'), S, 4000)).toBe(true)
    expect(wallMillis(story, S, 8 * S, 4000)).toBeLessThan(5000)
  })

  it('lays the slow stretch out at the announced trigger, beforehand', () => {
    const story = running()
    story.onEvent({ type: 'CheckpointScheduled', nextAt: 10 * S }, 0, 0)
    const plan = story.plan(0, 0)
    expect(plan.changes[1]).toEqual({ engine: 10 * S, pace: story.slowPace })
    expect(plan.coversTrigger).toBe(10 * S)
  })

  it('does not get slower the nearer the trigger is', () => {
    const story = running()
    story.onEvent({ type: 'CheckpointScheduled', nextAt: 10 * S }, 0, 0)
    const first = story.plan(0, 0).changes[0]?.pace
    expect(story.plan(9 * S, 2700).changes[0]?.pace).toBe(first)
  })

  it('shows a barrier hop for eight tenths of a second', () => {
    expect(20_000 / running().slowPace / 1000).toBeCloseTo(800)
  })

  it('stays slow until the checkpoint has completed and a moment longer', () => {
    const story = running()
    story.onEvent(triggered, 10 * S, 3000)
    expect(story.plan(10 * S, 3100)).toMatchObject({ phase: 'barriers' })
    story.onEvent(completed, 11 * S, 5000)
    const plan = story.plan(11 * S, 5000)
    expect(plan.phase).toBe('barriers')
    expect(plan.lookAgainAt).not.toBeNull()
    expect(story.plan(11 * S, plan.lookAgainAt ?? 0).phase).toBe('quiet')
  })

  it('a slow stretch that does not end gets faster', () => {
    const story = running()
    story.onEvent(triggered, 0, 0)
    const early = story.plan(0, 1000).changes[0]?.pace ?? 0
    expect(story.plan(0, 20_000).changes[0]?.pace).toBeGreaterThan(4 * early)
  })

  it('a restart back-off waits no longer than three wall seconds, however long it is', () => {
    for (const seconds of [1, 10, 120]) {
      const story = running()
      story.onEvent(status('RUNNING', 'RESTARTING'), 0, 0)
      story.onEvent({ type: 'RestartScheduled', attemptNumber: 1, delayMicros: seconds * S, strategy: 'fixed-delay', cause: 'x' }, 0, 0)
      expect(wallMillis(story, 0, seconds * S, 0)).toBeLessThan(3000)
    }
  })

  it('brings the first trigger within six wall seconds wherever the random first delay has put it', () => {
    for (const tenths of [1, 5, 20, 50, 75, 100]) {
      const story = running()
      story.onEvent({ type: 'CheckpointScheduled', nextAt: (tenths * S) / 10 }, 0, 0)
      story.onEvent(task('DEPLOYING'), 0, 0)
      story.onEvent(task('RUNNING'), 0, 500)
      expect(wallMillis(story, 0, (tenths * S) / 10, 500)).toBeLessThan(6000)
    }
  })

  it('a back-off that is over is called a recovery, before the first task is deployed', () => {
    const story = running()
    story.onEvent({ type: 'RestartScheduled', attemptNumber: 1, delayMicros: 10 * S, strategy: 'fixed-delay', cause: 'x' }, 0, 0)
    expect(story.plan(5 * S, 1000).phase).toBe('back-off')
    expect(story.plan(10 * S, 2000)).toMatchObject({ phase: 'recovery', changes: [{ pace: story.slowPace }] })
  })

  it('a back-off goes on as quickly when another part breaks or fails meanwhile', () => {
    const story = running()
    story.onEvent(status('RUNNING', 'RESTARTING'), 0, 0)
    story.onEvent({ type: 'RestartScheduled', attemptNumber: 1, delayMicros: S, strategy: 'fixed-delay', cause: 'x' }, 0, 0)
    story.onFault(1.2 * S, 100)
    story.onEvent(task('FAILED'), 0.05 * S, 100)
    expect(wallMillis(story, 0.05 * S, S, 100)).toBeLessThan(2500)
    // Restored before the second loss is noticed: that moment is hurried to as well.
    story.onEvent(task('DEPLOYING'), S, 2000)
    expect(story.plan(S, 2000).phase).toBe('recovery')
    expect(wallMillis(story, S, 1.2 * S, 2000)).toBeLessThan(2000)
  })

  it('a loss after which nothing fails does not stay slow', () => {
    const story = running()
    story.onEvent({ type: 'CheckpointScheduled', nextAt: 10 * S }, 0, 0)
    story.onFault(S, 0)
    const noticed = story.plan(0, 0).lookAgainAt ?? Infinity
    expect(noticed).toBeLessThan(2000)
    const ends = story.plan(S, noticed).lookAgainAt ?? Infinity
    expect(story.plan(S + 1, ends).phase).toBe('quiet')
  })

  it('hurries to the moment when a loss is noticed', () => {
    const story = running()
    story.onFault(S, 0)
    expect(wallMillis(story, 0, S, 0)).toBeLessThan(2000)
  })

  it('is slow while tasks are restored, and quiet again once all run', () => {
    const story = running()
    story.onEvent(task('FAILED'), 0, 0)
    expect(story.plan(0, 0).phase).toBe('failure')
    story.onEvent(status('RUNNING', 'RESTARTING'), 0, 0)
    story.onEvent(task('DEPLOYING'), 0, 0)
    expect(story.plan(0, 0).phase).toBe('recovery')
    story.onEvent(task('RUNNING'), 0, 100)
    expect(story.plan(0, 10_000).phase).toBe('quiet')
  })

  it('forgets everything when the job has ended', () => {
    const story = running()
    story.onEvent(triggered, 0, 0)
    story.onEvent(status('RUNNING', 'CANCELED'), 0, 0)
    expect(story.plan(0, 0)).toMatchObject({ phase: 'still' })
  })
})
