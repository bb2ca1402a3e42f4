package org.inferometer.engine.gguf;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.inferometer.engine.files.EngineFormatException;

/// The values of a header by their keys. A value is a `Long`, `Double`, `Boolean` or `String`, or a list: `long[]`, `double[]`, or a
/// list of `String`.
public final class GgufMetadata {
    private static final int MOST_KEYS = 100_000;
    private static final int MOST_ITEMS = 1 << 22;
    /// Of all values together. A vocabulary of 256,000 tokens with its merges takes 60 MiB.
    private static final long MOST_BYTES = 96L << 20;
    private static final int LEAST_ENTRY_BYTES = 13;
    private static final int ENTRY_BYTES = 64;
    private static final int FLAG = 7;
    private static final int TEXT = 8;
    private static final int ARRAY = 9;

    private final Map<String, Object> values;

    private GgufMetadata(Map<String, Object> values) {
        this.values = values;
    }

    static GgufMetadata read(GgufCursor in, int keys) throws EngineFormatException {
        if (keys > MOST_KEYS) {
            throw in.damaged("it claims " + keys + " values");
        }
        return new GgufMetadata(new Reading(in).values(keys));
    }

    static int leastEntryBytes() {
        return LEAST_ENTRY_BYTES;
    }

    /// Reads values and counts the memory that they take.
    private static final class Reading {
        private final GgufCursor in;
        private long bytes;

        Reading(GgufCursor in) {
            this.in = in;
        }

        Map<String, Object> values(int keys) throws EngineFormatException {
            Map<String, Object> values = new HashMap<>();
            for (int i = 0; i < keys; i++) {
                String key = text();
                if (values.put(key, value(in.int32())) != null) {
                    throw in.damaged("a key stands twice");
                }
            }
            return values;
        }

        private Object value(int type) throws EngineFormatException {
            take(ENTRY_BYTES);
            return switch (type) {
                case 6, 12 -> decimal(type);
                case FLAG -> in.int8() != 0;
                case TEXT -> text();
                case ARRAY -> items(in.int32());
                default -> whole(type);
            };
        }

        private double decimal(int type) throws EngineFormatException {
            return type == 6 ? Float.intBitsToFloat(in.int32()) : Double.longBitsToDouble(in.int64());
        }

        private long whole(int type) throws EngineFormatException {
            return switch (type) {
                case 0 -> Byte.toUnsignedInt(in.int8());
                case 1, FLAG -> in.int8();
                case 2 -> Short.toUnsignedInt(in.int16());
                case 3 -> in.int16();
                case 4 -> Integer.toUnsignedLong(in.int32());
                case 5 -> in.int32();
                case 10, 11 -> in.int64();
                default -> throw in.damaged("it has a value of the unknown type " + type);
            };
        }

        private String text() throws EngineFormatException {
            String text = in.text();
            take(ENTRY_BYTES + (long) Character.BYTES * text.length());
            return text;
        }

        private Object items(int type) throws EngineFormatException {
            if (type == ARRAY) {
                throw in.damaged("it has lists of lists");
            }
            int count = in.count("items of a list", MOST_ITEMS, type == TEXT ? Long.BYTES : 1);
            take((long) Long.BYTES * count);
            if (type == TEXT) {
                List<String> texts = new ArrayList<>(count);
                for (int i = 0; i < count; i++) {
                    texts.add(text());
                }
                return texts;
            }
            if (type == 6 || type == 12) {
                double[] numbers = new double[count];
                for (int i = 0; i < count; i++) {
                    numbers[i] = decimal(type);
                }
                return numbers;
            }
            long[] numbers = new long[count];
            for (int i = 0; i < count; i++) {
                numbers[i] = whole(type);
            }
            return numbers;
        }

        private void take(long count) throws EngineFormatException {
            bytes += count;
            if (bytes > MOST_BYTES) {
                throw in.refused("The values of its header take more than " + (MOST_BYTES >> 20) + " MiB.");
            }
        }
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

    /// A flag; the other value if there is none.
    public boolean flag(String key, boolean otherwise) {
        return values.get(key) instanceof Boolean flag ? flag : otherwise;
    }

    /// A list of texts; empty if there is none.
    public List<String> texts(String key) {
        return values.get(key) instanceof List<?> list ? list.stream().map(String.class::cast).toList() : List.of();
    }

    /// A list of whole numbers, or of flags as 0 and 1; empty if there is none.
    public long[] wholes(String key) {
        return values.get(key) instanceof long[] numbers ? numbers.clone() : new long[0];
    }

    /// A list of floating-point numbers; empty if there is none.
    public double[] numbers(String key) {
        return values.get(key) instanceof double[] numbers ? numbers.clone() : new double[0];
    }

    /// Whether there is a value.
    public boolean has(String key) {
        return values.containsKey(key);
    }
}
