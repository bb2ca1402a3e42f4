package org.inferometer.workload;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.inferometer.options.OptionRecords;
import org.inferometer.options.Selection;

/// A trace file and its replay options. Written `FILE` or `FILE,option=value,option=value`.
///
/// The file name ends before the first comma that is followed by `word=`, so it may contain colons, blanks and other commas.
public record TraceReplay(@JsonProperty("file") String file, @JsonProperty("options") TraceOptions options) {
    private static final Pattern OPTIONS = Pattern.compile(",\\s*(?=[A-Za-z_]+=)");

    /// Reads the written form.
    ///
    /// @throws IllegalArgumentException with all faults
    public static TraceReplay parse(String text) {
        Matcher first = OPTIONS.matcher(text);
        boolean any = first.find();
        String file = (any ? text.substring(0, first.start()) : text).strip();
        if (file.isEmpty()) {
            throw new IllegalArgumentException("Write trace:FILE with the name of the file.");
        }
        Map<String, String> given = new LinkedHashMap<>();
        if (any) {
            given.putAll(Selection.parse("trace:" + text.substring(first.end())).options());
        }
        TraceOptions options = OptionRecords.parse(TraceOptions.class, new Selection("trace", given));
        if (options.toSeconds() > 0 && options.toSeconds() <= options.fromSeconds()) {
            throw new IllegalArgumentException(
                    "trace: to=" + given.get("to") + " is not after from=" + given.get("from") + ".");
        }
        return new TraceReplay(file, options);
    }

    /// The text that [#parse] reads back.
    @Override
    public String toString() {
        return file + OptionRecords.write(options).entrySet().stream()
                .map(option -> "," + option.getKey() + "=" + option.getValue()).collect(Collectors.joining());
    }
}
