package org.inferometer.ui.designer;

import static org.inferometer.ui.fx.Messages.text;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.inferometer.options.OptionDescription;
import org.inferometer.scheduling.SchedulerDescription;

/// A group of options in a form with many.
///
/// @param title "parallel only", "Same as simple"; empty for a single group
public record OptionGroup(String title, List<OptionViewModel> options) {
    private static final int FEW = 6;

    /// Own options first; then those shared with an earlier scheduler, under its name.
    static List<OptionGroup> of(SchedulerDescription<?> scheduler, List<OptionViewModel> options,
            List<SchedulerDescription<?>> all) {
        if (options.size() <= FEW) {
            return options.isEmpty() ? List.of() : List.of(new OptionGroup("", options));
        }
        Map<String, List<OptionViewModel>> groups = new LinkedHashMap<>();
        groups.put(text("designer.options-own", scheduler.name()), new ArrayList<>());
        for (OptionViewModel option : options) {
            String title =
                    sharedWith(scheduler, option.description(), all).map(other -> text("designer.options-as", other))
                            .orElseGet(() -> text("designer.options-own", scheduler.name()));
            groups.computeIfAbsent(title, key -> new ArrayList<>()).add(option);
        }
        return groups.entrySet().stream().filter(group -> !group.getValue().isEmpty())
                .map(group -> new OptionGroup(groups.size() == 1 ? "" : group.getKey(), List.copyOf(group.getValue())))
                .toList();
    }

    /// Shared options have the same name and help.
    private static Optional<String> sharedWith(SchedulerDescription<?> scheduler, OptionDescription option,
            List<SchedulerDescription<?>> all) {
        return all.stream().takeWhile(other -> !other.name().equals(scheduler.name()))
                .filter(other -> other.options().stream()
                        .anyMatch(its -> its.name().equals(option.name()) && its.help().equals(option.help())))
                .map(SchedulerDescription::name).findFirst();
    }
}
