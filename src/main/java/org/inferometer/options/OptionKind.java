package org.inferometer.options;

import java.util.List;

/// What values an option takes.
public sealed interface OptionKind {
    /// Whole numbers of a range.
    record Whole(long min, long max) implements OptionKind {}

    /// Decimal numbers of a range.
    record Decimal(double min, double max) implements OptionKind {}

    /// true or false.
    record Flag() implements OptionKind {}

    /// One of a set of words.
    record Choice(List<String> words) implements OptionKind {}

    /// Any text without a comma, as an address; may be empty.
    record Text() implements OptionKind {}
}
