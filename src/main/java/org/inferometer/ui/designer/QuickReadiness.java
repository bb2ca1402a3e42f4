package org.inferometer.ui.designer;

import static org.inferometer.ui.fx.Messages.text;

import java.util.List;
import org.inferometer.experiment.ExperimentSpec;

/// Whether the quick benchmark can run with the engines that are here, and what can be done where it cannot. Pure.
///
/// @param sentence what is missing, in one sentence; empty where nothing is
/// @param instead engines that are built and could run in place of those missing; empty where there are none
public record QuickReadiness(String sentence, List<String> instead) {
    /// Nothing is missing.
    public static final QuickReadiness READY = new QuickReadiness("", List.of());

    /// @param engines of the workspace
    public static QuickReadiness of(ExperimentSpec quick, List<EngineChoice> engines) {
        List<String> usable = engines.stream().filter(EngineChoice::usable).map(EngineChoice::name).toList();
        List<String> missing = quick.engines().stream().filter(name -> !usable.contains(name)).toList();
        if (missing.isEmpty()) {
            return READY;
        }
        if (usable.isEmpty()) {
            return new QuickReadiness(text("engines.none"), List.of());
        }
        // One that is not built yet may be large: building it is no quick benchmark.
        List<String> instead = engines.stream().filter(choice -> choice.usable() && choice.built())
                .map(EngineChoice::name).limit(quick.engines().size()).toList();
        String wanted = String.join(", ", missing);
        return new QuickReadiness(
                instead.isEmpty() ? text("engines.quick-missing", wanted) : text("engines.quick-instead", wanted),
                instead);
    }
}
