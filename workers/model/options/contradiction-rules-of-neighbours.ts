/** The rules of contradictions.ts that concern restart strategies and buffers. */
import type { ConfigReader } from './config-reader.ts'
import type { Contradiction, ContradictionRule } from './contradiction.ts'
import { parseRestartStrategy } from './parse-restart-strategy.ts'

const C = 'execution.checkpointing.'

const isSet = (config: ConfigReader, key: string): boolean => config.find(key) !== null
/** 0: off. NaN: it cannot be read, which the parser says; no rule applies then. */
const intervalOf = (config: ConfigReader): number => config.duration(`${C}interval`) ?? (isSet(config, `${C}interval`) ? NaN : 0)

const R = 'restart-strategy.'
const STRATEGIES: readonly (readonly [part: string, type: string])[] = [
  ['fixed-delay.', 'fixed-delay'],
  ['failure-rate.', 'failure-rate'],
  ['exponential-delay.', 'exponential-delay'],
]
export const otherStrategy: ContradictionRule = (config) => {
  const { type } = parseRestartStrategy(config, intervalOf(config) !== 0)
  return STRATEGIES.filter(([, other]) => other !== type).flatMap(([part, other]) => {
    const key = config.keys().find((candidate) => candidate.startsWith(R + part))
    if (key === undefined) return []
    const found = { rule: 'options of another restart strategy', kind: 'no effect', keys: [key, `${R}type`] } as const
    return [{ ...found, message: `${key} belongs to the strategy ${other}; ${type} is in force.`, consequence: 'It changes nothing.', cure: `Set restart-strategy.type to ${other}, or remove it.` }]
  })
}

export const strategyNone: ContradictionRule = (config) => {
  if (!isSet(config, `${R}type`) || intervalOf(config) === 0 || parseRestartStrategy(config, true).type !== 'none') return []
  return [
    {
      rule: 'checkpoints without a restart strategy',
      kind: 'accepted',
      keys: [`${R}type`, `${C}interval`],
      message: 'Checkpoints are taken, and the restart strategy is none.',
      consequence: 'The first failure makes the job FAILED; its checkpoints serve a start by hand, if they are retained.',
      cure: 'Nothing needs to be changed if that is meant.',
    },
  ]
}

const LOCAL = ['execution.state-recovery.from-local', `${C}local-backup.enabled`]
/** Behaviour 21.1: the copies are of keyed state; in-flight data has none. */
export const localRecoveryWithUnaligned: ContradictionRule = (config) => {
  const key = LOCAL.find((each) => config.boolean(each) === true)
  const mode = config.choice(`${C}mode`, ['EXACTLY_ONCE', 'AT_LEAST_ONCE'])
  if (key === undefined || config.boolean(`${C}unaligned.enabled`) !== true || mode === 'AT_LEAST_ONCE') return []
  return [
    {
      rule: 'local recovery with unaligned',
      kind: 'no effect',
      keys: [key, `${C}unaligned.enabled`],
      message: 'Unaligned checkpoints do not support task-local recovery.',
      consequence: 'A subtask that persisted in-flight data has no local copy of that checkpoint: all its state comes from the storage of checkpoints.',
      cure: 'Switch one of the two off, or leave it: nothing is lost.',
    },
  ]
}

const D = 'taskmanager.network.memory.buffer-debloat.'
export const bufferDetails: ContradictionRule = (config) => {
  const found: Contradiction[] = []
  const detail = ['target', 'period', 'samples', 'threshold-percentages'].map((key) => D + key).find((key) => isSet(config, key))
  const rest = { consequence: 'It changes nothing.', kind: 'no effect' } as const
  if (detail !== undefined && config.boolean(`${D}enabled`) !== true) {
    found.push({ ...rest, rule: 'debloat details without debloating', keys: [detail, `${D}enabled`], message: 'Buffer debloating is off.', cure: `Set ${D}enabled to true, or remove it.` })
  }
  const T = 'execution.buffer-timeout.'
  if (config.boolean(`${T}enabled`) === false && isSet(config, `${T}interval`)) {
    found.push({ ...rest, rule: 'buffer timeout switched off', keys: [`${T}interval`, `${T}enabled`], message: 'The buffer timeout is off: only full buffers leave.', cure: `Remove ${T}enabled, or the interval.` })
  }
  return found
}
