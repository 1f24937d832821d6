/**
 * Every interleaving of two channels and two checkpoints at a whole task, from the barriers to what is acknowledged: state and in-flight data together
 * are the records before the barriers. None is sampled.
 */
import { describe, expect, it } from 'vitest'
import { readChannelState } from '../../../workers/network/channel-state-codec.ts'
import { HeapOperatorStateBackend } from '../../../workers/state/operator-state.ts'
import { notBlockingHandler } from '../checkpointing/not-blocking-handler.ts'
import { runTask } from './task-lanes.ts'
import type { LaneTaskOptions, TaskLanes } from './task-lanes.ts'
import { TEXT } from './test-job.ts'

type Prefix = '' | 'u' | 't'

const ORDERS = interleavings(5, 5)

/** Every order of taking `left` symbols of channel 0 and `right` of channel 1. */
function interleavings(left: number, right: number): number[][] {
  if (left === 0 && right === 0) return [[]]
  const first = left === 0 ? [] : interleavings(left - 1, right).map((rest) => [0, ...rest])
  const second = right === 0 ? [] : interleavings(left, right - 1).map((rest) => [1, ...rest])
  return [...first, ...second]
}

/** One column for each symbol. */
function lanesOf(order: readonly number[], prefix: Prefix): string {
  const left = ['a 1 b 2 c', 'd 1 e 2 f'].map((lane) => lane.split(' ').map((symbol) => (/\d/.test(symbol) ? prefix + symbol : symbol)))
  const rows = [['0:'], ['1:']]
  for (const channel of order) rows.forEach((row, at) => row.push(at === channel ? (left[at]?.shift() as string) : '.'))
  return rows.map((row) => row.join(' ')).join('\n')
}

/** What an acknowledged snapshot stands for: the letters that the operator had seen, and those in its channels. */
function cutOf(task: TaskLanes, checkpointId: number): { readonly state: string; readonly inFlight: string } | null {
  const message = task.acknowledged.find((one) => one.checkpointId === checkpointId)
  if (message === undefined) return null
  const [part] = message.snapshot.operators
  const handle = part?.state.managedOperator
  if (handle?.stream.kind !== 'bytes') throw new Error('state stands in the handle')
  const backend = new HeapOperatorStateBackend()
  backend.restore(handle, handle.stream.bytes)
  const state = backend.listState('letters', 'SPLIT_DISTRIBUTE').get().map((bytes) => String.fromCharCode(...bytes)).join('')
  const inFlight = (part?.state.inputChannel ?? []).flatMap((channel) => {
    if (channel.stream.kind !== 'bytes') throw new Error('in-flight data stands in the handle')
    return readChannelState(channel, channel.stream.bytes, TEXT).flatMap((element) => (element.kind === 'record' ? [String(element.value)] : []))
  })
  return { state, inFlight: inFlight.join('') }
}

const sorted = (letters: string): string => Array.from(letters).sort().join('')

/** Whatever becomes of the checkpoints, every record is taken once. */
function run(order: readonly number[], prefix: Prefix, more: LaneTaskOptions = {}): TaskLanes {
  const task = runTask(lanesOf(order, prefix), { inputs: [0, 0], ...more })
  const taken = task.log.flatMap((entry) => (/^a [a-f]$/.test(entry) ? [entry.slice(2)] : []))
  expect(sorted(taken.join('')), order.join('')).toBe('abcdef')
  return task
}

describe('every interleaving of two channels and two checkpoints', () => {
  it('there are 252', () => {
    expect(new Set(ORDERS.map((order) => order.join(''))).size).toBe(252)
  })

  it('aligned: both checkpoints are acknowledged, each with the records before its barriers and nothing in flight', () => {
    for (const order of ORDERS) {
      const task = run(order, '')
      const cuts = [1, 2].map((id) => cutOf(task, id))
      expect(cuts.map((cut) => cut && [sorted(cut.state), cut.inFlight]), order.join('')).toEqual([['ad', ''], ['abde', '']])
    }
  })

  for (const [name, prefix] of [['unaligned', 'u'], ['aligned with a time-out', 't']] as const) {
    it(`${name}: state and in-flight data together are the records before the barriers; the newer checkpoint is always acknowledged, the older one may be ended by it`, () => {
      let inFlight = 0
      let ended = 0
      for (const order of ORDERS) {
        const task = run(order, prefix)
        const [first, second] = [cutOf(task, 1), cutOf(task, 2)]
        if (first !== null) expect(sorted(first.state + first.inFlight), order.join('')).toBe('ad')
        if (second === null) throw new Error(`checkpoint 2 is missing: ${order.join('')}`)
        expect(sorted(second.state + second.inFlight), order.join('')).toBe('abde')
        if (second.inFlight !== '' || (first?.inFlight ?? '') !== '') inFlight++
        if (first === null) ended++
      }
      expect(inFlight).toBeGreaterThan(0)
      expect(ended).toBeGreaterThan(0)
    })
  }

  it('aligned: a handler that does not block is found', () => {
    const broken = { createBarrierHandler: notBlockingHandler }
    expect(ORDERS.some((order) => sorted(cutOf(run(order, '', broken), 1)?.state ?? '') !== 'ad')).toBe(true)
  })

  it('at-least-once: no record before a barrier is missing, some behind it are in the state', () => {
    let ahead = 0
    for (const order of ORDERS) {
      const task = run(order, '', { settings: { exactlyOnce: false } })
      const [first, second] = [cutOf(task, 1)?.state ?? '', cutOf(task, 2)?.state ?? '']
      for (const letter of 'ad') expect(first, order.join('')).toContain(letter)
      for (const letter of 'abde') expect(second, order.join('')).toContain(letter)
      if (first.length > 2 || second.length > 4) ahead++
    }
    expect(ahead).toBeGreaterThan(0)
  })
})
