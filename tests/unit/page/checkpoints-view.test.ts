import { expect, test } from 'vitest'
import { checkpointTypeWord } from '../../../src/checkpoints/checkpoint-answers.ts'
import type { ConfigAnswer, SubtaskAnswer } from '../../../src/checkpoints/checkpoint-answers.ts'
import { configurationRows } from '../../../src/checkpoints/configuration-rows.ts'
import { failureMeaning, reasonOfMessage } from '../../../src/checkpoints/failure-meaning.ts'
import { acknowledgedOf, flinkBytes, flinkDuration, orNa, processedPersisted } from '../../../src/checkpoints/flink-format.ts'
import { exactMillis } from '../../../src/checkpoints/path-words.ts'
import { sortSubtasks } from '../../../src/checkpoints/subtask-columns.ts'
import { CHECKPOINT_FAILURE_REASONS } from '../../../workers/model/checkpoint.ts'
import type { CheckpointFailureReason } from '../../../workers/model/checkpoint.ts'

test('durations are written as Flink writes them, from milliseconds to days', () => {
  expect([0, 304, 1204, 60_000, 125_007, 3_723_000, 90_061_500].map(flinkDuration)).toEqual(['0ms', '304ms', '1s 204ms', '1m 0s 0ms', '2m 5s 7ms', '1h 2m 3s', '1d 1h 1m 1s'])
  expect([-1, Number.NaN, null, undefined].map(flinkDuration)).toEqual(['-', '-', '-', '-'])
})

test('sizes: bytes below 1000, two decimals below the base, three significant digits from it', () => {
  expect([0, 999, 1000, 1024, 10_000, 1_023_999, 1_048_576].map(flinkBytes)).toEqual(['0 B', '999 B', '0.98 KB', '1.00 KB', '9.77 KB', '1000 KB', '1.00 MB'])
  expect(flinkBytes(500 * 1024)).toBe('500 KB')
  expect([-1, null].map(flinkBytes)).toEqual(['-', '-'])
  expect(processedPersisted(9.96 * 1024, 0)).toBe('9.96 KB (0 B)')
})

test('what is not there yet is n/a, and a share of acknowledgements is rounded down', () => {
  expect(orNa(-1, flinkDuration)).toBe('n/a')
  expect(orNa(5, flinkDuration)).toBe('5ms')
  expect([acknowledgedOf(4, 7, true), acknowledgedOf(7, 7, false)]).toEqual(['4/7 (57%)', '7/7'])
})

test('every type has Flink’s word', () => {
  expect(['CHECKPOINT', 'UNALIGNED_CHECKPOINT', 'SAVEPOINT', 'SYNC_SAVEPOINT', '?'].map(checkpointTypeWord)).toEqual(['aligned checkpoint', 'unaligned checkpoint', 'savepoint', 'savepoint on cancel', '-'])
})

const CONFIG: ConfigAnswer = {
  mode: 'exactly_once',
  interval: 2 ** 63,
  timeout: 600_000,
  min_pause: 0,
  max_concurrent: 1,
  externalization: { enabled: true, delete_on_cancellation: false },
  state_backend: 'HashMapStateBackend',
  checkpoint_storage: 'FileSystemCheckpointStorage',
  unaligned_checkpoints: false,
  tolerable_failed_checkpoints: 0,
  aligned_checkpoint_timeout: 0,
  checkpoints_after_tasks_finish: true,
  state_changelog_enabled: false,
  changelog_storage: null,
  changelog_periodic_materialization_interval: null,
}

test('configuration: no interval is said in words, and a row that means nothing is not there', () => {
  const rows = new Map(configurationRows(CONFIG))
  expect(rows.get('Interval')).toBe('Periodic checkpoints disabled')
  expect(rows.get('Timeout')).toBe('10m 0s 0ms')
  expect(rows.get('Persist Checkpoints Externally')).toBe('Enabled (retain on cancellation)')
  expect([...rows.keys()]).not.toEqual(expect.arrayContaining(['Aligned checkpoint timeout']))
  expect(new Map(configurationRows({ ...CONFIG, unaligned_checkpoints: true })).get('Aligned checkpoint timeout')).toBe('0ms')
  expect(new Map(configurationRows({ ...CONFIG, state_changelog_enabled: true, changelog_storage: 'memory' })).get('Changelog Storage')).toBe('memory')
})

const done = (index: number, sync: number): SubtaskAnswer =>
  ({ index, status: 'completed', ack_timestamp: 0, end_to_end_duration: 0, checkpointed_size: 0, state_size: 0, checkpoint: { sync, async: 0 }, alignment: { processed: 0, persisted: 0, duration: 0 }, start_delay: 0, unaligned_checkpoint: false, aborted: false }) as SubtaskAnswer

test('subtasks sort by any column both ways; those without figures stay last, and equal ones in order of index', () => {
  const subtasks: SubtaskAnswer[] = [{ index: 0, status: 'pending_or_failed' }, done(1, 5), done(2, 9), done(3, 5)]
  const order = (descending: boolean): number[] => sortSubtasks(subtasks, { column: 'Sync Duration', descending }).map(({ index }) => index)
  expect(order(false)).toEqual([1, 3, 2, 0])
  expect(order(true)).toEqual([2, 1, 3, 0])
  expect(sortSubtasks(subtasks, null).map(({ index }) => index)).toEqual([0, 1, 2, 3])
})

test('every failure reason has a sentence that says whether it counts, and is found by its message', () => {
  for (const [name, info] of Object.entries(CHECKPOINT_FAILURE_REASONS)) {
    const reason = name as CheckpointFailureReason
    const { meaning, counting } = failureMeaning(reason, false, 3)
    expect(meaning).toMatch(/\.$/)
    expect(counting.startsWith(info.counted ? 'Counts against' : 'Does not count against')).toBe(true)
    expect(reasonOfMessage(`Checkpoint 5 failed: ${info.message}`)).toBe(reason)
  }
  expect(reasonOfMessage('something else')).toBeNull()
})

test('counting says what the number in force means, and the exception of savepoints', () => {
  expect(failureMeaning('CHECKPOINT_EXPIRED', false, 0).counting).toContain('(0): the first one fails the job')
  expect(failureMeaning('CHECKPOINT_EXPIRED', false, 2).counting).toContain('more than 2 in a row')
  expect(failureMeaning('CHECKPOINT_EXPIRED', true, 2).counting).toContain('only where a task failed it')
})

test('the printed figures of a path add up to the printed whole, which is the end to end duration that Flink shows', () => {
  const figure = (text: string): number => Number(text.replace(/[^\d.]/g, ''))
  for (const bounds of [[0, 5700, 126_400, 938_999, 1_204_500], [0, 999, 10_000], [0, 444, 1555, 9999]]) {
    const whole = bounds.at(-1) ?? 0
    const parts = bounds.slice(1).map((to, index) => figure(exactMillis(bounds[index] ?? 0, to, whole)))
    expect(parts.reduce((sum, part) => sum + part, 0)).toBeCloseTo(figure(exactMillis(0, whole, whole)), 6)
  }
  expect(exactMillis(0, 1_204_999, 1_204_999).replace(/\s/g, '')).toBe('1204ms')
  // Triggered at 875.8 ms and acknowledged at 1030.1 ms: Flink, which knows 875 and 1030, shows 155 ms.
  const since = 875_800
  const [whole, parts] = [exactMillis(0, 154_300, 154_300, since), [exactMillis(0, 63_100, 154_300, since), exactMillis(63_100, 154_300, 154_300, since)]]
  expect(figure(whole)).toBe(155)
  expect(parts.reduce((sum, part) => sum + figure(part), 0)).toBe(155)
})
