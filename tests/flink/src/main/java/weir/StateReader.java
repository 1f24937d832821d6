package weir;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.flink.api.common.functions.AggregateFunction;
import org.apache.flink.api.common.state.AggregatingState;
import org.apache.flink.api.common.state.AggregatingStateDescriptor;
import org.apache.flink.api.common.state.AppendingState;
import org.apache.flink.api.common.state.BroadcastState;
import org.apache.flink.api.common.state.ListStateDescriptor;
import org.apache.flink.api.common.state.MapState;
import org.apache.flink.api.common.state.MapStateDescriptor;
import org.apache.flink.api.common.state.OperatorStateStore;
import org.apache.flink.api.common.state.ReducingStateDescriptor;
import org.apache.flink.api.common.state.State;
import org.apache.flink.api.common.state.StateDescriptor;
import org.apache.flink.api.common.state.StateTtlConfig;
import org.apache.flink.api.common.state.ValueState;
import org.apache.flink.api.common.state.ValueStateDescriptor;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.api.java.tuple.Tuple2;
import org.apache.flink.runtime.state.KeyGroupRangeAssignment;
import org.apache.flink.runtime.state.KeyedStateBackend;
import org.apache.flink.runtime.state.StateInitializationContext;
import org.apache.flink.streaming.api.operators.AbstractStreamOperator;
import org.apache.flink.streaming.api.operators.InternalTimer;
import org.apache.flink.streaming.api.operators.InternalTimerService;
import org.apache.flink.streaming.api.operators.OneInputStreamOperator;
import org.apache.flink.streaming.api.operators.Triggerable;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;

/**
 * Stands where an operator of the snapshot stood, asks Flink's backends for every state that is said to be in it, and tells each entry that
 * they hold. Timers are told twice: as they stand after the restore, and those of event time once more when they fire at the end of input.
 */
final class StateReader extends AbstractStreamOperator<String> implements OneInputStreamOperator<Object, String>, Triggerable<Object, Object> {
    static final Queue<Spec.Entry> ENTRIES = new ConcurrentLinkedQueue<>();
    static final String FIRED = "fired";
    private static final String TIMERS = "_timer_state/";

    private final Spec.Operator spec;

    StateReader(Spec.Operator spec) {
        this.spec = spec;
    }

    @Override
    public void processElement(StreamRecord<Object> record) {}

    @Override
    public void initializeState(StateInitializationContext context) throws Exception {
        super.initializeState(context);
        OperatorStateStore store = context.getOperatorStateStore();
        for (Spec.State state : spec.states) {
            if (state.kind.equals("broadcast")) broadcast(store, state);
            else if (state.kind.equals("list") || state.kind.equals("union")) list(store, state);
        }
    }

    /** All states are registered before any is read: RocksDB and timers want that. */
    @Override
    public void open() throws Exception {
        super.open();
        for (Spec.State state : spec.states) if (state.kind.equals("keyed")) keyed(state);
        for (Spec.State state : spec.states) if (state.kind.equals("timers")) timers(state);
    }

    private void list(OperatorStateStore store, Spec.State state) throws Exception {
        ListStateDescriptor<?> descriptor = new ListStateDescriptor<>(state.name, TypeText.type(state.valueType));
        for (Object value : (state.kind.equals("union") ? store.getUnionListState(descriptor) : store.getListState(descriptor)).get()) {
            entry(state.name).value = Text.of(value);
        }
    }

    private void broadcast(OperatorStateStore store, Spec.State state) throws Exception {
        BroadcastState<?, ?> restored = store.getBroadcastState(new MapStateDescriptor<>(state.name, TypeText.type(state.keyType), TypeText.type(state.valueType)));
        for (Map.Entry<?, ?> one : restored.immutableEntries()) {
            Spec.Entry entry = entry(state.name);
            entry.mapKey = Text.of(one.getKey());
            entry.value = Text.of(one.getValue());
        }
    }

    private void keyed(Spec.State state) throws Exception {
        KeyedStateBackend<Object> backend = getKeyedStateBackend();
        @SuppressWarnings("unchecked")
        TypeSerializer<Object> namespaces = (TypeSerializer<Object>) TypeText.namespace(state.namespaceType);
        StateDescriptor<?, ?> descriptor = descriptor(state);
        backend.getOrCreateKeyedState(namespaces, descriptor);
        List<Tuple2<Object, Object>> keys;
        try (Stream<Tuple2<Object, Object>> stream = backend.getKeysAndNamespaces(state.name)) {
            keys = stream.distinct().collect(Collectors.toCollection(ArrayList::new));
        }
        for (Tuple2<Object, Object> one : keys) {
            backend.setCurrentKey(one.f0);
            values(state, backend.getPartitionedState(one.f1, namespaces, descriptor), one);
        }
    }

    private void values(Spec.State state, State held, Tuple2<Object, Object> of) throws Exception {
        if (held instanceof MapState) {
            for (Map.Entry<?, ?> one : ((MapState<?, ?>) held).entries()) {
                Spec.Entry entry = keyedEntry(state.name, of.f0, of.f1);
                entry.mapKey = Text.of(one.getKey());
                entry.value = Text.of(one.getValue());
            }
            return;
        }
        Object value = held instanceof ValueState ? ((ValueState<?>) held).value() : ((AppendingState<?, ?>) held).get();
        keyedEntry(state.name, of.f0, of.f1).value = Text.of(value);
    }

    private void timers(Spec.State state) throws Exception {
        boolean isEventTime = state.name.startsWith(TIMERS + "event_");
        String service = state.name.substring(state.name.indexOf('_', TIMERS.length()) + 1);
        @SuppressWarnings("unchecked")
        InternalTimerService<Object> timers = getInternalTimerService(service, (TypeSerializer<Object>) TypeText.namespace(state.namespaceType), this);
        if (isEventTime) timers.forEachEventTimeTimer((namespace, timestamp) -> timer(state.name, namespace, timestamp));
        else timers.forEachProcessingTimeTimer((namespace, timestamp) -> timer(state.name, namespace, timestamp));
    }

    private void timer(String name, Object namespace, long timestamp) {
        keyedEntry(name, getCurrentKey(), namespace).value = Long.toString(timestamp);
    }

    @Override
    public void onEventTime(InternalTimer<Object, Object> timer) {
        keyedEntry(FIRED, timer.getKey(), timer.getNamespace()).value = Long.toString(timer.getTimestamp());
    }

    @Override
    public void onProcessingTime(InternalTimer<Object, Object> timer) {
        keyedEntry(FIRED, timer.getKey(), timer.getNamespace()).value = Long.toString(timer.getTimestamp());
    }

    private Spec.Entry keyedEntry(String state, Object key, Object namespace) {
        Spec.Entry entry = entry(state);
        entry.keyGroup = KeyGroupRangeAssignment.assignToKeyGroup(key, getRuntimeContext().getTaskInfo().getMaxNumberOfParallelSubtasks());
        entry.key = Text.of(key);
        entry.namespace = Text.of(namespace);
        return entry;
    }

    private Spec.Entry entry(String state) {
        Spec.Entry entry = new Spec.Entry();
        entry.uid = spec.uid;
        entry.subtask = getRuntimeContext().getTaskInfo().getIndexOfThisSubtask();
        entry.state = state;
        ENTRIES.add(entry);
        return entry;
    }

    @SuppressWarnings({"unchecked", "rawtypes"})
    private static StateDescriptor<?, ?> descriptor(Spec.State state) {
        StateDescriptor<?, ?> descriptor;
        switch (state.type) {
            case "LIST":
                descriptor = new ListStateDescriptor(state.name, TypeText.arguments(state.valueType).get(0));
                break;
            case "MAP":
                List<TypeInformation<?>> types = TypeText.arguments(state.valueType);
                descriptor = new MapStateDescriptor(state.name, types.get(0), types.get(1));
                break;
            case "REDUCING":
                descriptor = new ReducingStateDescriptor(state.name, (a, b) -> a, TypeText.type(state.valueType));
                break;
            case "AGGREGATING":
                descriptor = new AggregatingStateDescriptor(state.name, new Accumulator(), TypeText.type(state.valueType));
                break;
            default:
                descriptor = new ValueStateDescriptor(state.name, TypeText.type(state.valueType));
        }
        if (state.hasTimeToLive) descriptor.enableTimeToLive(StateTtlConfig.newBuilder(Duration.ofDays(1)).build());
        return descriptor;
    }

    /** Shows the accumulator itself, which is what is stored. */
    private static final class Accumulator implements AggregateFunction<Object, Object, Object> {
        @Override
        public Object createAccumulator() {
            throw new UnsupportedOperationException();
        }

        @Override
        public Object add(Object value, Object accumulator) {
            throw new UnsupportedOperationException();
        }

        @Override
        public Object getResult(Object accumulator) {
            return accumulator;
        }

        @Override
        public Object merge(Object a, Object b) {
            throw new UnsupportedOperationException();
        }
    }
}
