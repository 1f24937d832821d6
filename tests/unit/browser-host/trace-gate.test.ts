import { describe, expect, it } from 'vitest'
import { TraceGate } from '../../../workers/hosts/browser/trace-gate.ts'
import type { EventBody } from '../../../workers/model/events.ts'

function setup(wanted = true) {
  const world = { passed: 0, isTraceSpent: false, told: [] as boolean[], events: [] as EventBody[] }
  const gate = new TraceGate(
    { passed: () => world.passed, setTraced: (traced) => world.told.push(traced) },
    { get isTraceSpent() { return world.isTraceSpent }, event: (body) => world.events.push(body) },
    wanted,
  )
  return { world, gate }
}

describe('the gate of the record trace', () => {
  it('closes when the budget of the interval is spent: the task itself stops tracing', () => {
    const { world, gate } = setup()
    gate.update()
    world.isTraceSpent = true
    gate.update()
    gate.update()
    expect(world.told).toEqual([false])
  })

  it('opens with the next interval and says how many records went by untraced', () => {
    const { world, gate } = setup()
    Object.assign(world, { isTraceSpent: true, passed: 100 })
    gate.update()
    Object.assign(world, { isTraceSpent: false, passed: 5100 })
    gate.update()
    expect(world.told).toEqual([false, true])
    expect(world.events).toEqual([{ type: 'EventsDropped', count: 5000, level: 'trace' }])
  })

  it('says it too when the task ends or is not to be traced any more, once', () => {
    const { world, gate } = setup()
    world.isTraceSpent = true
    gate.update()
    world.passed = 7
    gate.told(false)
    gate.settle()
    expect(world.events).toEqual([{ type: 'EventsDropped', count: 7, level: 'trace' }])
    world.isTraceSpent = false
    gate.update()
    expect(world.told).toEqual([false])
  })

  it('a task that is not to be traced is left alone, and one that is told so while the gate is closed is closed again', () => {
    const { world, gate } = setup(false)
    world.isTraceSpent = true
    gate.update()
    expect(world.told).toEqual([])
    gate.told(true)
    gate.update()
    expect(world.told).toEqual([false])
  })

  it('nothing that went by is no event', () => {
    const { world, gate } = setup()
    world.isTraceSpent = true
    gate.update()
    world.isTraceSpent = false
    gate.update()
    expect(world.events).toEqual([])
  })
})
