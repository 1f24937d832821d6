import { describe, expect, it } from 'vitest'
import { Prng } from '../../workers/base/prng.ts'
import { simulatorOf } from '../../workers/hosts/simulator/random/random-run.ts'
import type { Simulator } from '../../workers/hosts/simulator/simulator.ts'

const END = 250_000

const textOf = (simulator: Simulator): string => JSON.stringify(simulator.events)

describe('a simulator cloned in the middle of a run', () => {
  for (let seed = 1; seed <= 12; seed++) {
    it(`goes on exactly like the original, seed ${seed}`, () => {
      const whole = simulatorOf(seed)
      whole.runTo(END)
      const steps = new Prng(seed).int(1, whole.world.steps)
      const original = simulatorOf(seed)
      for (let i = 0; i < steps; i++) original.step()
      const copy = original.clone()
      const before = original.events.length
      copy.runTo(END)
      expect(original.events.length).toBe(before)
      original.runTo(END)
      expect(textOf(copy)).toBe(textOf(original))
      expect(textOf(original)).toBe(textOf(whole))
      expect(copy.runHash).toBe(whole.runHash)
      for (const operator of whole.document.operators) {
        expect(copy.keyedState(operator.uid)).toEqual(whole.keyedState(operator.uid))
        expect(copy.sink(operator.uid)).toEqual(whole.sink(operator.uid))
      }
      expect(copy.files()).toEqual(whole.files())
    })
  }

  it('a fork with another fault takes another way', () => {
    const original = simulatorOf(1)
    original.runTo(80_000)
    const fork = original.clone()
    fork.inject({ kind: 'kill-job-manager' })
    original.runTo(END)
    fork.runTo(END)
    expect(fork.runHash).not.toBe(original.runHash)
    expect(original.events.some((event) => event.body.type === 'LeadershipGranted' && event.body.token === 2)).toBe(false)
  })
})

describe('the run hash', () => {
  it('is the same for the same seed, another for another', () => {
    const hash = (seed: number): string => {
      const simulator = simulatorOf(seed)
      simulator.runTo(100_000)
      return simulator.runHash
    }
    expect(hash(3)).toBe(hash(3))
    expect(hash(3)).not.toBe(hash(4))
  })
})
