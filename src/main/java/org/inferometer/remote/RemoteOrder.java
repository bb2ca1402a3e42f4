package org.inferometer.remote;

import com.fasterxml.jackson.annotation.JsonProperty;
import org.inferometer.experiment.ExperimentSpec;
import org.jspecify.annotations.Nullable;

/// The first line to the other machine: an experiment to run, a result to fetch, or a look at what it has. One of the three.
///
/// @param run an experiment
/// @param fetch a result there, by its id or `latest`
/// @param look whether to tell engines and backends
public record RemoteOrder(@JsonProperty("protocol") int protocol, @JsonProperty("run") @Nullable ExperimentSpec run,
        @JsonProperty("fetch") @Nullable String fetch, @JsonProperty("look") boolean look) {
    static RemoteOrder toRun(ExperimentSpec spec) {
        return new RemoteOrder(RemoteProtocol.VERSION, spec, null, false);
    }

    static RemoteOrder toFetch(String id) {
        return new RemoteOrder(RemoteProtocol.VERSION, null, id, false);
    }

    static RemoteOrder toLook() {
        return new RemoteOrder(RemoteProtocol.VERSION, null, null, true);
    }
}
