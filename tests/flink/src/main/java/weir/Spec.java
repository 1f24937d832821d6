package weir;

import java.io.Serializable;
import java.util.List;

/** What is to be restored, and as what: read from JSON, so the fields are public. */
public final class Spec {
    private Spec() {}

    public static class Request implements Serializable {
        public String name;
        public String snapshot;
        public String backend;
        public int parallelism;
        public List<Operator> operators;
    }

    public static class Operator implements Serializable {
        public String uid;
        /** Empty without keyed state. */
        public String keyType;
        public int maxParallelism;
        public List<State> states;
    }

    public static class State implements Serializable {
        public String name;
        /** keyed, timers, list, union or broadcast. */
        public String kind;
        /** VALUE, LIST, MAP, REDUCING, AGGREGATING of keyed state. */
        public String type;
        public String keyType;
        public String namespaceType;
        public String valueType;
        public boolean hasTimeToLive;
    }

    /** One entry as Flink holds it, in text. */
    public static final class Entry {
        public String uid;
        public int subtask;
        public String state;
        /** Flink's own key group of the key; −1 for operator state. */
        public int keyGroup = -1;
        public String key = "null";
        public String namespace = "null";
        public String mapKey = "null";
        public String value = "null";
    }
}
