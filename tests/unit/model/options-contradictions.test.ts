import { describe, expect, it } from 'vitest'
import { compileJob } from '../../../workers/model/compile-job.ts'
import type { Contradiction } from '../../../workers/model/options/contradiction.ts'
import { contradictionProblems, contradictions } from '../../../workers/model/options/contradictions.ts'
import type { RawValue } from '../../../workers/model/options/values.ts'

const C = 'execution.checkpointing.'
const D = 'taskmanager.network.memory.buffer-debloat.'
const T = 'execution.buffer-timeout.'
const ON = { [`${C}interval`]: '1 s' }

type Case = readonly [rule: string, kind: Contradiction['kind'], key: string, config: Readonly<Record<string, RawValue>>]

const CASES: readonly Case[] = [
  ['unaligned with concurrent checkpoints', 'refused', `${C}max-concurrent-checkpoints`, { ...ON, [`${C}unaligned.enabled`]: true, [`${C}max-concurrent-checkpoints`]: 2 }],
  ['interval during backlog below the interval', 'refused', `${C}interval-during-backlog`, { ...ON, [`${C}interval-during-backlog`]: '500 ms' }],
  ['interval during backlog below the interval', 'refused', `${C}interval-during-backlog`, { [`${C}interval-during-backlog`]: '1 min' }],
  ['interval during backlog below 10 ms', 'changed', `${C}interval-during-backlog`, { ...ON, [`${C}interval-during-backlog`]: '5 ms' }],
  ['approximate local recovery with unaligned', 'refused', 'execution.state-recovery.approximate-local-recovery', { ...ON, [`${C}unaligned.enabled`]: true, 'execution.state-recovery.approximate-local-recovery': true }],
  ['unaligned with at-least-once', 'warned', `${C}unaligned.enabled`, { ...ON, [`${C}unaligned.enabled`]: true, [`${C}mode`]: 'AT_LEAST_ONCE' }],
  ['min-pause above the interval', 'changed', `${C}min-pause`, { ...ON, [`${C}min-pause`]: '2 s' }],
  ['min-pause above a year', 'changed', `${C}min-pause`, { [`${C}interval`]: '500 d', [`${C}min-pause`]: '366 d' }],
  ['local recovery with unaligned', 'no effect', `${C}local-backup.enabled`, { ...ON, [`${C}unaligned.enabled`]: true, [`${C}local-backup.enabled`]: true }],
  ['local recovery with unaligned', 'no effect', 'execution.state-recovery.from-local', { ...ON, [`${C}unaligned.enabled`]: true, 'execution.state-recovery.from-local': true }],
  ['aligned timeout without unaligned', 'no effect', `${C}aligned-checkpoint-timeout`, { ...ON, [`${C}aligned-checkpoint-timeout`]: '1 s' }],
  ['aligned timeout not below the timeout', 'no effect', `${C}aligned-checkpoint-timeout`, { ...ON, [`${C}unaligned.enabled`]: true, [`${C}aligned-checkpoint-timeout`]: '10 min' }],
  ['unaligned details without unaligned', 'no effect', `${C}unaligned.forced`, { ...ON, [`${C}unaligned.forced`]: true }],
  ['no interval', 'no effect', `${C}min-pause`, { [`${C}min-pause`]: '2 s' }],
  ['retention without a directory', 'no effect', `${C}externalized-checkpoint-retention`, { ...ON, [`${C}externalized-checkpoint-retention`]: 'RETAIN_ON_CANCELLATION' }],
  ['jobmanager storage with a directory', 'changed', `${C}dir`, { ...ON, [`${C}dir`]: '/a', [`${C}storage`]: 'jobmanager' }],
  ['incremental on the heap', 'no effect', `${C}incremental`, { ...ON, [`${C}incremental`]: true }],
  ['options of another restart strategy', 'no effect', 'restart-strategy.fixed-delay.attempts', { ...ON, 'restart-strategy.fixed-delay.attempts': 3 }],
  ['debloat details without debloating', 'no effect', `${D}target`, { ...ON, [`${D}target`]: '2 s' }],
  ['buffer timeout switched off', 'no effect', `${T}interval`, { ...ON, [`${T}interval`]: '5 ms', [`${T}enabled`]: false }],
  ['checkpoints without a restart strategy', 'accepted', 'restart-strategy.type', { ...ON, 'restart-strategy.type': 'none' }],
  ['min-pause with concurrent checkpoints', 'accepted', `${C}min-pause`, { ...ON, [`${C}mode`]: 'AT_LEAST_ONCE', [`${C}min-pause`]: '500 ms', [`${C}max-concurrent-checkpoints`]: 2 }],
  ['timeout below the interval', 'accepted', `${C}timeout`, { ...ON, [`${C}timeout`]: '500 ms' }],
  ['concurrent exactly-once checkpoints', 'accepted', `${C}max-concurrent-checkpoints`, { ...ON, [`${C}max-concurrent-checkpoints`]: 3 }],
]

describe('options that bear upon each other', () => {
  it.each(CASES)('%s: %s, told at %s', (rule, kind, key, config) => {
    // Without an interval that is told besides.
    const found = contradictions(config).filter((each) => each.rule === rule || each.rule !== 'no interval')
    expect(found.map((each) => [each.rule, each.kind, each.keys[0]])).toEqual([[rule, kind, key]])
    for (const text of [found[0]?.message, found[0]?.consequence, found[0]?.cure]) expect(text).toMatch(/^\S.*[.]$/)
  })

  it.each(CASES)('%s (%s) is an error only if Flink refuses it, and none at all if Flink accepts it', (_rule, kind, key, config) => {
    const severities = contradictionProblems(config).map(({ severity, path }) => [severity, path])
    expect(severities).toEqual(kind === 'accepted' ? [] : [[kind === 'refused' ? 'error' : 'warning', `/config/${key}`]])
  })
})

describe('no contradiction', () => {
  it.each<[string, Readonly<Record<string, RawValue>>]>([
    ['an interval alone', ON],
    ['unaligned with one concurrent checkpoint', { ...ON, [`${C}unaligned.enabled`]: true, [`${C}aligned-checkpoint-timeout`]: '30 s' }],
    ['several concurrent checkpoints, tracked', { ...ON, [`${C}mode`]: 'AT_LEAST_ONCE', [`${C}max-concurrent-checkpoints`]: 2 }],
    ['local recovery with barriers that are tracked, or with unaligned off', { ...ON, [`${C}mode`]: 'AT_LEAST_ONCE', [`${C}local-backup.enabled`]: true }],
    ['min-pause up to the interval', { ...ON, [`${C}min-pause`]: '1 s' }],
    ['no periodic checkpoints during a backlog', { ...ON, [`${C}interval-during-backlog`]: '0 ms' }],
    ['an interval during a backlog as long as the interval', { ...ON, [`${C}interval-during-backlog`]: '1 s' }],
    ['retention with a directory', { ...ON, [`${C}externalized-checkpoint-retention`]: 'RETAIN_ON_CANCELLATION', [`${C}dir`]: '/a' }],
    ['a strategy with its own options', { ...ON, 'restart-strategy.type': 'fixed-delay', 'restart-strategy.fixed-delay.attempts': 3 }],
  ])('in %s', (_name, config) => {
    expect(contradictions(config)).toEqual([])
  })
})

describe('a min-pause above a year', () => {
  it.each(['366 d', '730 d', '400000 d', '9223372036854775807 ms'])('of %s is a year in force, which is what the interval is raised to', (pause) => {
    const found = contradictions({ ...ON, [`${C}min-pause`]: pause })
    expect(found.map(({ rule, message }) => [rule, message])).toEqual([
      ['min-pause above the interval', 'min-pause is longer than the interval, which is raised to one year (the cap of min-pause) without a word.'],
      ['min-pause above a year', 'min-pause is capped at one year.'],
    ])
  })
})

describe('without an interval', () => {
  it('the first failure makes the job FAILED: the default strategy is none', () => {
    expect(contradictions({})).toMatchObject([{ rule: 'no interval', kind: 'accepted', consequence: expect.stringContaining('FAILED') }])
  })

  it('with a restart strategy the job restarts empty', () => {
    expect(contradictions({ 'restart-strategy.type': 'fixed-delay' })).toMatchObject([{ rule: 'no interval', consequence: expect.stringContaining('EMPTY') }])
  })

  it('is no problem of the document by itself', () => {
    expect(contradictionProblems({})).toEqual([])
  })
})

describe('the compiler', () => {
  it('points at the option as it is written, also under an old key', () => {
    const job = { weir: 'job@1', name: 'j', config: { ...ON, [`${C}unaligned`]: true, [`${C}max-concurrent-checkpoints`]: 2, [`${C}alignment-timeout`]: '11 min' }, operators: [], edges: [] }
    const paths = compileJob(job).problems.map(({ severity, path }) => `${severity} ${path}`)
    expect(paths).toContain(`error /config/${C}max-concurrent-checkpoints`)
    expect(paths).toContain(`warning /config/${C}alignment-timeout`)
  })

  it('names a value that cannot be read once', () => {
    const job = { weir: 'job@1', name: 'j', config: { [`${C}interval`]: 'often', [`${C}min-pause`]: '1 s' }, operators: [], edges: [] }
    expect(compileJob(job).problems.filter(({ path }) => path === `/config/${C}interval`)).toHaveLength(1)
  })
})
