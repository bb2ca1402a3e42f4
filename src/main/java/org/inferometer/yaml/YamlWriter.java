package org.inferometer.yaml;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.snakeyaml.engine.v2.api.Dump;
import org.snakeyaml.engine.v2.api.DumpSettings;
import org.snakeyaml.engine.v2.common.FlowStyle;

/// Writes YAML that [YamlReader] reads back to the same texts.
public final class YamlWriter {
    private static final int COLUMNS = 120;

    private YamlWriter() {}

    /// The text of a mapping, a line for each value.
    ///
    /// @param root texts, lists of texts, mappings of them, and lists of mappings
    public static String text(Map<String, ?> root) {
        return new Dump(settings()).dumpToString(plain(root));
    }

    /// The text of a mapping whose values keep their types: a text that looks like a number is quoted.
    ///
    /// @param root texts, numbers, truth values, null, and lists and mappings of them
    public static String typed(Map<String, ?> root) {
        return new Dump(settings()).dumpToString(root);
    }

    private static DumpSettings settings() {
        return DumpSettings.builder().setDefaultFlowStyle(FlowStyle.BLOCK).setWidth(COLUMNS).setSplitLines(false)
                .build();
    }

    private static Object plain(Object value) {
        return switch (value) {
            case Map<?, ?> mapping -> {
                Map<Object, Object> written = new LinkedHashMap<>();
                mapping.forEach((key, inner) -> written.put(key, plain(inner)));
                yield written;
            }
            case List<?> list -> list.stream().map(YamlWriter::plain).toList();
            default -> number(value.toString());
        };
    }

    /// A number or flag that YAML writes with the same characters needs no quotes.
    private static Object number(String text) {
        if (text.equals("true") || text.equals("false")) {
            return Boolean.valueOf(text);
        }
        if (text.matches("0|-?[1-9][0-9]{0,17}")) {
            return Long.valueOf(text);
        }
        if (text.matches("-?[0-9]{1,9}\\.[0-9]{1,9}") && Double.toString(Double.parseDouble(text)).equals(text)) {
            return Double.valueOf(text);
        }
        return text;
    }
}
