package weir;

import java.util.ArrayList;
import java.util.List;
import org.apache.flink.api.common.state.ListState;
import org.apache.flink.api.common.state.ListStateDescriptor;
import org.apache.flink.api.common.state.MapStateDescriptor;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.api.java.tuple.Tuple2;
import org.apache.flink.runtime.state.FunctionInitializationContext;
import org.apache.flink.runtime.state.FunctionSnapshotContext;
import org.apache.flink.streaming.api.checkpoint.CheckpointedFunction;
import org.apache.flink.streaming.api.functions.ProcessFunction;
import org.apache.flink.streaming.api.functions.co.KeyedBroadcastProcessFunction;
import org.apache.flink.util.Collector;

/** State that belongs to subtasks, not to keys: list, union and broadcast. */
final class OperatorStates {
    static final String LISTS_UID = "lists";
    static final String RULES_UID = "with-rules";
    static final MapStateDescriptor<Integer, String> RULES = new MapStateDescriptor<>("rules", Types.INT, Types.STRING);

    private OperatorStates() {}

    static final class Lists extends ProcessFunction<Long, Long> implements CheckpointedFunction {
        private final List<Long> numbers = new ArrayList<>();
        private transient ListState<Tuple2<String, Long>> own;
        private transient ListState<Long> all;

        @Override
        public void initializeState(FunctionInitializationContext context) throws Exception {
            own = context.getOperatorStateStore().getListState(new ListStateDescriptor<>("own", Types.TUPLE(Types.STRING, Types.LONG)));
            all = context.getOperatorStateStore().getUnionListState(new ListStateDescriptor<>("all", Types.LONG));
        }

        @Override
        public void snapshotState(FunctionSnapshotContext context) throws Exception {
            own.update(new ArrayList<>());
            all.update(new ArrayList<>());
            for (Long number : numbers) {
                own.add(Tuple2.of("own " + number, number));
                if (number % 3 == 0) all.add(-number);
            }
        }

        @Override
        public void processElement(Long number, Context context, Collector<Long> out) {
            numbers.add(number);
            int subtask = getRuntimeContext().getTaskInfo().getIndexOfThisSubtask();
            Ledger.element(LISTS_UID, "own", subtask, null, null, null, Tuple2.of("own " + number, number));
            if (number % 3 == 0) Ledger.element(LISTS_UID, "all", subtask, null, null, null, -number);
            Ledger.seen();
        }
    }

    static final class WithRules extends KeyedBroadcastProcessFunction<Integer, Long, Long, Long> {
        @Override
        public void processElement(Long number, ReadOnlyContext context, Collector<Long> out) {
            Ledger.seen();
        }

        /** Each subtask has all rules. */
        @Override
        public void processBroadcastElement(Long number, Context context, Collector<Long> out) throws Exception {
            int key = (int) (number % 5);
            context.getBroadcastState(RULES).put(key, "rule " + number);
            Ledger.broadcast(getRuntimeContext().getTaskInfo().getIndexOfThisSubtask(), key, "rule " + number);
            Ledger.seen();
        }
    }
}
