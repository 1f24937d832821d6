import { describe, expect, it } from 'vitest'
import { Prng } from '../../../workers/base/prng.ts'
import { Cluster } from './harness.ts'

/** One random thing that can happen to a cluster. */
function step(cluster: Cluster, random: Prng): void {
  cluster.now += random.int(1, 3_000_000)
  const executions = cluster.machine.executions
  const { attempt, state } = random.pick(executions)
  switch (random.int(0, 6)) {
    case 0:
      if (state === 'RUNNING') cluster.fail(attempt)
      break
    case 1:
      cluster.tasksCancel()
      break
    case 2:
      cluster.trigger(random.hex(32))
      break
    case 3:
      cluster.tasksRun()
      break
    case 4: {
      const due = [...cluster.timers].filter(([, at]) => at <= cluster.now).map(([timer]) => timer)
      if (due.length > 0) cluster.fire(random.pick(due))
      break
    }
    default: {
      const triggered = cluster.all('CheckpointTriggered').at(-1)
      if (triggered !== undefined && state === 'RUNNING') cluster.ack(attempt, triggered.checkpointId)
    }
  }
}

describe('a copy of the JobManager', () => {
  it.each(Array.from({ length: 25 }, (_, seed) => seed))('goes on exactly like the original (seed %i)', (seed) => {
    const random = new Prng(seed)
    const original = new Cluster(undefined, seed).running()
    for (let i = 0; i < random.int(5, 80); i++) step(original, random)
    const copy = original.cloned()
    const other = new Prng(0)
    other.state = random.state
    for (let i = 0; i < 80; i++) step(original, random)
    const untouched = copy.events.length
    for (let i = 0; i < 80; i++) step(copy, other)
    expect(copy.events.length).toBeGreaterThanOrEqual(untouched)
    expect(copy.events).toEqual(original.events)
    expect(copy.storageSystem.paths()).toEqual(original.storageSystem.paths())
    expect([...copy.timers]).toEqual([...original.timers])
  })
})
