import { describe, expect, it } from 'vitest'
import { Prng } from '../../../workers/base/prng.ts'
import { Agenda } from '../../../workers/hosts/browser/agenda.ts'
import { Timers } from '../../../workers/hosts/browser/timers.ts'

function drain<T>(agenda: Agenda<T>): T[] {
  const items: T[] = []
  while (agenda.nextDue !== Infinity) items.push(agenda.pop() as T)
  return items
}

describe('Agenda', () => {
  it('gives what is due first; of the same time in order of arrival', () => {
    const random = new Prng(7)
    const agenda = new Agenda<{ due: number; order: number }>()
    const all = Array.from({ length: 500 }, (_, order) => ({ due: random.int(0, 40), order }))
    for (const item of all) agenda.add(item.due, item)
    expect(drain(agenda)).toEqual(all.toSorted((a, b) => a.due - b.due || a.order - b.order))
  })

  it('stays in order when items come and go', () => {
    const random = new Prng(3)
    const agenda = new Agenda<number>()
    for (let i = 0; i < 2000; i++) {
      if (random.chance(0.6)) agenda.add(random.int(0, 1000), i)
      else agenda.pop()
    }
    let before = -1
    while (agenda.nextDue !== Infinity) {
      expect(agenda.nextDue).toBeGreaterThanOrEqual(before)
      before = agenda.nextDue
      agenda.pop()
    }
  })

  it('lets some out of turn and keeps the others in order', () => {
    const agenda = new Agenda<string>()
    for (const [due, item] of [[3, 'c'], [1, 'A'], [2, 'b'], [4, 'D'], [1, 'a']] as const) agenda.add(due, item)
    expect(agenda.takeOut((item) => item === item.toUpperCase())).toEqual(['A', 'D'])
    expect(drain(agenda)).toEqual(['a', 'b', 'c'])
  })
})

describe('Timers', () => {
  it('setting a timer again replaces it, and one comes at a time', () => {
    const timers = new Timers()
    timers.set('a', 5)
    timers.set('b', 3)
    timers.set('a', 1)
    expect(timers.pop()).toEqual({ timer: 'a', at: 1 })
    timers.clear('b')
    expect(timers.nextDue).toBe(Infinity)
    expect(timers.pop()).toBeUndefined()
  })
})
