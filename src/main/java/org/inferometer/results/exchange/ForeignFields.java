package org.inferometer.results.exchange;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BiFunction;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import org.inferometer.results.ResultFormatException;
import org.inferometer.units.OneLine;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;

/// Named values of another tool's file. Records which names were read. A missing, invalid or infinite number is absent.
///
/// A name with dots leads through inner objects ("results.latency"), unless a field is called so.
final class ForeignFields {
    private static final long FARTHEST = 1_000_000_000_000_000_000L;
    private static final int MOST_NAMES = 3;
    private static final int MOST_SETTINGS = 64;
    private static final int LONGEST_SETTING = 80;
    private static final Pattern SETTING_NAME = Pattern.compile("[A-Za-z][A-Za-z0-9_.-]{0,59}");
    private final ForeignFile file;
    private final String where;
    private final JsonNode node;
    private final Set<String> read = new TreeSet<>();
    private final Map<String, ForeignFields> inside = new LinkedHashMap<>();

    /// @param where its place for messages: "benchmarks[0]."; may be empty
    ForeignFields(ForeignFile file, String where, JsonNode node) {
        this.file = file;
        this.where = where;
        this.node = node;
    }

    /// The documents of a JSON file from 0, or the rows of a table from 1.
    ///
    /// @param name of one of them for messages: "run"
    static List<ForeignFields> each(ForeignFile file, String name) {
        List<ForeignFields> all = new ArrayList<>();
        file.documents().forEach(document -> all.add(new ForeignFields(file, name + " " + all.size() + " ", document)));
        for (int row = 1; row < file.table().size(); row++) {
            var node = JsonNodeFactory.instance.objectNode();
            for (int column = 0; column < file.table().get(row).size(); column++) {
                node.put(file.table().getFirst().get(column).strip(), file.table().get(row).get(column));
            }
            all.add(new ForeignFields(file, name + " " + row + " ", node));
        }
        return all;
    }

    /// What a reader finds at the end of a name.
    private <T> T at(String name, BiFunction<ForeignFields, String, T> reader) {
        int dot = node.has(name) ? -1 : name.indexOf('.');
        return dot < 0 ? reader.apply(this, name) : object(name.substring(0, dot)).at(name.substring(dot + 1), reader);
    }

    boolean has(String name) {
        return at(name, (fields, last) -> fields.node.has(last));
    }

    /// A number. What stands for none, such as "N/A" or NaN, stays among the names that were not read.
    OptionalDouble number(String name) {
        return at(name, ForeignFields::ownNumber);
    }

    private OptionalDouble ownNumber(String name) {
        OptionalDouble number = number(node.path(name));
        if (number.isPresent() || !node.path(name).isValueNode() || node.path(name).isNull()) {
            read.add(name);
        }
        return number;
    }

    /// A whole number of nanoseconds since 1970; a double would round it.
    OptionalLong nanosSinceEpoch(String name) {
        read.add(name);
        JsonNode value = node.path(name);
        return value.isIntegralNumber() && value.canConvertToLong() ? OptionalLong.of(value.longValue())
                : OptionalLong.empty();
    }

    /// A number, or text that is a number, as in tables.
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

    /// A count.
    ///
    /// @throws ResultFormatException if it is negative, infinite or above 2^31 − 1
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

    /// A duration in nanoseconds, at most three years.
    ///
    /// @param unitNanos nanoseconds per unit
    long nanos(String name, double amount, double unitNanos) throws ResultFormatException {
        double nanos = amount * unitNanos;
        if (!(nanos >= 0 && nanos <= FARTHEST / 10.0)) {
            throw file.fault(where + name + " is " + amount + ", not a duration.");
        }
        return Math.round(nanos);
    }

    /// An instant plus a duration, at most thirty years from the start of the run.
    long after(long instant, String name, double amount, double unitNanos) throws ResultFormatException {
        long later = instant + nanos(name, amount, unitNanos);
        if (later > FARTHEST) {
            throw file.fault(where + name + " is more than 30 years from the run's start.");
        }
        return later;
    }

    String text(String name, String otherwise) {
        String visible = at(name, ForeignFields::ownText);
        return visible.isEmpty() ? otherwise : visible;
    }

    private String ownText(String name) {
        read.add(name);
        JsonNode value = node.path(name);
        return OneLine.of(value.isString() || value.isNumber() || value.isBoolean() ? value.asString() : "");
    }

    /// The last line of a text: tracebacks name the error there. Empty if absent.
    String lastLine(String name) {
        read.add(name);
        return node.path(name).isString() ? ServingArrays.lastLine(node.path(name).stringValue()) : text(name, "");
    }

    /// The scalars among the fields that a tool writes as settings, in the order of the file. They count as read.
    ///
    /// @param isSetting by the name
    Map<String, String> settings(Predicate<String> isSetting) {
        Map<String, String> settings = new LinkedHashMap<>();
        if (node.isObject()) {
            node.propertyStream().filter(each -> settings.size() < MOST_SETTINGS
                    && SETTING_NAME.matcher(each.getKey()).matches() && isSetting.test(each.getKey())).forEach(each -> {
                        String value = text(each.getKey(), "");
                        if (!value.isEmpty()) {
                            settings.put(each.getKey(),
                                    value.length() > LONGEST_SETTING ? value.substring(0, LONGEST_SETTING) : value);
                        }
                    });
        }
        return settings;
    }

    /// Whether a field is text or true or false.
    boolean isWord(String name) {
        return node.path(name).isString() || node.path(name).isBoolean();
    }

    /// An inner object; empty fields if absent.
    ForeignFields object(String name) {
        return at(name, ForeignFields::ownObject);
    }

    private ForeignFields ownObject(String name) {
        JsonNode value = node.path(name);
        if (value.isObject()) {
            read.add(name);
        }
        return inside.computeIfAbsent(name, key -> new ForeignFields(file, where + name + ".",
                value.isObject() ? value : JsonNodeFactory.instance.objectNode()));
    }

    /// The elements of an array; none if absent.
    List<JsonNode> array(String name) {
        return at(name, ForeignFields::ownArray);
    }

    private List<JsonNode> ownArray(String name) {
        read.add(name);
        List<JsonNode> elements = new ArrayList<>();
        node.path(name).forEach(elements::add);
        return node.path(name).isArray() ? elements : List.of();
    }

    ForeignFile file() {
        return file;
    }

    /// Names that were not read, with those of inner objects; many of one object as their number.
    Set<String> unread() {
        Set<String> unread = new TreeSet<>(node.isObject() ? node.propertyNames() : List.of());
        unread.removeAll(read);
        inside.forEach((name, fields) -> {
            Set<String> names = fields.unread();
            if (names.size() > MOST_NAMES && fields.inside.isEmpty()) {
                unread.add(name + " (" + names.size() + " fields)");
            } else {
                names.forEach(each -> unread.add(name + "." + each));
            }
        });
        return unread;
    }
}
