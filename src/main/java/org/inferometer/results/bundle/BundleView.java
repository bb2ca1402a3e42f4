package org.inferometer.results.bundle;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The state of the desktop in which a bundle was saved: an open result, or a comparison.
///
/// @param opened folder of the open result; absent without one
/// @param compared sides, the baseline first; empty without a comparison
/// @param anyway whether sides are ranked that are not comparable
/// @param timeline the part of the timeline that is shown; absent without one
/// @param look of all of them; absent in older bundles
public record BundleView(@JsonProperty("opened") @Nullable String opened, @JsonProperty("compared") List<Side> compared,
        @JsonProperty("anyway") boolean anyway, @JsonProperty("timeline") @Nullable TimelineSpan timeline,
        @JsonProperty("look") SavedLook look) {
    public BundleView {
        compared = compared == null ? List.of() : List.copyOf(compared);
        look = look == null ? SavedLook.NONE : look;
    }

    /// As everything looks when it opens.
    public BundleView(@Nullable String opened, List<Side> compared, boolean anyway, @Nullable TimelineSpan timeline) {
        this(opened, compared, anyway, timeline, SavedLook.NONE);
    }

    /// @param result folder of the result
    /// @param part as after # on a command line; empty for the whole result
    public record Side(@JsonProperty("result") String result, @JsonProperty("part") String part) {}

    /// @param result folder of the result
    /// @param run its number in execution order, from 0
    /// @param fromNanos since measuring began
    /// @param toNanos since measuring began
    public record TimelineSpan(@JsonProperty("result") String result, @JsonProperty("run") int run,
            @JsonProperty("fromNanos") long fromNanos, @JsonProperty("toNanos") long toNanos) {}

    /// One open result, or a comparison with the first as the baseline.
    ///
    /// @param folders of the results
    public static BundleView of(List<String> folders) {
        return folders.size() == 1 ? new BundleView(folders.getFirst(), List.of(), false, null)
                : new BundleView(null, folders.stream().map(folder -> new Side(folder, "")).toList(), false, null);
    }
}
