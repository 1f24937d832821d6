package weir;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.apache.flink.api.common.JobID;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.api.java.functions.KeySelector;
import org.apache.flink.api.java.tuple.Tuple2;
import org.apache.flink.connector.datagen.source.DataGeneratorSource;
import org.apache.flink.connector.datagen.source.GeneratorFunction;
import org.apache.flink.core.execution.SavepointFormatType;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.functions.sink.v2.DiscardingSink;
import org.apache.flink.streaming.api.functions.windowing.ProcessWindowFunction;
import org.apache.flink.streaming.api.windowing.assigners.EventTimeSessionWindows;
import org.apache.flink.streaming.api.windowing.assigners.TumblingEventTimeWindows;
import org.apache.flink.streaming.api.windowing.windows.TimeWindow;
import org.apache.flink.util.Collector;

/** A job with every kind of state; its savepoints are written together with what the functions put in. */
final class StateJob {
    static final int MAX_PARALLELISM = 128;
    static final int PARALLELISM = 2;
    private static final int RECORDS = 40;
    private static final long WINDOW_MILLIS = 1000;
    /** Nothing fires: the watermark stays far behind the first record. */
    private static final Duration BEHIND = Duration.ofDays(1);
    private static final String[] NAMES = {"a", "hello", "grüße-✓-😀", "", "user-1", "b\nc", "x".repeat(200)};

    private StateJob() {}

    /** Numbers up to {@link #RECORDS}, then none: the source goes on, as one that waits for data. */
    static final class Numbers implements GeneratorFunction<Long, Long> {
        @Override
        public Long map(Long index) throws Exception {
            if (index >= RECORDS) Thread.sleep(10);
            return index;
        }
    }

    /** Writes a savepoint of each format, one that stops the job, and a retained checkpoint, below {@code directory}. */
    static List<Map<String, Object>> write(Cluster cluster, Path directory, String backend) throws Exception {
        List<Map<String, Object>> written = new ArrayList<>();
        String savepoints = directory.resolve(backend).toString();
        JobID job = start(cluster, directory, backend);
        for (SavepointFormatType format : SavepointFormatType.values()) {
            written.add(snapshot(backend + " " + format.name().toLowerCase() + " savepoint", cluster.savepoint(job, savepoints, format)));
        }
        written.add(snapshot(backend + " stop with savepoint", cluster.stop(job, savepoints, false)));
        cluster.end(job);
        // A job that has finished leaves no checkpoint behind: another one is canceled.
        JobID second = start(cluster, directory, backend);
        written.add(snapshot(backend + " checkpoint", cluster.checkpoint(second)));
        cluster.cancel(second);
        return written;
    }

    /** Returns when all records have been dealt with. */
    private static JobID start(Cluster cluster, Path directory, String backend) throws Exception {
        Ledger.clear();
        StreamExecutionEnvironment environment = Cluster.environment(backend, PARALLELISM, null, settings(directory.resolve("checkpoints")));
        environment.setMaxParallelism(MAX_PARALLELISM);
        int expected = build(environment) * RECORDS;
        JobID job = cluster.submit(environment);
        cluster.await(job, () -> Ledger.count() == expected);
        return job;
    }

    private static Map<String, Object> snapshot(String name, String path) {
        return Map.of("name", name, "path", path, "entries", Ledger.entries());
    }

    private static Map<String, String> settings(Path checkpoints) {
        return Map.of(
                "execution.checkpointing.dir", checkpoints.toUri().toString(),
                "execution.checkpointing.externalized-checkpoint-retention", "RETAIN_ON_CANCELLATION",
                "execution.checkpointing.interval", "1 h",
                "execution.checkpointing.num-retained", "10",
                "execution.checkpointing.data-inline-threshold", "1 kb",
                "execution.checkpointing.incremental", "true");
    }

    /** How often each record is seen in all. */
    private static int build(StreamExecutionEnvironment environment) {
        DataStream<Long> numbers = environment
                .fromSource(
                        new DataGeneratorSource<>(new Numbers(), Long.MAX_VALUE, Types.LONG),
                        WatermarkStrategy.<Long>forBoundedOutOfOrderness(BEHIND).withTimestampAssigner((number, before) -> number * 100),
                        "numbers")
                .setParallelism(1)
                .uid("numbers")
                .filter(number -> number < RECORDS)
                .setParallelism(1);
        sink(numbers.keyBy(number -> NAMES[(int) (number % NAMES.length)]).process(new KeyedStates()).uid(KeyedStates.UID));
        byKey(numbers, "by-int", number -> (int) (number % 6) - 2, Types.INT);
        byKey(numbers, "by-long", number -> (number % 7 - 3) * 0x1_0000_0001L, Types.LONG);
        byKey(numbers, "by-boolean", number -> number % 2 == 0, Types.BOOLEAN);
        byKey(numbers, "by-tuple", number -> Tuple2.of(NAMES[(int) (number % 3)], (int) (number % 2)), Types.TUPLE(Types.STRING, Types.INT));
        byKey(numbers, "by-pojo", number -> Reading.of("r", (int) (number % 4)), Types.POJO(Reading.class));
        windows(numbers);
        sink(numbers.rebalance().process(new OperatorStates.Lists()).uid(OperatorStates.LISTS_UID));
        sink(numbers.keyBy(number -> (int) (number % 5), Types.INT)
                .connect(numbers.broadcast(OperatorStates.RULES))
                .process(new OperatorStates.WithRules())
                .uid(OperatorStates.RULES_UID));
        return 1 + 5 + 4 + 1 + 1 + PARALLELISM;
    }

    private static <K> void byKey(DataStream<Long> numbers, String uid, KeySelector<Long, K> key, TypeInformation<K> type) {
        sink(numbers.keyBy(key, type).process(new CountByKey<>(uid)).uid(uid));
    }

    /** What they hold is told by the records before them, by arithmetic. */
    private static void windows(DataStream<Long> numbers) {
        TumblingEventTimeWindows tumbling = TumblingEventTimeWindows.of(Duration.ofMillis(WINDOW_MILLIS));
        sink(told(numbers, "window-sum", so -> so.stream().mapToLong(Long::longValue).sum()).keyBy(StateJob::tens, Types.INT)
                .window(tumbling).reduce(Long::sum).uid("window-sum"));
        sink(told(numbers, "window-mean", so -> Tuple2.of(so.stream().mapToLong(Long::longValue).sum(), (long) so.size())).keyBy(StateJob::tens, Types.INT)
                .window(tumbling).aggregate(new KeyedStates.Mean(), Types.TUPLE(Types.LONG, Types.LONG), Types.DOUBLE).uid("window-mean"));
        sink(told(numbers, "window-all", so -> so).keyBy(StateJob::tens, Types.INT).window(tumbling).process(new Nothing()).uid("window-all"));
        // Sessions that merge: what Flink itself reads out of them is the answer here.
        sink(told(numbers, null, so -> so).filter(number -> number % 7 != 0).setParallelism(1).keyBy(StateJob::tens, Types.INT)
                .window(EventTimeSessionWindows.withGap(Duration.ofMillis(450))).reduce(Long::sum).uid("session-sum"));
    }

    private static int tens(long number) {
        return (int) (number % 3) * 10;
    }

    private static DataStream<Long> told(DataStream<Long> numbers, String uid, Function<List<Long>, Object> contents) {
        Map<String, List<Long>> windows = new java.util.HashMap<>();
        for (long number = 0; uid != null && number < RECORDS; number++) {
            long start = number * 100 / WINDOW_MILLIS * WINDOW_MILLIS;
            TimeWindow window = new TimeWindow(start, start + WINDOW_MILLIS);
            List<Long> so = windows.computeIfAbsent(tens(number) + "/" + start, key -> new ArrayList<>());
            so.add(number);
            Ledger.keyed(uid, "window-contents", tens(number), window, null, contents.apply(so));
            Ledger.element(uid, "_timer_state/event_window-timers", 0, tens(number), window, null, window.maxTimestamp());
        }
        return numbers.map(number -> {
            Ledger.seen();
            return number;
        }).returns(Types.LONG).setParallelism(1);
    }

    private static void sink(DataStream<?> stream) {
        stream.sinkTo(new DiscardingSink<>());
    }

    private static final class Nothing extends ProcessWindowFunction<Long, Long, Integer, TimeWindow> {
        @Override
        public void process(Integer key, Context context, Iterable<Long> elements, Collector<Long> out) {}
    }
}
