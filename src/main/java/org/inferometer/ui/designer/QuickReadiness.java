package org.inferometer.ui.designer;

import static org.inferometer.ui.fx.Messages.text;

import java.util.List;
import org.inferometer.experiment.ExperimentSpec;
import org.inferometer.ui.designer.EngineChoices.EngineChoice;

/// Whether the engines of the quick benchmark are here, and alternatives. Pure.
///
/// @param sentence what is missing; empty when ready
/// @param instead built engines to run instead; may be empty
public record QuickReadiness(String sentence, List<String> instead) {
    /// All engines are here.
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
        // Only built engines: building a large one takes long.
        List<String> instead = engines.stream().filter(choice -> choice.usable() && choice.built())
                .map(EngineChoice::name).limit(quick.engines().size()).toList();
        String wanted = String.join(", ", missing);
        return new QuickReadiness(
                instead.isEmpty() ? text("engines.quick-missing", wanted) : text("engines.quick-instead", wanted),
                instead);
    }
}
