/**
 * The Flink options that the playground knows (behaviour 21.1 to 21.5): key, old keys, type, default, effect, and what changes in the
 * picture. `used` says whether the engine obeys it.
 */
import type { OptionDescription, OptionGroup } from './option-description.ts'
import { CHECKPOINTING_OPTIONS } from './table/checkpointing.ts'
import { NEIGHBOUR_OPTIONS } from './table/neighbours.ts'
import { RECOVERY_AND_RESTART_OPTIONS } from './table/recovery-and-restart.ts'
import { STATE_BACKEND_OPTIONS } from './table/state-backends.ts'

export const OPTIONS: readonly OptionDescription[] = [...CHECKPOINTING_OPTIONS, ...RECOVERY_AND_RESTART_OPTIONS, ...STATE_BACKEND_OPTIONS, ...NEIGHBOUR_OPTIONS]

/** In the order of the form. */
export const OPTION_GROUPS: readonly { readonly group: OptionGroup; readonly title: string }[] = [
  { group: 'triggering', title: 'Checkpointing: triggering' },
  { group: 'barriers', title: 'Checkpointing: barriers' },
  { group: 'storage', title: 'Checkpointing: storage and retention' },
  { group: 'recovery', title: 'Recovery' },
  { group: 'restart', title: 'Restart and failover' },
  { group: 'neighbours', title: 'Network, pipeline, cluster' },
  { group: 'state-backend', title: 'State backend and changelog' },
  { group: 'rocksdb', title: 'RocksDB' },
  { group: 'forst', title: 'ForSt' },
]

/** Own keys first: an old key that two options share belongs to the first of them. */
const BY_KEY = new Map<string, OptionDescription>()
for (const option of OPTIONS) BY_KEY.set(option.key, option)
for (const option of OPTIONS) for (const key of option.oldKeys) if (!BY_KEY.has(key)) BY_KEY.set(key, option)

/** The option of a key, which may be an old one. */
export const findOption = (key: string): OptionDescription | undefined => BY_KEY.get(key)

/** All options that a key sets: an old key may have been split into several. */
export const optionsOf = (key: string): readonly OptionDescription[] => OPTIONS.filter((option) => option.key === key || option.oldKeys.includes(key))
