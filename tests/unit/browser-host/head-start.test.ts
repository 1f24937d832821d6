/** How far a source on real workers runs ahead of its receivers: six buffers for each, then on at three. */
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { HeadStart } from '../../../workers/hosts/browser/head-start.ts'

const RECEIVERS = 2

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
})

afterEach(() => {
  vi.useRealTimers()
})

function source() {
  const task = { buffersUnderWay: 0 }
  const lookAgain = vi.fn<() => void>()
  const headStart = new HeadStart(task, RECEIVERS, lookAgain)
  const isTakenAt = (buffers: number): boolean => {
    task.buffersUnderWay = buffers
    return headStart.isTaken()
  }
  return { isTakenAt, lookAgain }
}

it('a source stops at six buffers for each receiver and goes on at three', () => {
  const { isTakenAt } = source()
  expect([0, 3, 11].map(isTakenAt)).toEqual([false, false, false])
  expect([12, 10, 8, 7].map(isTakenAt)).toEqual([true, true, true, true])
  expect([6, 7, 11].map(isTakenAt)).toEqual([false, false, false])
  expect(isTakenAt(12)).toBe(true)
})

it('receivers that give nothing back are not waited for: their queues fill up as far as the rules of Flink let them', () => {
  const { isTakenAt, lookAgain } = source()
  expect(isTakenAt(12)).toBe(true)
  vi.advanceTimersByTime(4)
  expect(lookAgain).toHaveBeenCalledTimes(1)
  expect([12, 13, 16, 30].map(isTakenAt)).toEqual([false, false, false, false])
})

it('a receiver that gives something back is waited for again', () => {
  const { isTakenAt, lookAgain } = source()
  isTakenAt(12)
  vi.advanceTimersByTime(4)
  expect(isTakenAt(20)).toBe(false)
  expect(isTakenAt(19)).toBe(true)
  vi.advanceTimersByTime(4)
  expect(lookAgain).toHaveBeenCalledTimes(2)
  expect(isTakenAt(19)).toBe(false)
})

it('however often it is asked, one timer is enough', () => {
  const { isTakenAt, lookAgain } = source()
  for (let i = 0; i < 100; i++) isTakenAt(12)
  expect(vi.getTimerCount()).toBe(1)
  vi.advanceTimersByTime(40)
  expect(lookAgain).toHaveBeenCalledTimes(1)
})
