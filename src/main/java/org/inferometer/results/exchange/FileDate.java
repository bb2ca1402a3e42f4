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
/// @param zoned whether the file gives the time zone; otherwise it is read as UTC
record FileDate(Instant instant, boolean zoned) {
    /// The note on a date without a time zone.
    static final String NO_ZONE = "The date has no time zone and is read as UTC.";
    /// The format of vLLM.
    static final DateTimeFormatter COMPACT = DateTimeFormatter.ofPattern("uuuuMMdd-HHmmss", Locale.ROOT);

    private static final List<DateTimeFormatter> LOCAL = List.of(DateTimeFormatter.ISO_LOCAL_DATE_TIME, COMPACT,
            DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm:ss", Locale.ROOT));
    private static final Instant EARLIEST = Instant.parse("2000-01-01T00:00:00Z");
    private static final Instant LATEST = Instant.parse("2200-01-01T00:00:00Z");

    /// A date; empty if the text has another form or lies outside 2000 to 2200.
    static Optional<FileDate> of(String text) {
        try {
            return plausible(new FileDate(OffsetDateTime.parse(text).toInstant(), true));
        } catch (DateTimeException noZone) {
            return LOCAL.stream().flatMap(format -> local(text, format).stream()).findFirst()
                    .flatMap(FileDate::plausible);
        }
    }

    /// Seconds since 1970; empty outside 2000 to 2200, as for clocks that count from boot.
    static Optional<Instant> ofEpochSeconds(OptionalDouble seconds) {
        return seconds.isEmpty() || Math.abs(seconds.getAsDouble()) > LATEST.getEpochSecond() ? Optional.empty()
                : ofEpochNanos(Math.round(seconds.getAsDouble() * Summary.SECONDS));
    }

    /// Nanoseconds since 1970; empty outside 2000 to 2200.
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
