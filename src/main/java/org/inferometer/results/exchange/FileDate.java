package org.inferometer.results.exchange;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;

/// A date as other tools write it.
///
/// @param zoned whether the file tells the zone; where it does not, the date was read as UTC
record FileDate(Instant instant, boolean zoned) {
    /// What the notes of a run say about a date without a zone.
    static final String NO_ZONE = "The date has no time zone and is read as UTC.";
    /// How vLLM writes when it saved its file.
    static final DateTimeFormatter COMPACT = DateTimeFormatter.ofPattern("uuuuMMdd-HHmmss", Locale.ROOT);

    private static final List<DateTimeFormatter> LOCAL = List.of(DateTimeFormatter.ISO_LOCAL_DATE_TIME, COMPACT,
            DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm:ss", Locale.ROOT));
    private static final Instant EARLIEST = Instant.parse("2000-01-01T00:00:00Z");
    private static final Instant LATEST = Instant.parse("2200-01-01T00:00:00Z");

    /// A written date; empty where the text is none, or none of this time.
    static Optional<FileDate> of(String text) {
        try {
            return plausible(new FileDate(OffsetDateTime.parse(text).toInstant(), true));
        } catch (DateTimeException noZone) {
            return LOCAL.stream().flatMap(format -> local(text, format).stream()).findFirst()
                    .flatMap(FileDate::plausible);
        }
    }

    /// Seconds since 1970; empty where that is none of this time, as with clocks that count from a machine's start.
    static Optional<Instant> ofEpochSeconds(OptionalDouble seconds) {
        return seconds.isEmpty() || Math.abs(seconds.getAsDouble()) > LATEST.getEpochSecond() ? Optional.empty()
                : ofEpochNanos(Math.round(seconds.getAsDouble() * Summary.SECONDS));
    }

    /// The same of nanoseconds.
    static Optional<Instant> ofEpochNanos(long nanos) {
        return plausible(new FileDate(Instant.EPOCH.plusNanos(nanos), true)).map(FileDate::instant);
    }

    private static Optional<FileDate> local(String text, DateTimeFormatter format) {
        try {
            return Optional.of(new FileDate(LocalDateTime.parse(text, format).toInstant(ZoneOffset.UTC), false));
        } catch (DateTimeException otherFormat) {
            return Optional.empty();
        }
    }

    private static Optional<FileDate> plausible(FileDate date) {
        return date.instant.isBefore(EARLIEST) || date.instant.isAfter(LATEST) ? Optional.empty() : Optional.of(date);
    }
}
