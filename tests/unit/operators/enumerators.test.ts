import { describe, expect, it } from 'vitest'
import type { OperatorEvent } from '../../../workers/model/control.ts'
import type { OperatorCoordinator } from '../../../workers/operators/operator-coordinator.ts'
import { LogEnumerator } from '../../../workers/operators/sources/log-enumerator.ts'
import { SequenceEnumerator, splitSequence } from '../../../workers/operators/sources/sequence-enumerator.ts'
import { decodeLogEnumerator, decodeLogSplit, decodeSequenceSplit, encodeLogSplit, encodeSequenceSplit, encodeStateElement } from '../../../workers/operators/sources/split-codec.ts'

function start(coordinator: OperatorCoordinator, parallelism: number, state: Uint8Array | null = null) {
  const sent: { readonly subtask: number; readonly event: OperatorEvent }[] = []
  coordinator.start({ parallelism, sendEvent: (subtask, event) => void sent.push({ subtask, event }), setIsProcessingBacklog: () => undefined }, state)
  const register = (subtask: number) => coordinator.onReaderEvent(subtask, { type: 'reader-registered', subtask })
  const request = (subtask: number) => coordinator.onReaderEvent(subtask, { type: 'request-split', subtask })
  const splits = (subtask: number) => sent.flatMap((item) => (item.subtask === subtask && item.event.type === 'add-splits' ? item.event.splits : []))
  return { sent, register, request, partitions: (subtask: number) => splits(subtask).map((bytes) => decodeLogSplit(bytes).partition), ids: (subtask: number) => splits(subtask).map((bytes) => decodeSequenceSplit(bytes).id) }
}

const hex = (bytes: Uint8Array) => [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('')

describe('bytes of splits', () => {
  it('of a log are the Kafka connector’s: topic, partition, offset, stopping offset', () => {
    expect(hex(encodeLogSplit({ topic: 'ab', partition: 1, offset: 258, stop: null }))).toBe(`0002${'6162'}00000001${'0000000000000102'}${'8000000000000000'}`)
    const split = { topic: 'ab', partition: 1, offset: 258, stop: 300 }
    expect(decodeLogSplit(encodeLogSplit(split))).toEqual(split)
  })

  it('of a sequence are id, next, to', () => {
    expect(hex(encodeSequenceSplit({ id: '1', next: 5, to: 9 }))).toBe(`000131${'0000000000000005'}${'0000000000000009'}`)
  })

  it('in the reader’s list are preceded by version and length', () => {
    expect(hex(encodeStateElement('log', new Uint8Array([7])))).toBe('000000000000000107')
  })

  it('of an enumerator say which splits are given out', () => {
    const enumerator = new LogEnumerator('t', 2)
    const { register } = start(enumerator, 2)
    register(1)
    const bytes = enumerator.checkpoint(1)
    expect(hex(bytes).startsWith('0000000100000003')).toBe(true)
    expect(decodeLogEnumerator(bytes).map(({ split, assigned }) => [split.partition, assigned])).toEqual([[0, false], [1, true]])
  })

  it('that are cut or of another version are refused', () => {
    const bytes = encodeLogSplit({ topic: 'ab', partition: 1, offset: 1, stop: null })
    for (let length = 0; length < bytes.length; length++) expect(() => decodeLogSplit(bytes.slice(0, length))).toThrow()
    expect(() => start(new LogEnumerator('t', 1), 1, new Uint8Array([0, 0, 0, 9, 0, 0, 0, 3, 0, 0, 0, 0]))).toThrow(/coordinator version/)
  })
})

describe('the enumerator of a log', () => {
  it('gives partition p to reader p modulo parallelism when it registers', () => {
    const { register, partitions, sent } = start(new LogEnumerator('t', 5), 2)
    expect(sent).toEqual([])
    register(1)
    register(0)
    expect(partitions(0)).toEqual([0, 2, 4])
    expect(partitions(1)).toEqual([1, 3])
    expect(sent.filter(({ event }) => event.type === 'no-more-splits').map(({ subtask }) => subtask)).toEqual([1, 0])
  })

  it('gives nothing twice after a restore: readers have their splits', () => {
    const first = new LogEnumerator('t', 2)
    const before = start(first, 2)
    before.register(0)
    const state = first.checkpoint(1)
    before.register(1)
    const after = start(new LogEnumerator('t', 2), 2, state)
    after.register(0)
    after.register(1)
    expect(after.partitions(0)).toEqual([])
    expect(after.partitions(1)).toEqual([1])
  })

  it('gives out partitions that the topic did not have then', () => {
    const first = new LogEnumerator('t', 1)
    start(first, 1).register(0)
    const after = start(new LogEnumerator('t', 2), 1, first.checkpoint(1))
    after.register(0)
    expect(after.partitions(0)).toEqual([1])
  })

  it('takes splits back that were given out after the restored checkpoint', () => {
    const enumerator = new LogEnumerator('t', 2)
    const { register, partitions } = start(enumerator, 2)
    enumerator.checkpoint(1)
    enumerator.notifyCheckpointComplete(1)
    register(0)
    register(1)
    enumerator.onSubtaskReset(0, 1)
    expect(partitions(0)).toEqual([0])
    register(0)
    expect(partitions(0)).toEqual([0, 0])
    expect(partitions(1)).toEqual([1])
  })

  it('does not take back what the restored checkpoint covers', () => {
    const enumerator = new LogEnumerator('t', 1)
    const { register, partitions } = start(enumerator, 1)
    register(0)
    enumerator.checkpoint(1)
    enumerator.checkpoint(2)
    enumerator.notifyCheckpointComplete(2)
    enumerator.onSubtaskReset(0, 2)
    register(0)
    expect(partitions(0)).toEqual([0])
  })

  it('takes everything back where there is no checkpoint', () => {
    const enumerator = new LogEnumerator('t', 1)
    const { register, partitions } = start(enumerator, 1)
    register(0)
    enumerator.checkpoint(1)
    enumerator.onSubtaskReset(0, null)
    register(0)
    expect(partitions(0)).toEqual([0, 0])
  })
})

describe('the enumerator of a sequence', () => {
  it.each([
    [10, 3, ['0-3', '4-6', '7-9']],
    [2, 3, ['0-0', '1-1']],
    [1, 1, ['0-0']],
  ])('splits %i positions into %i parts', (count, parts, expected) => {
    expect(splitSequence(count, parts).map((split) => `${split.next}-${split.to}`)).toEqual(expected)
  })

  it('gives one split for each request, then says that there are no more', () => {
    const { request, ids, sent } = start(new SequenceEnumerator(10), 2)
    for (const subtask of [1, 0, 1]) request(subtask)
    expect([ids(0), ids(1)]).toEqual([['2'], ['1']])
    expect(sent.at(-1)).toEqual({ subtask: 1, event: { type: 'no-more-splits' } })
  })

  it('goes on after a restore with what was left, and takes back what was given since', () => {
    const first = new SequenceEnumerator(10)
    const before = start(first, 2)
    before.request(0)
    const state = first.checkpoint(1)
    const second = new SequenceEnumerator(10)
    const after = start(second, 2, state)
    after.request(1)
    expect(after.ids(1)).toEqual(['2'])
    second.onSubtaskReset(1, 1)
    after.request(0)
    expect(after.ids(0)).toEqual(['2'])
  })
})
