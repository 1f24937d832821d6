/** Options of network, pipeline, cluster and web that bear upon checkpoints (behaviour 21.5). Flink: ExecutionOptions, TaskManagerOptions, PipelineOptions, HighAvailabilityOptions, WebOptions. */
import type { OptionType } from '../option-description.ts'
import { BOOLEAN, choice, DECIMAL, describeRows, DURATION, INTEGER, MEMORY, type Row } from './rows.ts'

const DEBLOAT = 'taskmanager.network.memory.buffer-debloat.'

const network = (key: string, type: OptionType, value: string | null, old: readonly string[], effect: string): Row => ({
  key,
  type,
  default: value,
  old,
  effect,
  picture: 'Nothing.',
  unused: 'Buffers here have no common memory that could run short.',
})

const NEIGHBOURS: readonly Row[] = [
  {
    key: 'execution.buffer-timeout.interval',
    type: DURATION,
    default: '100 ms',
    old: ['execution.buffer-timeout'],
    effect: 'A buffer that is not full leaves after this long; 0: after each record; -1: only when it is full. Barriers do not wait for it.',
    picture: 'How full the buffers are that travel.',
  },
  { key: 'execution.buffer-timeout.enabled', type: BOOLEAN, default: 'true', effect: 'Off: a buffer leaves only when it is full.', picture: 'Buffers travel full.' },
  { key: 'taskmanager.memory.segment-size', type: MEMORY, default: '32 kb', effect: 'Size of a buffer.', picture: 'How many records a buffer holds, and so how much is in flight.' },
  {
    key: `${DEBLOAT}enabled`,
    type: BOOLEAN,
    default: 'false',
    effect: 'Shrinks new buffers so that what is in flight takes the target time to process.',
    picture: 'Smaller buffers under backpressure: barriers get through sooner.',
    history: 'Since 1.14. Works with aligned and unaligned checkpoints.',
  },
  { key: `${DEBLOAT}target`, type: DURATION, default: '1 s', effect: 'How long the data in front of a gate should take to process.', picture: 'How much is in flight under backpressure.' },
  { key: `${DEBLOAT}period`, type: DURATION, default: '200 ms', effect: 'How often the size is worked out.', picture: 'How soon buffers follow a change of load.' },
  { key: `${DEBLOAT}samples`, type: INTEGER, default: '20', effect: 'How many measurements are averaged.', picture: 'How smoothly the size of buffers changes.' },
  { key: `${DEBLOAT}threshold-percentages`, type: INTEGER, default: '25', effect: 'A new size counts only if it differs by this much.', picture: 'How often the size of buffers changes.' },
  network('taskmanager.memory.network.fraction', DECIMAL, '0.1', ['taskmanager.network.memory.fraction'], 'Share of the memory of Flink that buffers have.'),
  network('taskmanager.memory.network.min', MEMORY, '64 mb', ['taskmanager.network.memory.min'], 'Least memory of buffers.'),
  network('taskmanager.memory.network.max', MEMORY, null, ['taskmanager.network.memory.max'], 'Most memory of buffers; not set: no limit.'),
  network('taskmanager.network.memory.buffers-request-timeout', DURATION, '30 s', ['taskmanager.network.memory.exclusive-buffers-request-timeout-ms'], 'How long a task waits for its buffers when it starts.'),
  { key: 'taskmanager.numberOfTaskSlots', type: INTEGER, default: '1', effect: 'Slots of one TaskManager; a slot holds one subtask of each operator.', picture: 'How many lanes one TaskManager carries.' },
  {
    key: 'pekko.framesize',
    type: MEMORY,
    default: '10485760b',
    old: ['akka.framesize'],
    effect: 'Largest message between processes; an acknowledgement above it is dropped on its way, and the checkpoint expires.',
    picture: 'A subtask whose acknowledgement never arrives, where state travels with it (JobManager storage).',
    history: 'akka.framesize before 1.18. Before 1.19 the task declined such a checkpoint instead.',
  },
  {
    key: 'pipeline.max-parallelism',
    type: INTEGER,
    default: '-1',
    effect: 'Number of key groups, the limit of rescaling; -1: derived from the parallelism.',
    picture: 'Into how many groups keys are divided.',
  },
  {
    key: 'pipeline.operator-chaining.enabled',
    type: BOOLEAN,
    default: 'false',
    old: ['pipeline.operator-chaining'],
    effect: 'Joins operators that forward to each other into one task (true in Flink; false here, so that each operator has lanes of its own).',
    picture: 'Chained operators share a card and a worker.',
  },
  {
    key: 'pipeline.operator-chaining.chain-operators-with-different-max-parallelism',
    type: BOOLEAN,
    default: 'true',
    effect: 'Whether operators of different maximum parallelism are chained.',
    picture: 'Which operators share a card.',
    unused: 'They are always chained here, where chaining is on.',
  },
  {
    key: 'pipeline.auto-generate-uids',
    type: BOOLEAN,
    default: 'true',
    effect: 'Off: an operator without a uid is an error.',
    picture: 'Nothing: every operator of a job document has a uid.',
    unused: 'An operator without a uid of its own says so itself here (generatedUid).',
  },
  { key: 'pipeline.auto-watermark-interval', type: DURATION, default: '200 ms', effect: 'How often watermarks are made.', picture: 'How often watermarks travel.', unused: 'Sources make no watermarks here.' },
  { key: 'sink.committer.retries', type: INTEGER, default: '10', effect: 'How often a commit is tried.', picture: 'How long a failing commit goes on.', unused: 'Retries of a commit are not counted here.' },
  {
    key: 'high-availability.type',
    type: choice('NONE', 'indexeddb', 'zookeeper', 'kubernetes'),
    default: 'indexeddb',
    old: ['recovery.mode', 'high-availability'],
    effect: 'Whether the job outlives its JobManager (NONE in Flink; on here).',
    picture: 'With NONE a killed JobManager loses the job.',
  },
  { key: 'web.refresh-interval', type: DURATION, default: '3 s', old: ['jobmanager.web.refresh-interval'], effect: 'How often the web UI asks for news.', picture: 'Nothing.', unused: 'The page is told of every event here.' },
  { key: 'task.cancellation.interval', type: DURATION, default: '30 s', old: ['task.cancellation-interval'], effect: 'How often a task that does not end is interrupted.', picture: 'Nothing.', unused: 'A task ends at once when it is cancelled here.' },
  { key: 'task.cancellation.timeout', type: DURATION, default: '3 min', effect: 'A task that has not ended by then takes its TaskManager with it.', picture: 'A stuck task kills its TaskManager.', unused: 'A task ends at once when it is cancelled here.' },
]

export const NEIGHBOUR_OPTIONS = describeRows('neighbours', '', NEIGHBOURS)
