package weir;

import org.apache.flink.api.common.serialization.SerializerConfig;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeutils.TypeSerializer;

/** The type of a serializer that Flink gives no TypeInformation for: windows. */
final class SerializerType<T> extends TypeInformation<T> {
    private final TypeSerializer<T> serializer;
    private final Class<T> valueClass;

    SerializerType(TypeSerializer<T> serializer, Class<T> valueClass) {
        this.serializer = serializer;
        this.valueClass = valueClass;
    }

    @Override
    public TypeSerializer<T> createSerializer(SerializerConfig config) {
        return serializer;
    }

    @Override
    public Class<T> getTypeClass() {
        return valueClass;
    }

    @Override
    public boolean isBasicType() {
        return false;
    }

    @Override
    public boolean isTupleType() {
        return false;
    }

    @Override
    public int getArity() {
        return 1;
    }

    @Override
    public int getTotalFields() {
        return 1;
    }

    @Override
    public boolean isKeyType() {
        return false;
    }

    @Override
    public boolean canEqual(Object other) {
        return other instanceof SerializerType;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof SerializerType && serializer.equals(((SerializerType<?>) other).serializer);
    }

    @Override
    public int hashCode() {
        return serializer.hashCode();
    }

    @Override
    public String toString() {
        return valueClass.getSimpleName();
    }
}
