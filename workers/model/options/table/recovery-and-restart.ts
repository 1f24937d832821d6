/** Options of recovery, restart and failover (behaviour 21.2, 21.3). Flink: StateRecoveryOptions, RestartStrategyOptions, JobManagerOptions. */
import { BOOLEAN, choice, DECIMAL, describeRows, DURATION, INTEGER, LONG, TEXT, type Row } from './rows.ts'

const RECOVERY: readonly Row[] = [
  {
    key: 'path',
    type: TEXT,
    default: null,
    old: ['execution.savepoint.path'],
    effect: 'Snapshot that the job starts from.',
    picture: 'What state the tasks begin with.',
  },
  {
    key: 'ignore-unclaimed-state',
    type: BOOLEAN,
    default: 'false',
    old: ['execution.savepoint.ignore-unclaimed-state'],
    effect: 'Starts although some state of the snapshot has no operator any more; the REST API calls it allowNonRestoredState.',
    picture: 'State without an operator is left behind instead of an error.',
  },
  {
    key: 'claim-mode',
    type: choice('NO_CLAIM', 'CLAIM', 'LEGACY'),
    default: 'NO_CLAIM',
    old: ['execution.savepoint-restore-mode'],
    effect: 'Who owns the files of the snapshot that the job starts from.',
    picture: 'Whether the snapshot is deleted when newer checkpoints replace it.',
    history: 'Since 1.15; LEGACY is deprecated since 1.19.',
  },
  {
    key: 'from-local',
    type: BOOLEAN,
    default: 'false',
    old: ['state.backend.local-recovery'],
    effect: 'A task that is restarted on its TaskManager reads the copies of keyed state that were kept there.',
    picture: 'Recovery reads from the TaskManager, where that still lives; else from storage.',
    history: 'One key, state.backend.local-recovery, wrote and read the copies before 1.20.',
  },
  {
    key: 'without-channel-state.checkpoint-id',
    type: LONG,
    default: '-1',
    old: ['execution.checkpointing.recover-without-channel-state.checkpoint-id'],
    effect: 'Drops the in-flight data of that checkpoint when it is restored.',
    picture: 'Persisted buffers do not come back.',
  },
  {
    key: 'approximate-local-recovery',
    type: BOOLEAN,
    default: 'false',
    old: ['execution.checkpointing.approximate-local-recovery'],
    effect: 'Restarts only the failed task and loses what it had in flight (experimental).',
    picture: 'One lane restarts, the others go on.',
    unused: 'A failure restarts the whole region here.',
  },
]

const E = 'exponential-delay.'
const RESTART: readonly Row[] = [
  {
    key: 'type',
    type: choice('none', 'off', 'disable', 'fixed-delay', 'fixeddelay', 'failure-rate', 'failurerate', 'exponential-delay', 'exponentialdelay'),
    default: null,
    old: ['restart-strategy'],
    effect: 'Whether and when the job restarts after a failure; not set: exponential-delay with checkpointing, else none.',
    picture: 'The wait between a failure and the restart, or FAILED at the first one.',
    history: 'Up to 1.19 the default with checkpointing was fixed-delay without a limit, 1 s.',
  },
  { key: 'fixed-delay.attempts', type: INTEGER, default: '1', effect: 'How often the job restarts before it fails; the count never resets.', picture: 'After so many kills the job is FAILED.' },
  { key: 'fixed-delay.delay', type: DURATION, default: '1 s', effect: 'Wait before a restart.', picture: 'Length of RESTARTING.' },
  {
    key: 'failure-rate.max-failures-per-interval',
    type: INTEGER,
    default: '1',
    effect: 'How many failures within the interval are endured.',
    picture: 'More kills than this in one interval and the job is FAILED.',
  },
  { key: 'failure-rate.failure-rate-interval', type: DURATION, default: '1 min', effect: 'The sliding interval in which failures are counted.', picture: 'How soon kills are forgotten.' },
  { key: 'failure-rate.delay', type: DURATION, default: '1 s', effect: 'Wait before a restart.', picture: 'Length of RESTARTING.' },
  { key: `${E}initial-backoff`, type: DURATION, default: '1 s', effect: 'Wait before the first restart.', picture: 'Length of the first RESTARTING.' },
  { key: `${E}max-backoff`, type: DURATION, default: '1 min', effect: 'Longest wait before a restart.', picture: 'The wait stops growing here.' },
  { key: `${E}backoff-multiplier`, type: DECIMAL, default: '1.5', effect: 'By how much each wait is longer than the one before.', picture: 'How fast the wait grows from kill to kill.' },
  { key: `${E}reset-backoff-threshold`, type: DURATION, default: '1 h', effect: 'After this long without a failure the wait is the first one again.', picture: 'How soon the job forgets its kills.' },
  { key: `${E}jitter-factor`, type: DECIMAL, default: '0.1', effect: 'Random share by which a wait varies.', picture: 'Waits are not all alike.' },
  { key: `${E}attempts-before-reset-backoff`, type: INTEGER, default: 'infinite', effect: 'How many restarts are tried before the job fails.', picture: 'After so many kills the job is FAILED.' },
  {
    key: '/jobmanager.execution.failover-strategy',
    type: choice('region', 'full'),
    default: 'region',
    effect: 'Whether a failure restarts the connected region or all tasks; one keyBy makes the whole job one region.',
    picture: 'How many lanes restart.',
  },
]

export const RECOVERY_AND_RESTART_OPTIONS = [...describeRows('recovery', 'execution.state-recovery.', RECOVERY), ...describeRows('restart', 'restart-strategy.', RESTART)]
