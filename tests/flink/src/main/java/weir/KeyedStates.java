package weir;

import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import org.apache.flink.api.common.functions.AggregateFunction;
import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.api.common.state.AggregatingState;
import org.apache.flink.api.common.state.AggregatingStateDescriptor;
import org.apache.flink.api.common.state.ListState;
import org.apache.flink.api.common.state.ListStateDescriptor;
import org.apache.flink.api.common.state.MapState;
import org.apache.flink.api.common.state.MapStateDescriptor;
import org.apache.flink.api.common.state.ReducingState;
import org.apache.flink.api.common.state.ReducingStateDescriptor;
import org.apache.flink.api.common.state.StateTtlConfig;
import org.apache.flink.api.common.state.ValueState;
import org.apache.flink.api.common.state.ValueStateDescriptor;
import org.apache.flink.api.common.typeinfo.PrimitiveArrayTypeInfo;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.api.java.tuple.Tuple2;
import org.apache.flink.api.java.tuple.Tuple6;
import org.apache.flink.streaming.api.functions.KeyedProcessFunction;
import org.apache.flink.types.Row;
import org.apache.flink.util.Collector;

/** Keyed state of every kind, with values of many types, and timers of both times. */
final class KeyedStates extends KeyedProcessFunction<String, Long, Long> {
    static final String UID = "keyed-states";
    private static final long YEAR_2100 = 4_102_444_800_000L;
    private static final TypeInformation<Tuple6<Boolean, Double, Short, BigDecimal, Instant, LocalDate>> SCALARS =
            Types.TUPLE(Types.BOOLEAN, Types.DOUBLE, Types.SHORT, Types.BIG_DEC, Types.INSTANT, Types.LOCAL_DATE);

    private transient ValueState<Long> count;
    private transient ValueState<Tuple2<String, Integer>> pair;
    private transient ValueState<Reading> reading;
    private transient ValueState<Row> row;
    private transient ValueState<byte[]> bytes;
    private transient ValueState<Tuple6<Boolean, Double, Short, BigDecimal, Instant, LocalDate>> scalars;
    private transient ValueState<Long> recent;
    private transient ListState<String> names;
    private transient MapState<String, Long> totals;
    private transient MapState<Integer, String> labels;
    private transient ReducingState<Long> sum;
    private transient AggregatingState<Long, Double> mean;

    @Override
    public void open(OpenContext context) {
        count = getRuntimeContext().getState(new ValueStateDescriptor<>("count", Types.LONG));
        pair = getRuntimeContext().getState(new ValueStateDescriptor<>("pair", Types.TUPLE(Types.STRING, Types.INT)));
        reading = getRuntimeContext().getState(new ValueStateDescriptor<>("reading", Types.POJO(Reading.class)));
        row = getRuntimeContext().getState(new ValueStateDescriptor<>("row", Types.ROW(Types.STRING, Types.LONG)));
        bytes = getRuntimeContext().getState(new ValueStateDescriptor<>("bytes", PrimitiveArrayTypeInfo.BYTE_PRIMITIVE_ARRAY_TYPE_INFO));
        scalars = getRuntimeContext().getState(new ValueStateDescriptor<>("scalars", SCALARS));
        ValueStateDescriptor<Long> withTimeToLive = new ValueStateDescriptor<>("recent", Types.LONG);
        withTimeToLive.enableTimeToLive(StateTtlConfig.newBuilder(Duration.ofDays(1)).build());
        recent = getRuntimeContext().getState(withTimeToLive);
        names = getRuntimeContext().getListState(new ListStateDescriptor<>("names", Types.STRING));
        totals = getRuntimeContext().getMapState(new MapStateDescriptor<>("totals", Types.STRING, Types.LONG));
        labels = getRuntimeContext().getMapState(new MapStateDescriptor<>("labels", Types.INT, Types.STRING));
        sum = getRuntimeContext().getReducingState(new ReducingStateDescriptor<>("sum", Long::sum, Types.LONG));
        mean = getRuntimeContext().getAggregatingState(new AggregatingStateDescriptor<>("mean", new Mean(), Types.TUPLE(Types.LONG, Types.LONG)));
    }

    @Override
    public void processElement(Long number, Context context, Collector<Long> out) throws Exception {
        values(number, context.getCurrentKey());
        collections(number, context.getCurrentKey());
        timers(number, context);
        Ledger.seen();
    }

    private void values(long number, String key) throws Exception {
        long before = count.value() == null ? 0 : count.value();
        // A count of three is cleared: such a key has none until its next record.
        if (before == 2) count.clear();
        else count.update(before + 1);
        if (before == 2) Ledger.remove(UID, "count", key, null);
        else tell("count", key, before + 1);
        pair.update(Tuple2.of("last of " + key, (int) number));
        tell("pair", key, pair.value());
        reading.update(Reading.of(key, (int) number));
        tell("reading", key, reading.value());
        row.update(Row.of(key, number % 2 == 0 ? null : number));
        tell("row", key, row.value());
        bytes.update(new byte[] {(byte) number, 0, -1});
        tell("bytes", key, bytes.value());
        scalars.update(Tuple6.of(number % 2 == 0, number / 8.0 - 2, (short) -number, new BigDecimal(number + ".50"), Instant.ofEpochSecond(number), LocalDate.ofEpochDay(number * 400)));
        tell("scalars", key, scalars.value());
        recent.update(number * 1_000_000_000_000_000L);
        tell("recent", key, recent.value());
    }

    private void collections(long number, String key) throws Exception {
        names.add("n" + number);
        List<String> all = new ArrayList<>();
        names.get().forEach(all::add);
        tell("names", key, all);
        String mapKey = "of " + number % 3;
        totals.put(mapKey, number);
        Ledger.keyed(UID, "totals", key, null, mapKey, number);
        // Nulls in maps: of Strings alone, since the heap backend of Flink 2.3 cannot write a null Long into a canonical savepoint.
        String label = number % 4 == 0 ? null : "label " + number;
        labels.put((int) number % 6, label);
        Ledger.keyed(UID, "labels", key, null, (int) number % 6, label);
        sum.add(number);
        tell("sum", key, sum.get());
        mean.add(number);
        tell("mean", key, Tuple2.of(sum.get(), (long) all.size()));
    }

    private void timers(long number, Context context) {
        long at = number % 2 == 0 ? number : YEAR_2100 + number;
        if (number % 2 == 0) context.timerService().registerEventTimeTimer(at);
        else context.timerService().registerProcessingTimeTimer(at);
        String state = "_timer_state/" + (number % 2 == 0 ? "event" : "processing") + "_user-timers";
        Ledger.element(UID, state, 0, context.getCurrentKey(), null, null, at);
        // A timer that is deleted again is in no snapshot.
        context.timerService().registerEventTimeTimer(number + 10_000);
        context.timerService().deleteEventTimeTimer(number + 10_000);
    }

    private static void tell(String state, String key, Object value) {
        Ledger.keyed(UID, state, key, null, null, value);
    }

    /** Sum and count. */
    static final class Mean implements AggregateFunction<Long, Tuple2<Long, Long>, Double> {
        @Override
        public Tuple2<Long, Long> createAccumulator() {
            return Tuple2.of(0L, 0L);
        }

        @Override
        public Tuple2<Long, Long> add(Long value, Tuple2<Long, Long> so) {
            return Tuple2.of(so.f0 + value, so.f1 + 1);
        }

        @Override
        public Double getResult(Tuple2<Long, Long> so) {
            return so.f0 / (double) so.f1;
        }

        @Override
        public Tuple2<Long, Long> merge(Tuple2<Long, Long> a, Tuple2<Long, Long> b) {
            return Tuple2.of(a.f0 + b.f0, a.f1 + b.f1);
        }
    }
}
