import { describe, expect, it } from 'vitest'
import { Prng } from '../../../workers/base/prng.ts'
import { EventQueue } from '../../../workers/hosts/simulator/event-queue.ts'
import { Line } from '../../../workers/hosts/simulator/line.ts'
import { World, type Receiver } from '../../../workers/hosts/simulator/world.ts'

describe('the event queue', () => {
  it('gives by time, then tie-break, then order of arrival', () => {
    const queue = new EventQueue<string>()
    queue.push(5, 1, 'late')
    queue.push(3, 9, 'second')
    queue.push(3, 2, 'first')
    queue.push(3, 9, 'third')
    expect([queue.pop(), queue.pop(), queue.pop(), queue.pop()].map((entry) => entry?.item)).toEqual(['first', 'second', 'third', 'late'])
    expect(queue.pop()).toBeUndefined()
  })

  it('sorts like sorting, whatever comes in', () => {
    const random = new Prng(7)
    const queue = new EventQueue<number>()
    const times = Array.from({ length: 2000 }, () => random.int(0, 300))
    times.forEach((at) => queue.push(at, random.uint32(), at))
    const out: number[] = []
    for (let entry = queue.pop(); entry !== undefined; entry = queue.pop()) out.push(entry.item)
    expect(out).toEqual(times.toSorted((a, b) => a - b))
  })

  it('takes whole microseconds only', () => {
    expect(() => new EventQueue<number>().push(1.5, 0, 0)).toThrow('whole microseconds')
  })
})

class Inbox implements Receiver<number> {
  readonly got: number[] = []

  receive(message: number): void {
    this.got.push(message)
  }
}

const run = (world: World): void => {
  while (world.step());
}

describe('a line', () => {
  it('is first in, first out, whatever the jitter', () => {
    const world = new World(3)
    const inbox = new Inbox()
    const line = new Line<number>(world, inbox, 10, 5000)
    for (let i = 0; i < 200; i++) line.send(i)
    run(world)
    expect(inbox.got).toEqual(Array.from({ length: 200 }, (_, i) => i))
  })

  it('and other lines overtake it', () => {
    const world = new World(3)
    const inbox = new Inbox()
    const lines = [new Line<number>(world, inbox, 10, 5000), new Line<number>(world, inbox, 10, 5000)]
    for (let i = 0; i < 50; i++) lines[i % 2]?.send(i)
    run(world)
    expect(inbox.got).not.toEqual(inbox.got.toSorted((a, b) => a - b))
  })

  it('when cut, delivers a beginning of what was under way and nothing that is sent later', () => {
    const lengths = new Set<number>()
    for (let seed = 0; seed < 40; seed++) {
      const world = new World(seed)
      const inbox = new Inbox()
      const line = new Line<number>(world, inbox, 10, 5000)
      for (let i = 0; i < 5; i++) line.send(i)
      line.cutSomewhere()
      run(world)
      line.send(99)
      run(world)
      expect(inbox.got).toEqual([0, 1, 2, 3, 4].slice(0, inbox.got.length))
      lengths.add(inbox.got.length)
    }
    expect(lengths.size).toBeGreaterThan(2)
  })
})
