package org.inferometer.record;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The highest load of a search that meets the service-level objective, estimated for one subject from all of its runs.
///
/// @param cells indices of its loads in `spec.cells()`, ascending in load
/// @param estimate requests a second, or requests in flight
/// @param low lower end of the 95 % interval; absent if that is below the lowest load of the search
/// @param high its upper end; absent if that is above the highest load
/// @param shownServed the highest load that is shown to be served; absent if none is
public record LoadEstimate(@JsonProperty("cells") List<Integer> cells, @JsonProperty("estimate") double estimate,
        @JsonProperty("low") @Nullable Double low, @JsonProperty("high") @Nullable Double high,
        @JsonProperty("shownServed") @Nullable Double shownServed) {}
