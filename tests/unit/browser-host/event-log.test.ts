import { describe, expect, it } from 'vitest'
import { EventLog } from '../../../workers/hosts/browser/event-log.ts'
import type { EngineEvent } from '../../../workers/model/events.ts'

const event = (source: string, sequence: number): EngineEvent => ({ at: sequence, source, sequence, body: { type: 'RestoredEmpty' } })

describe('the log of protocol events', () => {
  it('gives every event a place over all sources', () => {
    const log = new EventLog()
    for (const item of [event('a', 1), event('b', 1), event('a', 2)]) log.add(item)
    expect(log.since(0, 10).map(({ position, source }) => `${position}${source}`)).toEqual(['1a', '2b', '3a'])
    expect(log.since(2, 10)).toHaveLength(1)
    expect(log.since(0, 2)).toHaveLength(2)
  })

  it('says where events of a source are missing', () => {
    const log = new EventLog()
    log.add(event('a', 1))
    log.add(event('a', 4))
    expect(log.since(0, 10).map(({ body }) => body)).toEqual([
      { type: 'RestoredEmpty' },
      { type: 'EventsDropped', count: 2, level: 'protocol' },
      { type: 'RestoredEmpty' },
    ])
  })

  it('takes an event once', () => {
    const log = new EventLog()
    log.add(event('a', 1))
    log.add(event('a', 1))
    expect(log.last).toBe(1)
  })

  it('a new life of a source begins with 1 again', () => {
    const log = new EventLog()
    log.add(event('jobmanager', 1))
    log.add(event('jobmanager', 2))
    log.opened('jobmanager')
    log.add(event('jobmanager', 1))
    expect(log.since(0, 10).map(({ sequence }) => sequence)).toEqual([1, 2, 1])
  })

  it('is a ring: places never change, and what has left it is counted', () => {
    const log = new EventLog(10)
    for (let i = 1; i <= 25; i++) log.add(event('a', i))
    const [first, ...rest] = log.since(0, 100)
    expect(first?.body).toEqual({ type: 'EventsDropped', count: 15, level: 'protocol' })
    expect(rest.map(({ position }) => position)).toEqual([16, 17, 18, 19, 20, 21, 22, 23, 24, 25])
    expect(log.since(20, 100).map(({ position }) => position)).toEqual([21, 22, 23, 24, 25])
  })
})
