package weir;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.apache.flink.api.java.tuple.Tuple;
import org.apache.flink.runtime.state.VoidNamespace;
import org.apache.flink.streaming.api.windowing.windows.GlobalWindow;
import org.apache.flink.streaming.api.windowing.windows.TimeWindow;
import org.apache.flink.types.Row;

/** Values in one line of text; the other side of the comparison writes them alike (values.ts). */
final class Text {
    private Text() {}

    static String of(Object value) {
        if (value == null || value instanceof VoidNamespace) return "null";
        if (value instanceof String) return quoted((String) value);
        if (value instanceof Float || value instanceof Double) return number(((Number) value).doubleValue());
        if (value instanceof byte[]) return hex((byte[]) value);
        if (value instanceof Tuple) return fields(parts((Tuple) value));
        if (value instanceof Row) return row((Row) value);
        if (value instanceof Reading) return fields(((Reading) value).fields());
        if (value instanceof TimeWindow) return fields(Arrays.asList(((TimeWindow) value).getStart(), ((TimeWindow) value).getEnd()));
        if (value instanceof GlobalWindow) return "global";
        if (value instanceof Instant) return value.toString().replace("T", " ").replace("Z", "");
        if (value instanceof Map) return map((Map<?, ?>) value);
        if (value instanceof Iterable) return list((Iterable<?>) value);
        return value.toString();
    }

    static String list(Iterable<?> items) {
        List<String> texts = new ArrayList<>();
        for (Object item : items) texts.add(of(item));
        return "[" + String.join(", ", texts) + "]";
    }

    private static String map(Map<?, ?> map) {
        List<String> entries = new ArrayList<>();
        map.forEach((key, value) -> entries.add(of(key) + ": " + of(value)));
        Collections.sort(entries);
        return "{" + String.join(", ", entries) + "}";
    }

    private static List<Object> parts(Tuple tuple) {
        List<Object> parts = new ArrayList<>();
        for (int i = 0; i < tuple.getArity(); i++) parts.add(tuple.getField(i));
        return parts;
    }

    private static String row(Row row) {
        List<Object> parts = new ArrayList<>();
        for (int i = 0; i < row.getArity(); i++) parts.add(row.getField(i));
        return row.getKind().shortString() + fields(parts);
    }

    private static String fields(List<?> parts) {
        String list = list(parts);
        return "(" + list.substring(1, list.length() - 1) + ")";
    }

    private static String number(double value) {
        return value == Math.rint(value) && Math.abs(value) < 1e15 ? Long.toString((long) value) : Double.toString(value);
    }

    private static String hex(byte[] bytes) {
        StringBuilder text = new StringBuilder("0x");
        for (byte one : bytes) text.append(String.format("%02x", one));
        return text.toString();
    }

    private static String quoted(String text) {
        return "\"" + text.replace("\\", "\\\\").replace("\"", "\\\"") + "\"";
    }
}
