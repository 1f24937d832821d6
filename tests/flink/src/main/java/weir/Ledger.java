package weir;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.flink.runtime.state.KeyGroupRangeAssignment;

/**
 * What the functions of a job put into their state, kept apart from Flink's state: the last value of each entry, in text. It is in this
 * process' memory, where the tasks run too.
 */
final class Ledger {
    private static final Map<List<String>, Spec.Entry> ENTRIES = new ConcurrentHashMap<>();
    private static final AtomicInteger SEEN = new AtomicInteger();

    private Ledger() {}

    static void clear() {
        ENTRIES.clear();
        SEEN.set(0);
    }

    /** A record has been dealt with, and everything that it does to state has been told. */
    static void seen() {
        SEEN.incrementAndGet();
    }

    static int count() {
        return SEEN.get();
    }

    static void keyed(String uid, String state, Object key, Object namespace, Object mapKey, Object value) {
        Spec.Entry entry = entry(uid, state);
        entry.key = Text.of(key);
        entry.keyGroup = KeyGroupRangeAssignment.assignToKeyGroup(key, StateJob.MAX_PARALLELISM);
        entry.namespace = Text.of(namespace);
        entry.mapKey = Text.of(mapKey);
        put(entry, value);
    }

    static void remove(String uid, String state, Object key, Object namespace) {
        ENTRIES.remove(List.of(uid, state, "", Text.of(key), Text.of(namespace), "null"));
    }

    /** A timer, or an element of a list: the value itself tells it from the others. */
    static void element(String uid, String state, int subtask, Object key, Object namespace, Object mapKey, Object value) {
        Spec.Entry entry = entry(uid, state);
        entry.subtask = subtask;
        entry.key = Text.of(key);
        if (key != null) entry.keyGroup = KeyGroupRangeAssignment.assignToKeyGroup(key, StateJob.MAX_PARALLELISM);
        entry.namespace = Text.of(namespace);
        entry.mapKey = Text.of(mapKey);
        entry.value = Text.of(value);
        ENTRIES.put(List.of(uid, state, subtask + "/" + entry.value, entry.key, entry.namespace, entry.mapKey), entry);
    }

    /** Broadcast state of one subtask. */
    static void broadcast(int subtask, int key, String value) {
        Spec.Entry entry = entry(OperatorStates.RULES_UID, OperatorStates.RULES.getName());
        entry.subtask = subtask;
        entry.mapKey = Text.of(key);
        entry.value = Text.of(value);
        ENTRIES.put(List.of(entry.uid, entry.state, String.valueOf(subtask), entry.mapKey), entry);
    }

    static List<Spec.Entry> entries() {
        List<Spec.Entry> entries = new ArrayList<>(ENTRIES.values());
        entries.sort(Comparator.comparing(entry -> String.join("|", entry.uid, entry.state, entry.key, entry.namespace, entry.mapKey, entry.value)));
        return entries;
    }

    private static Spec.Entry entry(String uid, String state) {
        Spec.Entry entry = new Spec.Entry();
        entry.uid = uid;
        entry.state = state;
        return entry;
    }

    private static void put(Spec.Entry entry, Object value) {
        entry.value = Text.of(value);
        ENTRIES.put(List.of(entry.uid, entry.state, "", entry.key, entry.namespace, entry.mapKey), entry);
    }
}
