package org.inferometer.cli;

import java.util.List;
import java.util.function.Supplier;
import org.inferometer.experiment.Presets;

/// The names a person can write after `run`: the help lists them from here.
///
/// @param presets experiments that have a name
/// @param schedulers in the registry's order
/// @param backends the default first
/// @param targets what can be driven in place of engines in this process
/// @param engines names of the engines of the workspace; asked only when the help is shown
public record Vocabulary(List<Presets.Preset> presets, List<Choice> schedulers, List<Choice> backends,
        List<Choice> targets, Supplier<List<String>> engines) {}
