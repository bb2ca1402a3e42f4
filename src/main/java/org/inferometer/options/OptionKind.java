package org.inferometer.options;

import java.util.List;

/// The values of an option.
public sealed interface OptionKind {
    /// Whole numbers in a range.
    record Whole(long min, long max) implements OptionKind {}

    /// Decimal numbers in a range.
    record Decimal(double min, double max) implements OptionKind {}

    /// true or false.
    record Flag() implements OptionKind {}

    /// One of several words.
    record Choice(List<String> words) implements OptionKind {}

    /// Text, such as an address; may be empty.
    record Text() implements OptionKind {}
}
