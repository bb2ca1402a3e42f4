package org.inferometer.scheduling;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import org.jspecify.annotations.Nullable;

/// The number of a KV pool, from 0.
public record PoolId(@JsonValue int index) {
    @JsonCreator(mode = JsonCreator.Mode.DELEGATING)
    public PoolId {}

    // Explicit because the JIT does not inline the generated comparison of a record.
    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof PoolId that && that.index == index;
    }

    @Override
    public int hashCode() {
        return index;
    }
}
