package weir;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** A POJO with a null, a list and a map in it. */
public class Reading {
    public enum Unit {
        CELSIUS,
        KELVIN
    }

    public String name;
    public int number;
    public Double weight;
    public Unit unit;
    public List<String> notes;
    public Map<String, Integer> marks;

    public Reading() {}

    static Reading of(String name, int number) {
        Reading reading = new Reading();
        reading.name = name;
        reading.number = number;
        reading.weight = number % 2 == 0 ? null : number / 4.0;
        reading.unit = number % 3 == 0 ? Unit.KELVIN : Unit.CELSIUS;
        reading.notes = number % 5 == 0 ? List.of() : List.of(name, "note " + number);
        reading.marks = Map.of("m" + number, number);
        return reading;
    }

    /** In the order of the serializer: by name. */
    List<Object> fields() {
        return Arrays.asList(marks, name, notes, number, unit, weight);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Reading && fields().equals(((Reading) other).fields());
    }

    /** Without the enum, whose hash differs from process to process. */
    @Override
    public int hashCode() {
        return Objects.hash(name, number, weight, notes);
    }
}
