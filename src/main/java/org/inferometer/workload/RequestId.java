package org.inferometer.workload;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import org.jspecify.annotations.Nullable;

/// The number of a request within its run, from 0 in the order of the workload.
public record RequestId(@JsonValue int index) {
    @JsonCreator(mode = JsonCreator.Mode.DELEGATING)
    public RequestId {}

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
