package org.inferometer.run;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import org.inferometer.target.ServerStart.StartedServer;
import org.jspecify.annotations.Nullable;

/// What a worker is told of the server that was started for its run.
///
/// @param started absent if the start failed or was cancelled
/// @param failure one sentence if it failed, else empty
@JsonInclude(JsonInclude.Include.NON_NULL)
public record PreparedServer(@JsonProperty("started") @Nullable StartedServer started,
        @JsonProperty("failure") String failure) {
    /// For targets that start no server.
    public static final PreparedServer NONE = new PreparedServer(null, "");
}
