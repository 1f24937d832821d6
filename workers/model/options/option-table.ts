/**
 * The Flink options that the playground knows (behaviour 21.1, 21.3, 21.5): key, old keys, type, default, effect, and what changes in the
 * picture. `used` says whether the engine obeys it now.
 */
import type { OptionDescription, OptionType } from './option-description.ts'

const DURATION: OptionType = { kind: 'duration' }
const BOOLEAN: OptionType = { kind: 'boolean' }
const INTEGER: OptionType = { kind: 'integer' }
const DECIMAL: OptionType = { kind: 'decimal' }
const MEMORY: OptionType = { kind: 'memory' }
const TEXT: OptionType = { kind: 'text' }
const choice = (...choices: string[]): OptionType => ({ kind: 'choice', choices })

interface Row {
  readonly type: OptionType
  readonly default: string | null
  readonly effect: string
  readonly picture: string
  readonly old?: readonly string[]
}

const C = 'execution.checkpointing.'
const R = 'restart-strategy.'

const USED: Readonly<Record<string, Row>> = {
  [`${C}interval`]: {
    type: DURATION,
    default: null,
    effect: 'Base period of checkpoints; setting it turns checkpointing on.',
    picture: 'How far the barriers of one checkpoint are from those of the next.',
  },
  [`${C}mode`]: {
    type: choice('EXACTLY_ONCE', 'AT_LEAST_ONCE'),
    default: 'EXACTLY_ONCE',
    effect: 'Whether barriers are aligned (each record counts once in state) or only tracked (a record may count twice after a failure).',
    picture: 'With AT_LEAST_ONCE no channel is ever blocked: no padlocks.',
  },
  [`${C}timeout`]: {
    type: DURATION,
    default: '10 min',
    effect: 'A checkpoint that is not complete by then is aborted.',
    picture: 'A checkpoint still filling its matrix expires at this age.',
  },
  [`${C}min-pause`]: {
    type: DURATION,
    default: '0 ms',
    effect: 'Least time from the end of one checkpoint to the next periodic trigger; a trigger by hand does not wait for it.',
    picture: 'A stretch without barriers after each completed checkpoint.',
  },
  [`${C}max-concurrent-checkpoints`]: {
    type: INTEGER,
    default: '1',
    effect: 'How many checkpoints may be under way at once.',
    picture: 'How many barrier colours are in the job at the same time.',
  },
  [`${C}tolerable-failed-checkpoints`]: {
    type: INTEGER,
    default: '0',
    effect: 'How many checkpoints may fail in a row before the job is restarted.',
    picture: 'A failed checkpoint beyond this number restarts the job.',
  },
  [`${C}num-retained`]: {
    type: INTEGER,
    default: '1',
    old: ['state.checkpoints.num-retained'],
    effect: 'How many completed checkpoints are kept.',
    picture: 'How many sealed checkpoints stand in storage.',
  },
  [`${C}externalized-checkpoint-retention`]: {
    type: choice('NO_EXTERNALIZED_CHECKPOINTS', 'DELETE_ON_CANCELLATION', 'RETAIN_ON_CANCELLATION'),
    default: 'NO_EXTERNALIZED_CHECKPOINTS',
    effect: 'What happens to the last checkpoint when the job ends.',
    picture: 'Whether files remain in storage after Cancel.',
  },
  [`${C}dir`]: {
    type: TEXT,
    default: null,
    old: ['state.checkpoints.dir', 'state.backend.fs.checkpointdir'],
    effect: 'Root directory of checkpoints.',
    picture: 'The path of the files in storage.',
  },
  [`${C}data-inline-threshold`]: {
    type: MEMORY,
    default: '20 kb',
    old: ['state.storage.fs.memory-threshold', 'state.backend.fs.memory-threshold'],
    effect: 'State smaller than this goes into _metadata instead of a file of its own; at most 1 mb.',
    picture: 'Below it no file flies to storage: the state travels with the acknowledgement.',
  },
  [`${C}checkpoints-after-tasks-finish`]: {
    type: BOOLEAN,
    default: 'true',
    old: [`${C}checkpoints-after-tasks-finish.enabled`],
    effect: 'Whether checkpoints go on after some tasks have finished; finished tasks wait for a last one.',
    picture: 'A source at its end waits for a final checkpoint before it turns FINISHED.',
  },
  [`${R}type`]: {
    type: choice('none', 'off', 'disable', 'fixed-delay', 'fixeddelay', 'failure-rate', 'failurerate', 'exponential-delay', 'exponentialdelay'),
    default: null,
    old: ['restart-strategy'],
    effect: 'Whether and when the job restarts after a failure; not set: exponential-delay with checkpointing, else none.',
    picture: 'The wait between a failure and the restart.',
  },
  [`${R}fixed-delay.attempts`]: { type: INTEGER, default: '1', effect: 'How often the job restarts before it fails.', picture: 'After so many kills the job is FAILED.' },
  [`${R}fixed-delay.delay`]: { type: DURATION, default: '1 s', effect: 'Wait before a restart.', picture: 'Length of RESTARTING.' },
  [`${R}failure-rate.max-failures-per-interval`]: {
    type: INTEGER,
    default: '1',
    effect: 'How many failures within the interval are endured.',
    picture: 'More kills than this in one interval and the job is FAILED.',
  },
  [`${R}failure-rate.failure-rate-interval`]: { type: DURATION, default: '1 min', effect: 'The sliding interval in which failures are counted.', picture: 'How soon kills are forgotten.' },
  [`${R}failure-rate.delay`]: { type: DURATION, default: '1 s', effect: 'Wait before a restart.', picture: 'Length of RESTARTING.' },
  [`${R}exponential-delay.initial-backoff`]: { type: DURATION, default: '1 s', effect: 'Wait before the first restart.', picture: 'Length of the first RESTARTING.' },
  [`${R}exponential-delay.max-backoff`]: { type: DURATION, default: '1 min', effect: 'Longest wait before a restart.', picture: 'The wait stops growing here.' },
  [`${R}exponential-delay.backoff-multiplier`]: { type: DECIMAL, default: '1.5', effect: 'By how much each wait is longer than the one before.', picture: 'How fast the wait grows from kill to kill.' },
  [`${R}exponential-delay.reset-backoff-threshold`]: {
    type: DURATION,
    default: '1 h',
    effect: 'After this long without a failure the wait is the first one again.',
    picture: 'How soon the job forgets its kills.',
  },
  [`${R}exponential-delay.jitter-factor`]: { type: DECIMAL, default: '0.1', effect: 'Random share by which a wait varies.', picture: 'Waits are not all alike.' },
  [`${R}exponential-delay.attempts-before-reset-backoff`]: {
    type: INTEGER,
    default: 'infinite',
    effect: 'How many restarts are tried before the job fails.',
    picture: 'After so many kills the job is FAILED.',
  },
  'execution.buffer-timeout.interval': {
    type: DURATION,
    default: '100 ms',
    old: ['execution.buffer-timeout'],
    effect: 'A buffer that is not full leaves after this long.',
    picture: 'How full the buffers are that travel.',
  },
  'taskmanager.memory.segment-size': { type: MEMORY, default: '32 kb', effect: 'Size of a buffer.', picture: 'How many records a buffer holds.' },
  'taskmanager.numberOfTaskSlots': { type: INTEGER, default: '1', effect: 'Slots of one TaskManager; a slot holds one subtask of each operator.', picture: 'How many lanes one TaskManager carries.' },
  'pipeline.max-parallelism': {
    type: INTEGER,
    default: '-1',
    effect: 'Number of key groups, the limit of rescaling; -1: derived from the parallelism.',
    picture: 'Into how many groups keys are divided.',
  },
  'pipeline.operator-chaining.enabled': {
    type: BOOLEAN,
    default: 'false',
    old: ['pipeline.operator-chaining'],
    effect: 'Joins operators that forward to each other into one task (true in Flink; false here, so that each operator has lanes of its own).',
    picture: 'Chained operators share a card and a worker.',
  },
  'high-availability.type': {
    type: choice('NONE', 'indexeddb', 'zookeeper', 'kubernetes'),
    default: 'indexeddb',
    old: ['high-availability'],
    effect: 'Whether the job outlives its JobManager (NONE in Flink; on here).',
    picture: 'With NONE a killed JobManager loses the job.',
  },
}

const UNUSED: Readonly<Record<string, Row>> = {
  [`${C}unaligned.enabled`]: {
    type: BOOLEAN,
    default: 'false',
    old: [`${C}unaligned`],
    effect: 'Barriers overtake buffered records, which become part of the checkpoint.',
    picture: 'Barriers jump over buffers instead of waiting behind them.',
  },
  [`${C}aligned-checkpoint-timeout`]: {
    type: DURATION,
    default: '0 ms',
    old: [`${C}alignment-timeout`],
    effect: 'With unaligned checkpoints: begin aligned, and go over to unaligned at this age.',
    picture: 'When a waiting barrier begins to overtake.',
  },
  [`${C}interval-during-backlog`]: { type: DURATION, default: null, effect: 'Period while a source reads a backlog.', picture: 'Fewer barriers while a source catches up.' },
  [`${C}storage`]: { type: TEXT, default: null, old: ['state.checkpoint-storage'], effect: 'Where checkpoints are stored.', picture: 'Files in storage, or bytes at the JobManager.' },
  [`${C}savepoint-dir`]: { type: TEXT, default: null, old: ['state.savepoints.dir', 'savepoints.state.backend.fs.dir'], effect: 'Default target of savepoints.', picture: 'The path of savepoints.' },
  [`${C}create-subdir`]: { type: BOOLEAN, default: 'true', old: ['state.checkpoints.create-subdir'], effect: 'A directory for each job below the root.', picture: 'The path of the files in storage.' },
  [`${C}write-buffer-size`]: { type: INTEGER, default: '4096', old: ['state.storage.fs.write-buffer-size', 'state.backend.fs.write-buffer-size'], effect: 'Buffer of a state file being written.', picture: 'Nothing.' },
  [`${C}incremental`]: { type: BOOLEAN, default: 'false', old: ['state.backend.incremental'], effect: 'Uploads only what is new, where the backend can.', picture: 'Fewer bytes fly to storage.' },
  [`${C}local-backup.enabled`]: { type: BOOLEAN, default: 'false', old: ['state.backend.local-recovery'], effect: "A second copy of state on the TaskManager's disk.", picture: 'Recovery reads from the TaskManager.' },
  [`${C}unaligned.forced`]: { type: BOOLEAN, default: 'false', effect: 'Allows unaligned checkpoints where they are unsafe.', picture: 'Nothing.' },
  [`${C}file-merging.enabled`]: { type: BOOLEAN, default: 'false', effect: 'Merges small state files.', picture: 'Fewer files in storage.' },
  'jobmanager.execution.failover-strategy': { type: choice('region', 'full'), default: 'region', effect: 'Whether a failure restarts the connected region or all tasks.', picture: 'How many lanes restart.' },
  'state.backend.type': { type: TEXT, default: 'hashmap', old: ['state.backend'], effect: 'How keyed state is kept.', picture: 'A table, or a tree of sorted files.' },
  'taskmanager.network.memory.buffer-debloat.enabled': { type: BOOLEAN, default: 'false', effect: 'Shrinks buffers to what is read in a second.', picture: 'Shorter queues under backpressure.' },
  'pipeline.auto-watermark-interval': { type: DURATION, default: '200 ms', effect: 'How often watermarks are made.', picture: 'How often watermarks travel.' },
  'web.checkpoints.history': { type: INTEGER, default: '10', old: ['jobmanager.web.checkpoints.history'], effect: 'How many checkpoints the history remembers.', picture: 'Length of the history.' },
}

const describe = (rows: Readonly<Record<string, Row>>, used: boolean): readonly OptionDescription[] =>
  Object.entries(rows).map(([key, row]) => ({
    key,
    oldKeys: row.old ?? [],
    type: row.type,
    default: row.default,
    effect: row.effect,
    picture: row.picture,
    used,
  }))

export const OPTIONS: readonly OptionDescription[] = [...describe(USED, true), ...describe(UNUSED, false)]

const BY_KEY = new Map(OPTIONS.flatMap((option) => [option.key, ...option.oldKeys].map((key) => [key, option] as const)))

/** The option of a key, which may be an old one. */
export const findOption = (key: string): OptionDescription | undefined => BY_KEY.get(key)
