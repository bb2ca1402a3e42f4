package org.inferometer.scheduling;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import org.jspecify.annotations.Nullable;

/// The number of a lane, from 0.
public record LaneId(@JsonValue int index) {
    @JsonCreator(mode = JsonCreator.Mode.DELEGATING)
    public LaneId {}

    // Explicit because the JIT does not inline the generated comparison of a record.
    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof LaneId that && that.index == index;
    }

    @Override
    public int hashCode() {
        return index;
    }
}
