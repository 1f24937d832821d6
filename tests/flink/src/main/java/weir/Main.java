package weir;

import java.io.File;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.flink.runtime.util.EnvironmentInformation;
import org.apache.flink.shaded.jackson2.com.fasterxml.jackson.databind.ObjectMapper;

/**
 * What `npm run test:flink` asks of real Flink. `write DIR`: snapshots below DIR and DIR/written.json, what is in them.
 * `restore REQUESTS ANSWERS`: starts a job from each snapshot that the file REQUESTS names and writes what Flink then holds.
 * `words REQUESTS ANSWERS`: runs the word count on from each of the snapshots to its end. `offsets REQUESTS ANSWERS`: what the Kafka connector
 * makes of offsets.
 */
public final class Main {
    private static final ObjectMapper JSON = new ObjectMapper();

    private Main() {}

    public static void main(String[] arguments) throws Exception {
        try (Cluster cluster = new Cluster()) {
            if (arguments[0].equals("write")) write(cluster, Path.of(arguments[1]));
            else if (arguments[0].equals("words")) words(cluster, new File(arguments[1]), new File(arguments[2]));
            else if (arguments[0].equals("offsets")) offsets(new File(arguments[1]), new File(arguments[2]));
            else restore(cluster, new File(arguments[1]), new File(arguments[2]));
        }
        System.exit(0);
    }

    private static void write(Cluster cluster, Path directory) throws Exception {
        List<Map<String, Object>> snapshots = new ArrayList<>();
        for (String backend : List.of("hashmap", "rocksdb")) snapshots.addAll(StateJob.write(cluster, directory, backend));
        List<Map<String, Object>> words = Words.write(cluster, directory);
        JSON.writeValue(directory.resolve("written.json").toFile(), Map.of("flink", EnvironmentInformation.getVersion(), "snapshots", snapshots, "words", words));
    }

    private static void words(Cluster cluster, File requests, File answers) throws Exception {
        List<Map<String, Object>> all = new ArrayList<>();
        for (Words.Request request : JSON.readValue(requests, Words.Request[].class)) all.add(Words.run(cluster, request));
        JSON.writeValue(answers, all);
    }

    private static void restore(Cluster cluster, File requests, File answers) throws Exception {
        List<Map<String, Object>> all = new ArrayList<>();
        for (Spec.Request request : JSON.readValue(requests, Spec.Request[].class)) all.add(Restore.restore(cluster, request));
        JSON.writeValue(answers, all);
    }

    private static void offsets(File requests, File answers) throws Exception {
        List<Map<String, Object>> all = new ArrayList<>();
        for (KafkaOffsets.Request request : JSON.readValue(requests, KafkaOffsets.Request[].class)) all.add(KafkaOffsets.read(request));
        JSON.writeValue(answers, all);
    }
}
