package org.inferometer.results.exchange;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;
import org.inferometer.results.ResultFormatException;
import org.inferometer.units.OneLine;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;

/// Named values of another tool's file, which remembers what nobody asked for. A number that is missing, no number, or not finite is absent.
final class Fields {
    private static final long FARTHEST = 1_000_000_000_000_000_000L;
    private final ForeignFile file;
    private final String where;
    private final JsonNode node;
    private final Set<String> asked = new TreeSet<>();
    private final Map<String, Fields> inside = new LinkedHashMap<>();

    /// @param where leads to it, in messages: "benchmarks[0]."; may be empty
    Fields(ForeignFile file, String where, JsonNode node) {
        this.file = file;
        this.where = where;
        this.node = node;
    }

    /// A row of a table.
    static Fields ofRow(ForeignFile file, int row) {
        var node = JsonNodeFactory.instance.objectNode();
        List<String> header = file.table().getFirst();
        for (int i = 0; i < header.size(); i++) {
            node.put(header.get(i).strip(), file.table().get(row).get(i));
        }
        return new Fields(file, "row " + row + " ", node);
    }

    boolean has(String name) {
        return node.has(name);
    }

    OptionalDouble number(String name) {
        asked.add(name);
        return number(node.path(name));
    }

    /// A whole number of nanoseconds, which a floating point number could not hold to the last digit.
    OptionalLong nanosSinceEpoch(String name) {
        asked.add(name);
        JsonNode value = node.path(name);
        return value.isIntegralNumber() && value.canConvertToLong() ? OptionalLong.of(value.longValue())
                : OptionalLong.empty();
    }

    /// A number; text that is one counts, as in tables.
    static OptionalDouble number(JsonNode value) {
        double number = Double.NaN;
        if (value.isNumber()) {
            number = value.doubleValue();
        } else if (value.isString() && value.stringValue().length() < 40) {
            try {
                number = Double.parseDouble(value.stringValue().strip());
            } catch (NumberFormatException e) {
                return OptionalDouble.empty();
            }
        }
        return Double.isFinite(number) ? OptionalDouble.of(number) : OptionalDouble.empty();
    }

    /// A whole number that fits a count.
    ///
    /// @throws ResultFormatException when it is negative, broken or too large
    int count(String name, int otherwise) throws ResultFormatException {
        OptionalDouble number = number(name);
        return number.isEmpty() ? otherwise : count(name, number.getAsDouble());
    }

    int count(String name, double number) throws ResultFormatException {
        if (!(number >= 0 && number <= Integer.MAX_VALUE)) {
            throw file.fault(where + name + " is " + number + ", not a count.");
        }
        return (int) Math.round(number);
    }

    /// An amount of time, which is not negative and at most three years.
    ///
    /// @param unitNanos nanoseconds of its unit
    long nanos(String name, double amount, double unitNanos) throws ResultFormatException {
        double nanos = amount * unitNanos;
        if (!(nanos >= 0 && nanos <= FARTHEST / 10.0)) {
            throw file.fault(where + name + " is " + amount + ", not a duration.");
        }
        return Math.round(nanos);
    }

    /// An instant and a duration later, at most thirty years from the run's start.
    long after(long instant, String name, double amount, double unitNanos) throws ResultFormatException {
        long later = instant + nanos(name, amount, unitNanos);
        if (later > FARTHEST) {
            throw file.fault(where + name + " is more than 30 years from the run's start.");
        }
        return later;
    }

    String text(String name, String otherwise) {
        asked.add(name);
        JsonNode value = node.path(name);
        String text =
                value.isString() ? value.stringValue() : value.isNumber() || value.isBoolean() ? value.toString() : "";
        String visible = OneLine.of(text);
        return visible.isEmpty() ? otherwise : visible;
    }

    /// The last line of a text, where tracebacks name the error; empty where there is none.
    String lastLine(String name) {
        asked.add(name);
        return node.path(name).isString() ? ServingArrays.lastLine(node.path(name).stringValue()) : text(name, "");
    }

    /// An object inside; empty fields where there is none.
    Fields object(String name) {
        asked.add(name);
        JsonNode value = node.path(name);
        return inside.computeIfAbsent(name, key -> new Fields(file, where + name + ".",
                value.isObject() ? value : JsonNodeFactory.instance.objectNode()));
    }

    /// The elements of an array; none where there is no array.
    List<JsonNode> array(String name) {
        asked.add(name);
        List<JsonNode> elements = new ArrayList<>();
        node.path(name).forEach(elements::add);
        return node.path(name).isArray() ? elements : List.of();
    }

    ForeignFile file() {
        return file;
    }

    /// Names that nobody asked for, with those inside.
    Set<String> unread() {
        Set<String> names = new TreeSet<>(node.isObject() ? node.propertyNames() : List.of());
        names.removeAll(asked);
        Set<String> unread = new TreeSet<>();
        names.forEach(name -> unread.add(name));
        inside.forEach((name, fields) -> fields.unread().forEach(each -> unread.add(name + "." + each)));
        return unread;
    }
}
