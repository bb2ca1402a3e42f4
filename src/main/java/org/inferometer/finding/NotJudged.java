package org.inferometer.finding;

/// Why a check of a gate that has its figures is not judged.
public enum NotJudged {
    /// A run of a side is INVALID.
    INVALID_RUN,
    /// A side has too few runs for a test.
    TOO_FEW_RUNS
}
