package org.inferometer.options;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Collectors;

/// A choice with options, as written by users: `parallel:strategy=balanced,streams=3`.
///
/// Values are kept as written; [OptionRecords] converts and checks them.
public record Selection(String name, Map<String, String> options) {
    public Selection {
        options = java.util.Collections.unmodifiableMap(new LinkedHashMap<>(options));
    }

    /// A choice without options.
    public static Selection of(String name) {
        return new Selection(name, Map.of());
    }

    /// Parses `name` or `name:option=value,option=value`.
    ///
    /// @throws IllegalArgumentException if an option has no `=`
    @JsonCreator
    public static Selection parse(String text) {
        int colon = text.indexOf(':');
        if (colon < 0) {
            return of(text.strip());
        }
        Map<String, String> options = new LinkedHashMap<>();
        for (String pair : text.substring(colon + 1).split(",", -1)) {
            int equals = pair.indexOf('=');
            if (equals <= 0) {
                throw new IllegalArgumentException("\"" + pair.strip() + "\" in \"" + text
                        + "\" is not an option. Write NAME:option=value,option=value.");
            }
            options.put(pair.substring(0, equals).strip(), pair.substring(equals + 1).strip());
        }
        return new Selection(text.substring(0, colon).strip(), options);
    }

    /// The text that [#parse] reads back.
    @Override
    @JsonValue
    public String toString() {
        if (options.isEmpty()) {
            return name;
        }
        return options.entrySet().stream().map(option -> option.getKey() + "=" + option.getValue())
                .collect(Collectors.joining(",", name + ":", ""));
    }
}
