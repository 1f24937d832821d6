package weir;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import org.apache.flink.api.common.JobID;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.api.common.state.ValueState;
import org.apache.flink.api.common.state.ValueStateDescriptor;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.api.connector.source.util.ratelimit.RateLimiterStrategy;
import org.apache.flink.connector.datagen.source.DataGeneratorSource;
import org.apache.flink.connector.datagen.source.GeneratorFunction;
import org.apache.flink.core.execution.SavepointFormatType;
import org.apache.flink.runtime.state.KeyedStateBackend;
import org.apache.flink.runtime.state.VoidNamespace;
import org.apache.flink.runtime.state.VoidNamespaceSerializer;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.functions.sink.v2.DiscardingSink;
import org.apache.flink.streaming.api.operators.AbstractStreamOperator;
import org.apache.flink.streaming.api.operators.OneInputStreamOperator;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;

/** A word count that also runs here: source `words`, a number sequence, and `count`, a ValueState of Longs by String. */
final class Words {
    private static final int PARALLELISM = 2;
    private static final long RECORDS = 6000;
    private static final long MANY_RECORDS = 20_000;
    private static final Map<String, Long> COUNTS = new ConcurrentHashMap<>();
    private static final AtomicLong SEEN = new AtomicLong();

    private Words() {}

    /** Read from JSON, so the fields are public. */
    public static final class Request {
        public String name;
        /** Null: from nothing. */
        public String snapshot;
        public String backend;
        public int parallelism;
        public long records;
        /** What Flink's records are called: `word-0` to `word-6`. */
        public String word;
    }

    /** Runs the job to its end, and tells the counts it then has, or why it failed. */
    static Map<String, Object> run(Cluster cluster, Request request) {
        Map<String, Object> answer = new HashMap<>();
        answer.put("name", request.name);
        try {
            StreamExecutionEnvironment environment = Cluster.environment(request.backend, request.parallelism, request.snapshot, Map.of());
            build(environment, request.word, request.records, 0, 0);
            cluster.run(environment);
            answer.put("counts", new HashMap<>(COUNTS));
        } catch (Exception failure) {
            answer.put("failure", Restore.causes(failure));
        }
        return answer;
    }

    /** Snapshots of the job while it runs, so that what is in them shows in its counts and offsets alone. */
    static List<Map<String, Object>> write(Cluster cluster, Path directory) throws Exception {
        List<Map<String, Object>> written = new ArrayList<>();
        for (String backend : List.of("hashmap", "rocksdb")) {
            String savepoints = directory.resolve("words").toString();
            StreamExecutionEnvironment environment = Cluster.environment(backend, PARALLELISM, null, settings(directory, false));
            build(environment, "flink", RECORDS, 0, 2000);
            JobID job = cluster.submit(environment);
            cluster.await(job, () -> SEEN.get() > 500);
            written.add(snapshot(backend + " canonical savepoint of words", cluster.savepoint(job, savepoints, SavepointFormatType.CANONICAL), RECORDS));
            if (backend.equals("hashmap")) written.add(snapshot("hashmap native savepoint of words", cluster.savepoint(job, savepoints, SavepointFormatType.NATIVE), RECORDS));
            written.add(snapshot(backend + " stop with savepoint of words", cluster.stop(job, savepoints, false), RECORDS));
            cluster.end(job);
        }
        written.add(snapshot("unaligned checkpoint of words", unaligned(cluster, directory), MANY_RECORDS));
        return written;
    }

    /** Behind a slow operator, so that there is much in flight. */
    private static String unaligned(Cluster cluster, Path directory) throws Exception {
        StreamExecutionEnvironment environment = Cluster.environment("hashmap", PARALLELISM, null, settings(directory, true));
        build(environment, "flink", MANY_RECORDS, 2, 0);
        JobID job = cluster.submit(environment);
        cluster.await(job, () -> SEEN.get() > 300);
        String path = cluster.checkpoint(job);
        cluster.cancel(job);
        return path;
    }

    private static Map<String, Object> snapshot(String name, String path, long records) {
        return Map.of("name", name, "path", path, "records", records);
    }

    private static Map<String, String> settings(Path directory, boolean unaligned) {
        return Map.of(
                "execution.checkpointing.dir", directory.resolve("checkpoints").toUri().toString(),
                "execution.checkpointing.externalized-checkpoint-retention", "RETAIN_ON_CANCELLATION",
                "execution.checkpointing.interval", "1 h",
                "execution.checkpointing.unaligned.enabled", String.valueOf(unaligned));
    }

    /** The raw type: a later Flink gave it a parameter. */
    @SuppressWarnings({"unchecked", "rawtypes"})
    private static void build(StreamExecutionEnvironment environment, String word, long records, int millis, double perSecond) {
        COUNTS.clear();
        SEEN.set(0);
        GeneratorFunction<Long, String> words = index -> word + "-" + index % 7;
        RateLimiterStrategy rate = perSecond == 0 ? RateLimiterStrategy.noOp() : RateLimiterStrategy.perSecond(perSecond);
        environment
                .fromSource(new DataGeneratorSource<String>(words, records, rate, Types.STRING), WatermarkStrategy.noWatermarks(), "words")
                .uid("words")
                .keyBy(one -> one)
                .transform("count", Types.STRING, new Counter(millis))
                .uid("count")
                // In-flight data of a forward edge could not be rescaled.
                .rebalance()
                .sinkTo(new DiscardingSink<>());
    }

    private static final class Counter extends AbstractStreamOperator<String> implements OneInputStreamOperator<String, String> {
        private static final ValueStateDescriptor<Long> COUNT = new ValueStateDescriptor<>("count", Types.LONG);
        private final int millis;

        Counter(int millis) {
            this.millis = millis;
        }

        private ValueState<Long> count() throws Exception {
            return getKeyedStateBackend().getPartitionedState(VoidNamespace.INSTANCE, VoidNamespaceSerializer.INSTANCE, COUNT);
        }

        @Override
        public void processElement(StreamRecord<String> word) throws Exception {
            if (millis > 0) Thread.sleep(millis);
            ValueState<Long> count = count();
            count.update(count.value() == null ? 1 : count.value() + 1);
            SEEN.incrementAndGet();
        }

        /** Also the counts of words that have not come again since the restore. */
        @Override
        public void finish() throws Exception {
            KeyedStateBackend<String> backend = getKeyedStateBackend();
            count();
            List<String> words = backend.getKeys("count", VoidNamespace.INSTANCE).collect(Collectors.toList());
            for (String word : words) {
                backend.setCurrentKey(word);
                COUNTS.put(word, count().value());
            }
        }
    }
}
