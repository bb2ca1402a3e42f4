package org.inferometer.scheduling;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import org.jspecify.annotations.Nullable;

/// Numbers a pool of KV blocks, from 0.
public record PoolId(@JsonValue int index) {
    @JsonCreator(mode = JsonCreator.Mode.DELEGATING)
    public PoolId {}

    // Written out because the compiler of the step path does not inline a record's own comparison.
    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof PoolId that && that.index == index;
    }

    @Override
    public int hashCode() {
        return index;
    }
}
