package org.inferometer.options;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/// A choice with options, as written by users: `parallel:strategy=balanced,streams=3`.
///
/// Values are kept as written; [OptionRecords] converts and checks them.
public record Selection(String name, Map<String, String> options) {
    private static final int MOST_OPTIONS = 200;

    public Selection {
        options = java.util.Collections.unmodifiableMap(new LinkedHashMap<>(options));
    }

    /// A choice without options.
    public static Selection of(String name) {
        return new Selection(name, Map.of());
    }

    /// Parses `name` or `name:option=value,option=value`. A value in double quotes may hold commas; a doubled quote in it is one.
    ///
    /// @throws IllegalArgumentException if it is an address, an option has no `=`, a quote is not closed, or there are more than 200 options
    @JsonCreator
    public static Selection parse(String text) {
        int colon = text.indexOf(':');
        if (colon < 0) {
            return of(text.strip());
        }
        if (text.startsWith("//", colon + 1)) {
            throw new IllegalArgumentException("\"" + text + "\" is an address. Write http:url=" + text.strip() + ".");
        }
        Map<String, String> options = new LinkedHashMap<>();
        for (String pair : pairs(text, colon + 1)) {
            int equals = pair.indexOf('=');
            if (equals <= 0) {
                throw new IllegalArgumentException("\"" + pair.strip() + "\" in \"" + text
                        + "\" is not an option. Write NAME:option=value,option=value.");
            }
            options.put(pair.substring(0, equals).strip(), unquoted(pair.substring(equals + 1).strip()));
        }
        return new Selection(text.substring(0, colon).strip(), options);
    }

    /// The selections of a list with commas: "naive:batch_size=8,continuous" has two. A part without `=`, or with a colon before it, begins one.
    public static List<String> parts(String text) {
        List<String> parts = new ArrayList<>();
        for (String pair : pairs(text, 0)) {
            boolean option = pair.indexOf('=') >= 0 && !pair.substring(0, pair.indexOf('=')).contains(":");
            if (option && !parts.isEmpty()) {
                parts.add(parts.removeLast() + "," + pair);
            } else {
                parts.add(pair);
            }
        }
        return parts;
    }

    /// The parts between commas outside quotes. A quote opens at the beginning of a value only.
    private static List<String> pairs(String text, int from) {
        List<String> pairs = new ArrayList<>();
        int begin = from;
        boolean named = false;
        boolean opensValue = false;
        boolean quotedValue = false;
        boolean inside = false;
        for (int i = from; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '"' && quotedValue) {
                // A doubled quote leaves and enters again.
                inside = !inside;
            } else if (c == '"' && opensValue) {
                quotedValue = true;
                inside = true;
            } else if (c == ',' && !inside) {
                if (pairs.size() == MOST_OPTIONS - 1) {
                    throw new IllegalArgumentException("\"" + text.substring(0, Math.max(text.indexOf(':'), 0)).strip()
                            + "\" has more than " + MOST_OPTIONS + " options. Give fewer.");
                }
                pairs.add(text.substring(begin, i));
                begin = i + 1;
                named = false;
                opensValue = false;
                quotedValue = false;
            } else if (!Character.isWhitespace(c)) {
                opensValue = c == '=' && !named;
                named |= opensValue;
            }
        }
        if (inside) {
            throw new IllegalArgumentException("A quote in \"" + text + "\" is not closed. Close it with \".");
        }
        pairs.add(text.substring(begin));
        return pairs;
    }

    private static String unquoted(String value) {
        return value.length() >= 2 && value.startsWith("\"") && value.endsWith("\"")
                ? value.substring(1, value.length() - 1).replace("\"\"", "\"") : value;
    }

    private static String quoted(String value) {
        return value.indexOf(',') < 0 && !value.startsWith("\"") && value.equals(value.strip()) ? value
                : "\"" + value.replace("\"", "\"\"") + "\"";
    }

    /// The text that [#parse] reads back.
    @Override
    @JsonValue
    public String toString() {
        if (options.isEmpty()) {
            return name;
        }
        return options.entrySet().stream().map(option -> option.getKey() + "=" + quoted(option.getValue()))
                .collect(Collectors.joining(",", name + ":", ""));
    }
}
