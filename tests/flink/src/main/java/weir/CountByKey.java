package weir;

import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.api.common.state.MapState;
import org.apache.flink.api.common.state.MapStateDescriptor;
import org.apache.flink.api.common.state.ValueState;
import org.apache.flink.api.common.state.ValueStateDescriptor;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.streaming.api.functions.KeyedProcessFunction;
import org.apache.flink.util.Collector;

/** A count, and one for each remainder, by keys of any type. */
final class CountByKey<K> extends KeyedProcessFunction<K, Long, Long> {
    private final String uid;
    private transient ValueState<Long> count;
    private transient MapState<Integer, Boolean> seen;

    CountByKey(String uid) {
        this.uid = uid;
    }

    @Override
    public void open(OpenContext context) {
        count = getRuntimeContext().getState(new ValueStateDescriptor<>("count", Types.LONG));
        seen = getRuntimeContext().getMapState(new MapStateDescriptor<>("seen", Types.INT, Types.BOOLEAN));
    }

    @Override
    public void processElement(Long number, Context context, Collector<Long> out) throws Exception {
        count.update(count.value() == null ? 1 : count.value() + 1);
        seen.put((int) (number % 2), number > 20);
        Ledger.keyed(uid, "count", context.getCurrentKey(), null, null, count.value());
        Ledger.keyed(uid, "seen", context.getCurrentKey(), null, (int) (number % 2), number > 20);
        Ledger.seen();
    }
}
