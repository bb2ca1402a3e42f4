package org.inferometer.record;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/// What the window of the desktop did while a run was measured, and what its user marked; window and run may share cores.
///
/// @param mode live mode: "live", "low-impact" or "blackout", the costliest of the measured phase; "none" without a window
/// @param cores CPU time of the window per time of the measured phase: 0.14 is 14 % of a core; absent where that is not known
/// @param actions other work of the window during the run, in order
/// @param markers moments that a person marked, in order
public record WindowUse(@JsonProperty("mode") String mode, @JsonProperty("cores") @Nullable Double cores,
        @JsonProperty("actions") List<WindowAction> actions, @JsonProperty("markers") List<RunMarker> markers) {
    /// End of the names of shown views among the actions: "results view".
    public static final String VIEW = " view";
    private static final long DISTURBING_NANOS = 1_000_000_000L;

    /// A run that no window showed.
    public static final WindowUse NONE = new WindowUse("none", null, List.of());

    /// Without markers.
    public WindowUse(String mode, @Nullable Double cores, List<WindowAction> actions) {
        this(mode, cores, actions, List.of());
    }

    public WindowUse {
        markers = List.copyOf(Objects.requireNonNullElse(markers, List.of()));
        actions = List.copyOf(Objects.requireNonNullElse(actions, List.of()));
    }

    /// The same with numbers in place of what a person wrote.
    public WindowUse withoutTexts() {
        List<RunMarker> numbered = IntStream.range(0, markers.size())
                .mapToObj(i -> new RunMarker(markers.get(i).nanos(), "Marker " + (i + 1))).toList();
        return new WindowUse(mode, cores, actions, numbered);
    }

    /// "live, 14 % of a core, beside report (2.1 s)".
    public String text() {
        return mode + (cores == null ? "" : String.format(Locale.ROOT, ", %.1f %% of a core", cores * 100))
                + (actions.isEmpty() ? "" : ", beside " + actionsText());
    }

    /// Work of at least a second in all that no other view needs: "report (2.1 s)"; empty for none.
    public String disturbanceText() {
        List<WindowAction> work = actions.stream().filter(action -> !action.name().endsWith(VIEW)).toList();
        long nanos = work.stream().mapToLong(WindowAction::durationNanos).sum();
        return nanos < DISTURBING_NANOS ? "" : new WindowUse(mode, cores, work).actionsText();
    }

    /// Other work, each kind once with its total time: "report (2.1 s), timeline (0.3 s)".
    public String actionsText() {
        Map<String, Long> nanos = new LinkedHashMap<>();
        actions.forEach(action -> nanos.merge(action.name(), action.durationNanos(), Long::sum));
        return nanos.entrySet().stream()
                .map(each -> String.format(Locale.ROOT, "%s (%.1f s)", each.getKey(), each.getValue() / 1e9))
                .collect(Collectors.joining(", "));
    }
}
