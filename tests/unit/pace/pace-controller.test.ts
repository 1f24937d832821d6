import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { ClockOwner, wallNow, type ClockHost } from '../../../src/cluster/clock-owner.ts'
import { PaceController } from '../../../src/cluster/pace-controller.ts'
import type { EngineEvent, EventBody } from '../../../workers/model/events.ts'
import type { JobId } from '../../../workers/model/ids.ts'
import { paceAt, type PaceSchedule } from '../../../workers/model/pace.ts'

class Host implements ClockHost {
  readonly sent: PaceSchedule[] = []
  appliedEpoch = 0
  sendPace(schedule: PaceSchedule): void {
    this.sent.push(schedule)
  }
}

function controlled(): { host: Host; clock: ClockOwner; pacing: PaceController; covered: number[] } {
  const host = new Host()
  const covered: number[] = []
  const clock = new ClockOwner(() => [host])
  clock.change([{ engine: 0, pace: 1 }])
  const pacing = new PaceController(clock, { onPace: () => undefined, onTriggerCovered: (nextAt) => covered.push(nextAt) })
  pacing.setJob({ linkLatencyMicros: 20_000 })
  return { host, clock, pacing, covered }
}

const events = (...bodies: EventBody[]): EngineEvent[] => bodies.map((body, i) => ({ at: 0, source: 'jobmanager', sequence: i + 1, body }))
const running: EventBody = { type: 'JobStatusChanged', job: 'a'.repeat(32) as JobId, from: 'CREATED', to: 'RUNNING' }
const scheduled = (nextAt: number): EventBody => ({ type: 'CheckpointScheduled', nextAt })
const triggered: EventBody = { type: 'CheckpointTriggered', checkpointId: 1, periodic: true, tasks: 5 }

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

describe('the pace controller', () => {
  it('never hurries between two events that the JobManager reports at once: hosts would run ahead and then stand', () => {
    const { host, pacing } = controlled()
    pacing.onEvents(events(running, scheduled(10_000_000)))
    host.sent.length = 0
    pacing.onEvents(events(scheduled(20_000_000), triggered))
    expect(host.sent).toHaveLength(1)
    expect(host.sent.map((schedule) => paceAt(schedule, wallNow()))).toEqual([0.025])
  })

  it('lets a trigger go only when every host has the slow stretch that was laid out for it', () => {
    const { host, clock, pacing, covered } = controlled()
    pacing.onEvents(events(running, scheduled(10_000_000)))
    expect(covered).toEqual([])
    host.appliedEpoch = clock.schedule.epoch
    clock.acknowledged()
    expect(covered).toContain(10_000_000)
  })

  it('lowers the pace when work cannot keep up, says so, and raises it again when all is calm', async () => {
    const { clock, pacing } = controlled()
    void pacing.set(100)
    await vi.advanceTimersByTimeAsync(1000)
    pacing.onLagging()
    expect(pacing.status).toMatchObject({ asked: 100, limited: true })
    expect(clock.pace).toBeLessThan(100)
    await vi.advanceTimersByTimeAsync(10_000)
    expect(pacing.status).toMatchObject({ limited: false })
    expect(clock.pace).toBe(100)
  })

  it('pace 0 is a pause, and going on takes the pace from before', () => {
    const { clock, pacing } = controlled()
    void pacing.set(5)
    void pacing.pause(true)
    expect(clock.pace).toBe(0)
    void pacing.pause(false)
    expect(clock.pace).toBe(5)
  })

  it('refuses what is no pace', async () => {
    await expect(controlled().pacing.set(-1)).rejects.toThrow('a pace is')
  })
})
