import { describe, expect, it } from 'vitest'
import { cloneGraph } from '../../../workers/base/clone.ts'
import { Prng } from '../../../workers/base/prng.ts'
import { AppendList } from '../../../workers/outside/append-list.ts'
import { JournalWeight, type OutsideSnapshot } from '../../../workers/outside/journal.ts'
import { OutsideWorld } from '../../../workers/outside/outside-world.ts'
import { ENDED_TRANSACTIONS_MAX, RETAINED_ROWS_MAX } from '../../../workers/outside/sink-store.ts'
import { topicContent } from '../../../workers/outside/topics.ts'
import { OTHER_JOB, OutsideHarness } from './outside-harness.ts'

describe('fencing by token', () => {
  it('refuses every request with a token older than the newest seen of the job', () => {
    const outside = new OutsideHarness([topicContent('t', [1], 1)])
    outside.begin('t1')
    expect(outside.outcome({ type: 'fetch', topic: 't', partition: 0, offset: 0, limit: 1 }, 2)).toBe('ok')
    expect(outside.write('t1', 'a')).toBe('FENCED')
    expect(outside.outcome({ type: 'fetch', topic: 't', partition: 0, offset: 0, limit: 1 }, 1)).toBe('FENCED')
    expect(outside.outcome({ type: 'write', sink: 'out', transaction: 't1', rows: ['b'] }, 2)).toBe('ok')
    expect(outside.world.view('out').uncommitted).toEqual(['b'])
  })

  it('keeps jobs apart', () => {
    const outside = new OutsideHarness([topicContent('t', [1], 1)])
    const fetch = { type: 'fetch', topic: 't', partition: 0, offset: 0, limit: 1 } as const
    outside.ask(fetch, 7)
    expect(outside.outcome(fetch, 1, OTHER_JOB)).toBe('ok')
  })

  it('survives a restore', () => {
    const outside = new OutsideHarness()
    outside.outcome({ type: 'append', sink: 'out', rows: ['a'], upsertBy: null }, 5)
    const again = new OutsideHarness([], new OutsideWorld([], outside.world.snapshot()))
    expect(again.outcome({ type: 'append', sink: 'out', rows: ['b'], upsertBy: null }, 4)).toBe('FENCED')
  })
})

describe('faults of the outside world', () => {
  it('unavailable: every request is refused for that time, and changes nothing', () => {
    const outside = new OutsideHarness()
    outside.begin('t1')
    outside.send({ type: 'fault', fault: { kind: 'unavailable', durationMicros: 100 } })
    expect(outside.write('t1', 'a')).toBe('UNAVAILABLE')
    outside.advanceTo(100)
    expect(outside.write('t1', 'b')).toBe('ok')
    expect(outside.world.view('out').uncommitted).toEqual(['b'])
    expect(outside.events).toEqual([{ type: 'FaultInjected', fault: 'outside-unavailable', target: 'outside' }])
  })

  it('available ends it early', () => {
    const outside = new OutsideHarness()
    outside.send({ type: 'fault', fault: { kind: 'unavailable', durationMicros: Infinity } })
    expect(outside.begin('t1')).toBe('UNAVAILABLE')
    outside.send({ type: 'fault', fault: { kind: 'available' } })
    expect(outside.begin('t1')).toBe('ok')
  })

  it('abort-transaction: the external system gives one up, not one that has ended', () => {
    const outside = new OutsideHarness()
    for (const id of ['t1', 't2']) outside.begin(id)
    outside.preCommit('t2')
    outside.commit('t2')
    for (const transaction of ['t1', 't2', 'none']) outside.send({ type: 'fault', fault: { kind: 'abort-transaction', sink: 'out', transaction } })
    expect(outside.states()).toEqual({ t1: 'ABORTED', t2: 'COMMITTED' })
  })
})

/** A long random life, so that restore and clone meet every kind of state. */
function randomLife(seed: number, steps: number, outside = new OutsideHarness([topicContent('t', [1, 2, 3], 2)])): OutsideHarness {
  const random = new Prng(seed)
  for (let i = 0; i < steps; i++) {
    const id = `t${random.int(0, 30)}`
    outside.advanceTo(outside.now + random.int(0, 10))
    switch (random.int(0, 8)) {
      case 0:
      case 1:
        outside.begin(id, random.pick([50, 500, Infinity]))
        break
      case 2:
      case 3:
        outside.write(id, ...Array.from({ length: random.int(0, 3) }, () => [random.int(0, 99), 'x']))
        break
      case 4:
        outside.preCommit(id)
        break
      case 5:
        outside.commit(id)
        break
      case 6:
        outside.abort(id)
        break
      case 7:
        outside.outcome({ type: 'append', sink: random.pick(['out', 'plain']), rows: [[random.int(0, 9), i]], upsertBy: random.pick([0, null]) })
        break
      default:
        outside.send({ type: 'append-to-topic', topic: 't', partition: random.int(0, 1), rows: [i] })
    }
  }
  return outside
}

const stateOf = (world: OutsideWorld) => ({ snapshot: world.snapshot(), views: world.sinkNames().map((name) => world.view(name)) })

describe('the durable form', () => {
  it.each([1, 2, 3, 4, 5])('restores the same world from its journal alone (seed %i)', (seed) => {
    const outside = randomLife(seed, 400)
    expect(outside.world.view('out').transactions.map(({ state }) => state)).toEqual(expect.arrayContaining(['COMMITTED', 'ABORTED']))
    expect(stateOf(new OutsideWorld([], null, outside.journal))).toEqual(stateOf(outside.world))
  })

  it.each([1, 2, 3, 4, 5])('restores the same world from a snapshot and the records since (seed %i)', (seed) => {
    const outside = randomLife(seed, 200)
    const snapshot = structuredClone(outside.world.snapshot())
    const before = outside.journal.length
    randomLife(seed + 100, 200, outside)
    expect(stateOf(new OutsideWorld([], snapshot, outside.journal.slice(before)))).toEqual(stateOf(outside.world))
  })

  it('survives JSON apart from infinite deadlines', () => {
    const outside = new OutsideHarness()
    outside.begin('t1', 10)
    outside.write('t1', ['a', 1, true])
    const snapshot = JSON.parse(JSON.stringify(outside.world.snapshot())) as OutsideSnapshot
    expect(stateOf(new OutsideWorld([], snapshot))).toEqual(stateOf(outside.world))
  })

  it('keeps appended rows and open transactions with their deadlines over a restore', () => {
    const topics = [topicContent('t', [1, 2], 1)]
    const outside = new OutsideHarness(topics)
    outside.send({ type: 'append-to-topic', topic: 't', partition: 0, rows: [3] })
    outside.begin('t1', 1000)
    outside.write('t1', 'a')
    const again = new OutsideHarness(topics, new OutsideWorld(topics, null, outside.journal))
    expect(again.ask({ type: 'fetch', topic: 't', partition: 0, offset: 1, limit: 9 })).toMatchObject({ fetched: { rows: [2, 3], endOffset: 3 } })
    again.advanceTo(1000)
    expect(again.states()).toEqual({ t1: 'ABORTED' })
  })

  it('persists nothing for a request that changes nothing', () => {
    const outside = new OutsideHarness([topicContent('t', [1], 1)])
    outside.begin('t1')
    const before = outside.journal.length
    outside.ask({ type: 'fetch', topic: 't', partition: 0, offset: 0, limit: 1 })
    outside.begin('t1')
    outside.write('t1')
    outside.commit('t1')
    outside.abort('none')
    expect(outside.journal).toHaveLength(before)
  })

  it('asks for a snapshot when the journal weighs as much as the last one', () => {
    const weight = new JournalWeight()
    const record = { type: 'append', sink: 'out', rows: Array.from({ length: 996 }, () => 1) } as const
    const untilDue = () => {
      let records = 0
      for (; !weight.isDue; records++) weight.add(record)
      return records
    }
    expect(untilDue()).toBe(20)
    const outside = new OutsideHarness()
    for (let i = 0; i < 40; i++) outside.ask({ ...record, upsertBy: null })
    weight.compacted(outside.world.snapshot())
    expect(untilDue()).toBe(80)
  })

  it('reset forgets sinks and appended rows, not the tokens', () => {
    const outside = new OutsideHarness([topicContent('t', [1], 1)])
    outside.outcome({ type: 'append', sink: 'out', rows: ['a'], upsertBy: null }, 3)
    outside.send({ type: 'append-to-topic', topic: 't', partition: 0, rows: [2] })
    outside.send({ type: 'reset' })
    expect(outside.world.sinkNames()).toEqual([])
    expect(outside.ask({ type: 'fetch', topic: 't', partition: 0, offset: 0, limit: 9 }, 3)).toMatchObject({ fetched: { endOffset: 1 } })
    expect(outside.begin('t1')).toBe('FENCED')
  })
})

describe('a copy of the machine', () => {
  it.each([11, 12, 13])('goes on exactly like the original, and neither touches the other (seed %i)', (seed) => {
    const outside = randomLife(seed, 200)
    const copy = new OutsideHarness([], cloneGraph(outside.world))
    copy.now = outside.now
    for (const [timer, at] of outside.timers) copy.timers.set(timer, at)
    const atCopy = stateOf(copy.world)
    expect(atCopy).toEqual(stateOf(outside.world))
    const before = { events: outside.events.length, replies: outside.replies.length, journal: outside.journal.length }
    randomLife(seed + 1, 200, outside)
    expect(stateOf(copy.world)).toEqual(atCopy)
    randomLife(seed + 1, 200, copy)
    expect(stateOf(copy.world)).toEqual(stateOf(outside.world))
    expect(copy.journal).toEqual(outside.journal.slice(before.journal))
    expect(copy.events).toEqual(outside.events.slice(before.events))
    expect(copy.replies.map(({ reply }) => reply.result)).toEqual(outside.replies.slice(before.replies).map(({ reply }) => reply.result))
  })

  it('shares what a topic began with, and the full chunks of rows', () => {
    const rows = Array.from({ length: 5000 }, (_, i) => [i, `row ${i}`] as const)
    const outside = new OutsideHarness([topicContent('t', rows, 1)])
    outside.ask({ type: 'append', sink: 'out', rows, upsertBy: null })
    const copy = cloneGraph(outside.world)
    expect(copy.view('out').committed[17]).toBe(rows[17])
    const fetched = new OutsideHarness([], copy).ask({ type: 'fetch', topic: 't', partition: 0, offset: 17, limit: 1 })
    expect(fetched.ok && fetched.fetched?.rows[0]).toBe(rows[17])
  })
})

describe('bounds', () => {
  it('old rows are dropped beyond the bound, totals stay right, also over a restore', () => {
    const outside = new OutsideHarness()
    const rows = Array.from({ length: 10_000 }, (_, i) => i)
    for (let i = 0; i < 25; i++) outside.ask({ type: 'append', sink: 'out', rows, upsertBy: null })
    for (const world of [outside.world, new OutsideWorld([], outside.world.snapshot())]) {
      const view = world.view('out')
      expect(view.committedTotal).toBe(250_000)
      expect(view.committed.length).toBeGreaterThanOrEqual(RETAINED_ROWS_MAX)
      expect(view.committed.length).toBeLessThan(RETAINED_ROWS_MAX + 1024)
      expect(view.committed.at(-1)).toBe(9999)
    }
  })

  it('old ended transactions are forgotten beyond the bound, pending ones never', () => {
    const outside = new OutsideHarness()
    outside.begin('pending')
    for (let i = 0; i < ENDED_TRANSACTIONS_MAX + 5; i++) {
      outside.begin(`t${i}`)
      outside.abort(`t${i}`)
    }
    expect(outside.world.view('out').transactions).toHaveLength(ENDED_TRANSACTIONS_MAX + 1)
    expect(outside.states()).toMatchObject({ pending: 'OPEN' })
    expect(outside.states()).not.toHaveProperty('t4')
  })

  it('an append list gives the same slices as an array, whatever was trimmed', () => {
    const list = new AppendList<number>()
    const all = Array.from({ length: 5000 }, (_, i) => i)
    list.pushAll(all)
    for (const [from, to] of [[0, 5000], [1000, 1100], [1023, 1025], [4999, 9999], [5000, 5001], [3, 3]] as const) {
      expect(list.slice(from, to)).toEqual(all.slice(from, to))
    }
    list.trim(2000)
    expect(list.length).toBe(5000)
    expect(list.start).toBe(2048)
    expect(list.slice(0)).toEqual(all.slice(2048))
    list.push(5000)
    expect(list.slice(4999)).toEqual([4999, 5000])
    const restored = AppendList.restore(list.start, list.slice(0))
    expect([restored.length, restored.start, restored.slice(0)]).toEqual([5001, 2048, list.slice(0)])
  })
})
