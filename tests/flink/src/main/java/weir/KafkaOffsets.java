package weir;

import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import org.apache.flink.connector.kafka.source.enumerator.KafkaSourceEnumState;
import org.apache.flink.connector.kafka.source.enumerator.KafkaSourceEnumStateSerializer;
import org.apache.flink.connector.kafka.source.split.KafkaPartitionSplit;
import org.apache.flink.connector.kafka.source.split.KafkaPartitionSplitSerializer;
import org.apache.flink.core.io.SimpleVersionedSerialization;

/** What the Kafka connector makes of a log source's offsets: those of its readers, and the state of its enumerator. */
final class KafkaOffsets {
    private KafkaOffsets() {}

    /** In hexadecimal digits. Read from JSON, so the fields are public. */
    public static final class Request {
        public String name;
        /** Elements of the readers' list state. */
        public List<String> splits;
        /** The coordinator's state. */
        public String coordinator;
    }

    static Map<String, Object> read(Request request) {
        Map<String, Object> answer = new HashMap<>();
        answer.put("name", request.name);
        try {
            List<String> splits = new ArrayList<>();
            for (String element : request.splits) splits.add(split(HexFormat.of().parseHex(element)));
            answer.put("splits", splits);
            answer.put("enumerator", enumerator(HexFormat.of().parseHex(request.coordinator)));
        } catch (Exception failure) {
            answer.put("failure", Restore.causes(failure));
        }
        return answer;
    }

    /** The connector must write the same bytes again. */
    private static String split(byte[] element) throws IOException {
        KafkaPartitionSplitSerializer serializer = new KafkaPartitionSplitSerializer();
        KafkaPartitionSplit split = SimpleVersionedSerialization.readVersionAndDeSerialize(serializer, element);
        byte[] again = SimpleVersionedSerialization.writeVersionAndSerialize(serializer, split);
        if (!java.util.Arrays.equals(element, again)) throw new IOException("the connector writes " + HexFormat.of().formatHex(again));
        return text(split);
    }

    /** As SourceCoordinator keeps it: its own version, that of the enumerator's state, and the state. */
    private static List<String> enumerator(byte[] coordinator) throws IOException {
        DataInputStream input = new DataInputStream(new ByteArrayInputStream(coordinator));
        if (input.readInt() != 1) throw new IOException("not the coordinator version of a source");
        int version = input.readInt();
        byte[] state = new byte[input.readInt()];
        input.readFully(state);
        if (input.available() > 0) throw new IOException(input.available() + " bytes are left");
        KafkaSourceEnumState read = new KafkaSourceEnumStateSerializer().deserialize(version, state);
        List<String> lines = new ArrayList<>(List.of("discovered " + read.initialDiscoveryFinished()));
        read.splits().forEach(one -> lines.add(one.assignmentStatus().name().toLowerCase() + " " + text(one.split())));
        return lines;
    }

    private static String text(KafkaPartitionSplit split) {
        return split.splitId() + " from " + split.getStartingOffset() + split.getStoppingOffset().map(stop -> " to " + stop).orElse("");
    }
}
