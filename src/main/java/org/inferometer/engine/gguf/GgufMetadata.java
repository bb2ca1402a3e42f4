package org.inferometer.engine.gguf;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.inferometer.engine.EngineFormatException;

/// The values of a header by their keys: whole numbers as `Long`, others as `Double`, `Boolean`, `String`, and lists of one kind.
public final class GgufMetadata {
    private static final int MOST_KEYS = 100_000;
    private static final int MOST_ITEMS = 1 << 22;
    private static final int LEAST_ENTRY_BYTES = 13;
    private static final int ARRAY = 9;
    private static final int TEXT = 8;

    private final Map<String, Object> values;

    private GgufMetadata(Map<String, Object> values) {
        this.values = values;
    }

    static GgufMetadata read(GgufCursor in, int keys) throws EngineFormatException {
        if (keys > MOST_KEYS) {
            throw in.damaged("it claims " + keys + " values");
        }
        Map<String, Object> values = new HashMap<>();
        for (int i = 0; i < keys; i++) {
            String key = in.text();
            if (values.put(key, value(in, in.int32(), true)) != null) {
                throw in.damaged("a key stands twice");
            }
        }
        return new GgufMetadata(values);
    }

    static int leastEntryBytes() {
        return LEAST_ENTRY_BYTES;
    }

    private static Object value(GgufCursor in, int type, boolean outer) throws EngineFormatException {
        return switch (type) {
            case 0 -> (long) Byte.toUnsignedInt(in.int8());
            case 1 -> (long) in.int8();
            case 2 -> (long) Short.toUnsignedInt(in.int16());
            case 3 -> (long) in.int16();
            case 4 -> Integer.toUnsignedLong(in.int32());
            case 5 -> (long) in.int32();
            case 6 -> (double) Float.intBitsToFloat(in.int32());
            case 7 -> in.int8() != 0;
            case TEXT -> in.text();
            case ARRAY -> {
                if (!outer) {
                    throw in.damaged("it has lists of lists");
                }
                yield items(in);
            }
            case 10, 11 -> in.int64();
            case 12 -> Double.longBitsToDouble(in.int64());
            default -> throw in.damaged("it has a value of the unknown type " + type);
        };
    }

    private static List<Object> items(GgufCursor in) throws EngineFormatException {
        int type = in.int32();
        int count = in.count("items of a list", MOST_ITEMS, type == TEXT ? Long.BYTES : 1);
        List<Object> items = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            items.add(value(in, type, false));
        }
        return items;
    }

    /// A text; empty if there is none.
    public Optional<String> text(String key) {
        return values.get(key) instanceof String text ? Optional.of(text) : Optional.empty();
    }

    /// A whole number; empty if there is none.
    public OptionalLong whole(String key) {
        return values.get(key) instanceof Long number ? OptionalLong.of(number) : OptionalLong.empty();
    }

    /// A number; empty if there is none.
    public Optional<Double> number(String key) {
        return switch (values.get(key)) {
            case Long number -> Optional.of(number.doubleValue());
            case Double number -> Optional.of(number);
            case null, default -> Optional.empty();
        };
    }

    /// A flag, or another where there is none.
    public boolean flag(String key, boolean otherwise) {
        return values.get(key) instanceof Boolean flag ? flag : otherwise;
    }

    /// The items of a list that have a type; empty if there is none.
    public <T> List<T> list(String key, Class<T> type) {
        return values.get(key) instanceof List<?> list
                ? list.stream().filter(type::isInstance).<T>map(type::cast).toList() : List.of();
    }

    /// Whether there is a value.
    public boolean has(String key) {
        return values.containsKey(key);
    }
}
