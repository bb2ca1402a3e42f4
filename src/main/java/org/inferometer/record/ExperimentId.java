package org.inferometer.record;

import java.time.LocalDateTime;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// The id of an experiment: "2026-11-21_141503_quick" is a name behind the second of its start on the wall of its machine; others are names
/// alone.
///
/// @param second absent where the id has none
public record ExperimentId(@Nullable LocalDateTime second, String name) {
    private static final DateTimeFormatter STAMP = DateTimeFormatter.ofPattern("uuuu-MM-dd_HHmmss", Locale.ROOT);
    private static final int STAMP_LENGTH = "2026-11-21_141503_".length();

    /// The parts of an id.
    public static ExperimentId of(String id) {
        if (id.length() > STAMP_LENGTH && id.charAt(STAMP_LENGTH - 1) == '_') {
            try {
                return new ExperimentId(LocalDateTime.parse(id.substring(0, STAMP_LENGTH - 1), STAMP),
                        id.substring(STAMP_LENGTH));
            } catch (DateTimeParseException e) {
                return new ExperimentId(null, id);
            }
        }
        return new ExperimentId(null, id);
    }
}
