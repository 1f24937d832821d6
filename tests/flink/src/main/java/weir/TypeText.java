package weir;

import java.util.ArrayList;
import java.util.List;
import org.apache.flink.api.common.typeinfo.PrimitiveArrayTypeInfo;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.api.common.serialization.SerializerConfigImpl;
import org.apache.flink.runtime.state.VoidNamespaceSerializer;
import org.apache.flink.streaming.api.windowing.windows.GlobalWindow;
import org.apache.flink.streaming.api.windowing.windows.TimeWindow;

/** Types as the reader of savepoints names them (describe-type.ts): `Map<String, Tuple2<Int, Long>>`. */
final class TypeText {
    private final String text;
    private int at = 0;

    private TypeText(String text) {
        this.text = text;
    }

    static TypeInformation<?> type(String text) {
        TypeText parser = new TypeText(text);
        TypeInformation<?> type = parser.next();
        if (parser.at != text.length()) throw new IllegalArgumentException("not a type: " + text);
        return type;
    }

    /** Serializers of namespaces have no TypeInformation. */
    static TypeSerializer<?> namespace(String text) {
        switch (text) {
            case "":
            case "VoidNamespace":
                return VoidNamespaceSerializer.INSTANCE;
            case "TimeWindow":
                return new TimeWindow.Serializer();
            case "GlobalWindow":
                return new GlobalWindow.Serializer();
            default:
                return type(text).createSerializer(new SerializerConfigImpl());
        }
    }

    /** What stands between the brackets of `List<…>`, `Map<…>`. */
    static List<TypeInformation<?>> arguments(String text) {
        TypeText parser = new TypeText(text);
        parser.name();
        return parser.list();
    }

    private TypeInformation<?> next() {
        String name = name();
        List<TypeInformation<?>> nested = list();
        TypeInformation<?>[] types = nested.toArray(new TypeInformation<?>[0]);
        if (name.startsWith("Tuple")) return Types.TUPLE(types);
        switch (name) {
            case "Row":
                return Types.ROW(types);
            case "List":
                return Types.LIST(types[0]);
            case "Map":
                return Types.MAP(types[0], types[1]);
            default:
                return simple(name);
        }
    }

    private TypeInformation<?> simple(String name) {
        switch (name) {
            case "String":
                return Types.STRING;
            case "Int":
                return Types.INT;
            case "Long":
                return Types.LONG;
            case "Boolean":
                return Types.BOOLEAN;
            case "Double":
                return Types.DOUBLE;
            case "Float":
                return Types.FLOAT;
            case "Short":
                return Types.SHORT;
            case "Byte":
                return Types.BYTE;
            case "BigDecimal":
                return Types.BIG_DEC;
            case "Instant":
                return Types.INSTANT;
            case "LocalDate":
                return Types.LOCAL_DATE;
            case "byte[]":
                return PrimitiveArrayTypeInfo.BYTE_PRIMITIVE_ARRAY_TYPE_INFO;
            case "TimeWindow":
                return new SerializerType<>(new TimeWindow.Serializer(), TimeWindow.class);
            case "Reading":
                return Types.POJO(Reading.class);
            default:
                throw new IllegalArgumentException("an unknown type: " + name);
        }
    }

    private String name() {
        int start = at;
        while (at < text.length() && "<>, ".indexOf(text.charAt(at)) < 0) at++;
        return text.substring(start, at);
    }

    private List<TypeInformation<?>> list() {
        List<TypeInformation<?>> types = new ArrayList<>();
        if (at == text.length() || text.charAt(at) != '<') return types;
        while (text.charAt(at) != '>') {
            at++;
            while (text.charAt(at) == ' ') at++;
            types.add(next());
        }
        at++;
        return types;
    }
}
