package org.inferometer.record;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// What the window of the desktop did while a run was measured; both may share cores.
///
/// @param mode live mode: "live", "low-impact" or "blackout", the costliest of the measured phase; "none" without a window
/// @param cores CPU time of the window per time of the measured phase: 0.14 is 14 % of a core; absent where that is not known
/// @param actions other work of the window during the run, such as "report"; in order
public record WindowUse(@JsonProperty("mode") String mode, @JsonProperty("cores") @Nullable Double cores,
        @JsonProperty("actions") List<String> actions) {
    /// A run that no window showed.
    public static final WindowUse NONE = new WindowUse("none", null, List.of());

    public WindowUse {
        actions = List.copyOf(Objects.requireNonNullElse(actions, List.of()));
    }

    /// Whether a window showed the run.
    public boolean isWindow() {
        return !mode.equals(NONE.mode);
    }

    /// "live, 14 % of a core, during report".
    public String text() {
        return mode + (cores == null ? "" : String.format(Locale.ROOT, ", %.1f %% of a core", cores * 100))
                + (actions.isEmpty() ? "" : ", during " + String.join(", ", actions));
    }
}
