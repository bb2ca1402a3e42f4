package org.inferometer.selfcheck;

import org.inferometer.record.SelfCheckResult;
import org.inferometer.record.SelfCheckResult.Bound;
import org.inferometer.record.SelfCheckResult.State;

/// Marks results of checks on the smallest sizes, so that nobody takes them for those of the whole check.
final class SmallSizes {
    private static final String ID_SUFFIX = "_small";
    private static final String NAME_SUFFIX = ", small sizes";
    private static final String FIGURE = "Small sizes, to see that the check runs; the value means nothing. ";
    private static final String LIMITED = "Small sizes; this does not replace the whole check. ";

    private SmallSizes() {}

    /// The same result with a mark in its id, name and sentence.
    static SelfCheckResult marked(SelfCheckResult result) {
        String mark = result.state() == State.NOT_CHECKED ? "" : result.bound() == Bound.NONE ? FIGURE : LIMITED;
        return new SelfCheckResult(result.id() + ID_SUFFIX, result.name() + NAME_SUFFIX, result.measured(),
                result.unit(), result.bound(), result.limit(), result.state(), mark + result.sentence());
    }
}
