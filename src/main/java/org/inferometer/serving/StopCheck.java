package org.inferometer.serving;

/// Finds the last token of one answer. Asked once for each token, in order. One thread.
@FunctionalInterface
interface StopCheck {
    /// Whether generation ends with this token; always true for the last of the most.
    ///
    /// @param generated tokens generated, this one included
    boolean endsAfter(int token, int generated);
}
