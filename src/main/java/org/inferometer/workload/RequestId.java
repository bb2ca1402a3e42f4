package org.inferometer.workload;

import org.jspecify.annotations.Nullable;

/// Numbers a request within its run, from 0 in the order of the workload.
public record RequestId(int index) {
    // Written out because the compiler of the step path does not inline a record's own comparison.
    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof RequestId that && that.index == index;
    }

    @Override
    public int hashCode() {
        return index;
    }

    @Override
    public String toString() {
        return Integer.toString(index);
    }
}
