package weir;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.datastream.SingleOutputStreamOperator;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.functions.sink.v2.DiscardingSink;

/** Starts a job from a snapshot, with an operator of the same uid for each that has state, and tells what Flink then holds. */
final class Restore {
    private Restore() {}

    /** `entries`, or `failure`. */
    static Map<String, Object> restore(Cluster cluster, Spec.Request request) {
        StateReader.ENTRIES.clear();
        Map<String, Object> answer = new HashMap<>();
        answer.put("name", request.name);
        try {
            cluster.run(job(request));
            answer.put("entries", new ArrayList<>(StateReader.ENTRIES));
        } catch (Exception failure) {
            answer.put("failure", causes(failure));
        }
        return answer;
    }

    static String causes(Throwable failure) {
        List<String> causes = new ArrayList<>();
        for (Throwable cause = failure; cause != null && causes.size() < 20; cause = cause.getCause()) causes.add(String.valueOf(cause));
        return String.join("; ", causes);
    }

    private static StreamExecutionEnvironment job(Spec.Request request) {
        StreamExecutionEnvironment environment = Cluster.environment(request.backend, request.parallelism, request.snapshot, Map.of());
        // Nothing comes out of it: it ends at once, and the end of input follows the restore.
        DataStream<Long> nothing = environment.fromSequence(0, 0).setParallelism(1).filter(number -> false).setParallelism(1);
        for (Spec.Operator operator : request.operators) {
            SingleOutputStreamOperator<String> reader = operator.keyType.isEmpty() ? plain(nothing, operator) : keyed(nothing, operator);
            reader.uid(operator.uid).name(operator.uid);
            // As any job that sets it has to: a source's reader alone may have another than the keyed operators.
            if (operator.maxParallelism > 0) reader.setMaxParallelism(operator.maxParallelism);
            reader.sinkTo(new DiscardingSink<>());
        }
        return environment;
    }

    @SuppressWarnings("unchecked")
    private static SingleOutputStreamOperator<String> plain(DataStream<Long> nothing, Spec.Operator operator) {
        return ((DataStream<Object>) (DataStream<?>) nothing).rebalance().transform(operator.uid, Types.STRING, new StateReader(operator));
    }

    @SuppressWarnings("unchecked")
    private static SingleOutputStreamOperator<String> keyed(DataStream<Long> nothing, Spec.Operator operator) {
        return ((DataStream<Object>) (DataStream<?>) nothing)
                .keyBy(record -> null, (TypeInformation<Object>) TypeText.type(operator.keyType))
                .transform(operator.uid, Types.STRING, new StateReader(operator));
    }
}
