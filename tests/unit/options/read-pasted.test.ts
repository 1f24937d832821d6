import { describe, expect, it } from 'vitest'
import { formOf, type PasteForm } from '../../../src/options/form-of.ts'
import { readPasted, type Pasted } from '../../../src/options/read-pasted.ts'
import { compileJob } from '../../../workers/model/compile-job.ts'
import { ENTRIES_MAX, PASTE_MAX } from '../../../workers/model/options/import/imported-option.ts'
import { OPTIONS } from '../../../workers/model/options/option-table.ts'

function read(text: string, form?: PasteForm): Pasted {
  const result = form === undefined ? readPasted(text) : readPasted(text, form)
  if (!result.ok) throw new Error(result.error)
  return result.value
}

const lines = (text: string, form?: PasteForm): readonly string[] => read(text, form).options.map(({ key, value, status, from }) => `${from.line} ${key} = ${value ?? '(none)'} [${status}]`)

const C = 'execution.checkpointing.'

describe('a pasted config.yaml', () => {
  it('may be nested, as 2.x writes it', () => {
    const text = `# our cluster
execution:
  checkpointing:
    interval: 10 s
    mode: EXACTLY_ONCE
    unaligned:
      enabled: true
state:
  backend:
    type: rocksdb
taskmanager.numberOfTaskSlots: 4
jobmanager.rpc.address: localhost
`
    expect(read(text).form).toBe('config.yaml')
    expect(lines(text)).toEqual([
      `4 ${C}interval = 10 s [unchanged]`,
      `5 ${C}mode = EXACTLY_ONCE [unchanged]`,
      `7 ${C}unaligned.enabled = true [unchanged]`,
      '10 state.backend.type = rocksdb [not used here]',
      '11 taskmanager.numberOfTaskSlots = 4 [unchanged]',
      '12 jobmanager.rpc.address = localhost [unknown]',
    ])
  })

  it('may be flat with old keys, as flink-conf.yaml was', () => {
    const text = `state.backend: rocksdb
state.checkpoints.dir: hdfs:///flink/checkpoints
state.checkpoints.num-retained: 3
execution.checkpointing.unaligned: false
execution.checkpointing.alignment-timeout: 30 s
restart-strategy: fixed-delay   # three times
taskmanager.network.memory.buffers-per-channel: 2
my.key: a: b`
    expect(lines(text)).toEqual([
      '1 state.backend.type = rocksdb [renamed]',
      `2 ${C}dir = hdfs:///flink/checkpoints [renamed]`,
      `3 ${C}num-retained = 3 [renamed]`,
      `4 ${C}unaligned.enabled = false [renamed]`,
      `5 ${C}aligned-checkpoint-timeout = 30 s [renamed]`,
      '6 restart-strategy.type = fixed-delay [renamed]',
      '7 taskmanager.network.memory.buffers-per-channel = (none) [removed]',
      '8 my.key = a: b [unknown]',
    ])
  })

  it('keeps numbers as they are written, joins lists, and lists a key without a value', () => {
    expect(lines(`restart-strategy.exponential-delay.backoff-multiplier: 1.50\nmy.list: [a, b]\n${C}dir:\n`)).toEqual([
      '1 restart-strategy.exponential-delay.backoff-multiplier = 1.50 [unchanged]',
      '2 my.list = a;b [unknown]',
      `3 ${C}dir = (none) [no value]`,
    ])
  })

  it('an old key that was split gives both options', () => {
    expect(lines('state.backend.local-recovery: true')).toEqual([`1 ${C}local-backup.enabled = true [renamed]`, '1 execution.state-recovery.from-local = true [renamed]'])
  })

  it('a line that cannot be read is listed', () => {
    expect(read(`${C}interval: 10 s\nnonsense\n}{`, 'config.yaml').unread.map(({ line, text }) => [line, text])).toEqual([[2, 'nonsense'], [3, '}{']])
  })

  it('with aliases that would grow without end is read to a limit', () => {
    const bomb = `a: &a {x: 1, y: 2}\n${'bcdefghijk'.split('').map((name, index) => `${name}: &${name} {p: *${'abcdefghij'[index] ?? 'a'}, q: *${'abcdefghij'[index] ?? 'a'}}`).join('\n')}\n`
    expect(read(bomb, 'config.yaml').options.length).toBeLessThanOrEqual(ENTRIES_MAX)
  })
})

describe('pasted SET statements', () => {
  it('are read with quotes, without, over several lines and between comments', () => {
    const text = `-- from the SQL client
SET 'execution.checkpointing.interval' = '3 min';
set execution.checkpointing.mode=AT_LEAST_ONCE;
/* more */ SET
  'state.savepoints.dir' = '/it''s here';
SET 'no.such.key' = 'a;b';`
    expect(read(text).form).toBe('SET')
    expect(lines(text)).toEqual([
      `2 ${C}interval = 3 min [unchanged]`,
      `3 ${C}mode = AT_LEAST_ONCE [unchanged]`,
      `4 ${C}savepoint-dir = /it's here [renamed]`,
      '6 no.such.key = a;b [unknown]',
    ])
  })

  it('other statements are listed as not read', () => {
    expect(read(`SET 'a' = 'b';\nDROP TABLE a;`).unread).toEqual([{ line: 2, text: 'DROP TABLE a', reason: 'It is no SET statement with a key and a value.' }])
  })
})

describe('pasted -D arguments', () => {
  it('are read with and without a space and quotes', () => {
    const text = `./bin/flink run -Dexecution.checkpointing.interval=10s -D execution.checkpointing.mode=AT_LEAST_ONCE \\
  -Dstate.checkpoints.dir="/a b" '-Drestart-strategy.fixed-delay.delay=5 s' job.jar --port 1`
    expect(read(text).form).toBe('-D')
    expect(lines(text)).toEqual([
      `1 ${C}interval = 10s [unchanged]`,
      `1 ${C}mode = AT_LEAST_ONCE [unchanged]`,
      `2 ${C}dir = /a b [renamed]`,
      '2 restart-strategy.fixed-delay.delay = 5 s [unchanged]',
    ])
  })
})

describe('pasted Java', () => {
  it('of the documentation of 1.13 to 1.15', () => {
    const text = `StreamExecutionEnvironment env = StreamExecutionEnvironment.getExecutionEnvironment();

// start a checkpoint every 1000 ms
env.enableCheckpointing(1000);
env.getCheckpointConfig().setCheckpointingMode(CheckpointingMode.EXACTLY_ONCE);
env.getCheckpointConfig().setMinPauseBetweenCheckpoints(500);
env.getCheckpointConfig().setCheckpointTimeout(60000);
env.getCheckpointConfig().setTolerableCheckpointFailureNumber(2);
env.getCheckpointConfig().setMaxConcurrentCheckpoints(1);
env.getCheckpointConfig().setExternalizedCheckpointCleanup(
    ExternalizedCheckpointCleanup.RETAIN_ON_CANCELLATION);
env.getCheckpointConfig().enableUnalignedCheckpoints();
env.setStateBackend(new EmbeddedRocksDBStateBackend(true));
env.getCheckpointConfig().setCheckpointStorage("hdfs:///my/checkpoint/dir");
env.setDefaultSavepointDir("hdfs:///savepoints");

Configuration config = new Configuration();
config.set(ExecutionCheckpointingOptions.ENABLE_CHECKPOINTS_AFTER_TASKS_FINISH, true);
env.configure(config);`
    expect(read(text).form).toBe('Java')
    expect(read(text).unread).toEqual([])
    expect(lines(text)).toEqual([
      `4 ${C}interval = 1 s [unchanged]`,
      `5 ${C}mode = EXACTLY_ONCE [unchanged]`,
      `6 ${C}min-pause = 500 ms [unchanged]`,
      `7 ${C}timeout = 1 min [unchanged]`,
      `8 ${C}tolerable-failed-checkpoints = 2 [unchanged]`,
      `9 ${C}max-concurrent-checkpoints = 1 [unchanged]`,
      `10 ${C}externalized-checkpoint-retention = RETAIN_ON_CANCELLATION [renamed]`,
      `12 ${C}unaligned.enabled = true [unchanged]`,
      '13 state.backend.type = rocksdb [removed]',
      `13 ${C}incremental = true [removed]`,
      `14 ${C}storage = filesystem [removed]`,
      `14 ${C}dir = hdfs:///my/checkpoint/dir [removed]`,
      `15 ${C}savepoint-dir = hdfs:///savepoints [renamed]`,
      `18 ${C}checkpoints-after-tasks-finish = true [renamed]`,
    ])
  })

  it.each<[string, readonly string[]]>([
    ['env.enableCheckpointing(10 * 60_000L, CheckpointingMode.AT_LEAST_ONCE);', [`${C}interval = 10 min [unchanged]`, `${C}mode = AT_LEAST_ONCE [unchanged]`]],
    ['env.enableCheckpointing();', [`${C}interval = 500 ms [removed]`]],
    ['long every = 5_000; env.enableCheckpointing(every);', [`${C}interval = 5 s [unchanged]`]],
    ['env.enableCheckpointing(params.getLong("interval"));', [`${C}interval = (none) [no value]`]],
    ['checkpointConfig.enableExternalizedCheckpoints(CheckpointConfig.ExternalizedCheckpointCleanup.DELETE_ON_CANCELLATION);', [`${C}externalized-checkpoint-retention = DELETE_ON_CANCELLATION [renamed]`]],
    ['config.setExternalizedCheckpointRetention(ExternalizedCheckpointRetention.RETAIN_ON_CANCELLATION);', [`${C}externalized-checkpoint-retention = RETAIN_ON_CANCELLATION [unchanged]`]],
    ['env.getCheckpointConfig().setFailOnCheckpointingErrors(false);', [`${C}tolerable-failed-checkpoints = 2147483647 [removed]`]],
    ['env.getCheckpointConfig().setPreferCheckpointForRecovery(true);', ['setPreferCheckpointForRecovery(…) = (none) [removed]']],
    ['env.getCheckpointConfig().setAlignedCheckpointTimeout(Duration.ofSeconds(30));', [`${C}aligned-checkpoint-timeout = 30 s [unchanged]`]],
    ['env.getCheckpointConfig().setAlignmentTimeout(Duration.ofMinutes(1));', [`${C}aligned-checkpoint-timeout = 1 min [renamed]`]],
    ['env.getCheckpointConfig().setForceUnalignedCheckpoints(true);', [`${C}unaligned.forced = true [not used here]`]],
    ['env.getCheckpointConfig().enableUnalignedCheckpoints(false);', [`${C}unaligned.enabled = false [unchanged]`]],
    ['env.setStateBackend(new HashMapStateBackend());', ['state.backend.type = hashmap [removed]']],
    ['env.setStateBackend(new MemoryStateBackend(10485760));', ['state.backend.type = hashmap [removed]', `${C}storage = jobmanager [removed]`, 'MemoryStateBackend(…, maxStateSize) = (none) [removed]']],
    ['env.setStateBackend(new FsStateBackend("s3://b/c"));', ['state.backend.type = hashmap [removed]', `${C}storage = filesystem [removed]`, `${C}dir = s3://b/c [removed]`]],
    ['env.setStateBackend((StateBackend) new RocksDBStateBackend("file:///x", true));', ['state.backend.type = rocksdb [removed]', `${C}storage = filesystem [removed]`, `${C}dir = file:///x [removed]`, `${C}incremental = true [removed]`]],
    ['EmbeddedRocksDBStateBackend backend = new EmbeddedRocksDBStateBackend(); env.setStateBackend(backend);', ['state.backend.type = rocksdb [removed]']],
    ['env.getCheckpointConfig().setCheckpointStorage(new JobManagerCheckpointStorage(MAX_MEM_STATE_SIZE));', [`${C}storage = jobmanager [removed]`, 'JobManagerCheckpointStorage(…, maxStateSize) = (none) [removed]']],
    ['env.getCheckpointConfig().setCheckpointStorage(new FileSystemCheckpointStorage("file:///c", 1024));', [`${C}storage = filesystem [removed]`, `${C}dir = file:///c [removed]`, `${C}data-inline-threshold = 1 kb [removed]`]],
    ['env.getCheckpointConfig().setCheckpointStorage(new Path("s3://b/c"));', [`${C}storage = filesystem [removed]`, `${C}dir = s3://b/c [removed]`]],
    ['env.setRestartStrategy(RestartStrategies.noRestart());', ['restart-strategy.type = none [removed]']],
    ['env.setRestartStrategy(RestartStrategies.fixedDelayRestart(3, Time.of(10, TimeUnit.SECONDS)));', ['restart-strategy.type = fixed-delay [removed]', 'restart-strategy.fixed-delay.attempts = 3 [removed]', 'restart-strategy.fixed-delay.delay = 10 s [removed]']],
    ['env.setRestartStrategy(RestartStrategies.failureRateRestart(3, Time.minutes(5), Duration.ofSeconds(10)));', ['restart-strategy.type = failure-rate [removed]', 'restart-strategy.failure-rate.max-failures-per-interval = 3 [removed]', 'restart-strategy.failure-rate.failure-rate-interval = 5 min [removed]', 'restart-strategy.failure-rate.delay = 10 s [removed]']],
    ['env.setRestartStrategy(RestartStrategies.fallBackRestart());', ['RestartStrategies.fallBackRestart() = (none) [removed]']],
    ['config.set(CheckpointingOptions.CHECKPOINTING_INTERVAL, Duration.ofMillis(250));', [`${C}interval = 250 ms [unchanged]`]],
    ['config.set(CheckpointingOptions.FS_SMALL_FILE_THRESHOLD, MemorySize.parse("1 kb"));', [`${C}data-inline-threshold = 1 kb [unchanged]`]],
    ['config.set(RestartStrategyOptions.RESTART_STRATEGY, "fixed-delay");', ['restart-strategy.type = fixed-delay [unchanged]']],
    ['config.setString("state.checkpoints.num-retained", "5");', [`${C}num-retained = 5 [renamed]`]],
    ['tableEnv.getConfig().set("execution.checkpointing.interval", "1 min");', [`${C}interval = 1 min [unchanged]`]],
    ['config.set(MyOptions.SOMETHING, 3);', ['MyOptions.SOMETHING = (none) [unknown]']],
    ['env.getCheckpointConfig().setSomethingNew(3);', ['setSomethingNew(…) = (none) [unknown]']],
    ['env.setParallelism(4);', ['setParallelism(…) = (none) [unknown]']],
    ['env.enableCheckpointing(100).setBufferTimeout(-1).disableOperatorChaining();', [`${C}interval = 100 ms [unchanged]`, 'execution.buffer-timeout.interval = -1 ms [unchanged]', 'pipeline.operator-chaining.enabled = false [unchanged]']],
    ['stream.keyBy(x -> x.id).map(y -> { return y; }).setMaxParallelism(4);', []],
  ])('%s', (text, expected) => {
    expect(lines(text, 'Java').map((line) => line.replace(/^\d+ /, ''))).toEqual(expected)
  })

  it('inside a class is read too', () => {
    const text = `package a.b;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
public class Job {
  private static final long INTERVAL = 2000L;
  public static void main(String[] args) throws Exception {
    final StreamExecutionEnvironment env = StreamExecutionEnvironment.getExecutionEnvironment();
    env.enableCheckpointing(INTERVAL);
    env.addSource(new Source<String>() { public void run() { while (true) { emit("x;{"); } } }).print();
    env.execute("job");
  }
}`
    expect(lines(text, 'Java')).toEqual([`7 ${C}interval = 2 s [unchanged]`])
  })
})

describe('what is pasted', () => {
  it('has its form recognized', () => {
    expect(['a.b: c', 'execution:\n  checkpointing:\n    interval: 1 s', "SET 'a' = 'b';", '-Da=b', 'env.enableCheckpointing(5);', 'conf.set(A.B,\n  true);'].map(formOf)).toEqual(['config.yaml', 'config.yaml', 'SET', '-D', 'Java', 'Java'])
  })

  it('gives a note on every setting', () => {
    const text = [...OPTIONS.flatMap((option) => [option.key, ...option.oldKeys]), 'unknown.key', 'state.backend.async'].map((key) => `${key}: x`).join('\n')
    for (const option of read(text, 'config.yaml').options) expect(option.note, option.key).toMatch(/^\S.*[.]$/)
  })

  it('says of a value that is refused what the compiler says of it', () => {
    const result = readPasted('execution.checkpointing.max-concurrent-checkpoints: 0')
    const document = compileJob({ weir: 'job@1', name: 'x', config: { 'execution.checkpointing.max-concurrent-checkpoints': 0 }, operators: [], edges: [] })
    const [option] = result.ok ? result.value.options : []
    const problem = document.problems.find(({ path }) => path.includes('max-concurrent'))
    expect(problem?.severity).toBe('error')
    expect(option).toMatchObject({ status: 'refused', note: `${problem?.message} ${problem?.cure}` })
  })

  it('loses no line: every key of a flat text is in the list', () => {
    const keys = [...OPTIONS.flatMap((option) => [option.key, ...option.oldKeys]), 'some.other.key', 'taskmanager.network.memory.floating-buffers-per-gate']
    const result = read(keys.map((key) => `${key}: 1`).join('\n'), 'config.yaml')
    expect(new Set(result.options.map((option) => option.from.line)).size + result.unread.length).toBe(keys.length)
  })

  it('is refused when it is too long', () => {
    expect(readPasted('a'.repeat(PASTE_MAX + 1)).ok).toBe(false)
  })
})
