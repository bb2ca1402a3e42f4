package org.inferometer.remote;

import com.fasterxml.jackson.annotation.JsonProperty;
import org.inferometer.experiment.ExperimentSpec;
import org.jspecify.annotations.Nullable;

/// The first line to the other machine: an experiment to run, or a result to fetch.
///
/// @param run absent to fetch
/// @param fetch a result there, by its id or `latest`; absent to run
public record RemoteOrder(@JsonProperty("protocol") int protocol, @JsonProperty("run") @Nullable ExperimentSpec run,
        @JsonProperty("fetch") @Nullable String fetch) {}
