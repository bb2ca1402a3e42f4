package org.inferometer.cli.engines;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.inferometer.cli.UsageException;
import org.inferometer.engine.EngineInspection;
import org.inferometer.engine.build.EngineBuilder.EngineMaterial;
import org.inferometer.engine.build.EngineCatalog;
import org.inferometer.engine.build.EngineEntry;
import org.inferometer.engine.checkpoint.Checkpoint;
import org.inferometer.engine.files.EngineFormatException;
import org.inferometer.engine.tokenizer.TrainedTokenizer;
import org.inferometer.quantising.EngineKind;
import org.inferometer.units.NearMisses;
import org.jspecify.annotations.Nullable;

/// The engines that a checkpoint is built into, one for each precision.
///
/// @param name without the precision
/// @param folder engines of the workspace
/// @param kinds empty for the one that keeps the checkpoint's values
/// @param groupSize inputs of a group; absent for that of each kind
record CheckpointBuild(String name, Path folder, Set<EngineKind> kinds, @Nullable Integer groupSize) {
    /// Reads the options of a command.
    ///
    /// @param names exactly one
    /// @param words precisions, with or without commas
    static CheckpointBuild of(List<String> names, Path folder, List<String> words, @Nullable Integer groupSize)
            throws UsageException {
        List<String> faults = new ArrayList<>();
        if (names.size() != 1) {
            faults.add("--checkpoint builds engines of one NAME. Give one.");
        }
        String name = names.isEmpty() ? "" : names.getFirst();
        if (!name.matches("[A-Za-z0-9][A-Za-z0-9._-]{0,80}")) {
            faults.add("\"" + name + "\" is no name of a folder. Use letters, digits, dots and hyphens.");
        }
        Set<EngineKind> kinds = EnumSet.noneOf(EngineKind.class);
        for (String word : words) {
            EngineKind.named(word).ifPresentOrElse(kinds::add,
                    () -> faults.add(NearMisses.sentence("precision", word, EngineKind.ids())));
        }
        UsageException.throwIfAny(faults);
        return new CheckpointBuild(name, folder, kinds, groupSize);
    }

    /// An engine to build.
    ///
    /// @param material for a calibrated one without the scales, which are found when it is built
    record Planned(Path folder, EngineMaterial material, EngineKind kind) {
        String name() {
            return String.valueOf(folder.getFileName());
        }

        EngineInspection inspection() {
            return EngineInspection.of(material.model(), material.shape(), material.formats(),
                    material.source().origin());
        }

        boolean isBuilt() {
            return new EngineCatalog(folder.toAbsolutePath().resolveSibling("").normalize()).entries().stream()
                    .anyMatch(entry -> entry.name().equals(name()) && entry.state() == EngineEntry.State.BUILT);
        }
    }

    /// The engines, in the order of the precisions.
    ///
    /// @throws UsageException if a folder holds something else
    /// @throws EngineFormatException if a kind cannot be made of the checkpoint
    List<Planned> plan(Checkpoint checkpoint) throws UsageException, EngineFormatException {
        Set<EngineKind> chosen = kinds.isEmpty() ? EnumSet.of(EngineKind.own(checkpoint)) : kinds;
        if (groupSize != null && !chosen.stream().allMatch(kind -> kind.groupSizes().contains(groupSize))) {
            throw new UsageException("--group-size " + groupSize
                    + " is not for these precisions. Give 128, 64 or 32 with int4 alone, or 128 with fp8.");
        }
        List<Planned> planned = new ArrayList<>();
        for (EngineKind kind : chosen) {
            planned.add(new Planned(folder.resolve(Checkpoint.engineName(name, kind.id(), chosen.size() == 1)),
                    material(checkpoint, kind), kind));
        }
        UsageException.throwIfAny(planned.stream().filter(each -> Files.exists(each.folder.resolve("recipe.yaml")))
                .map(each -> each.name() + " has a recipe. Give another NAME.").collect(Collectors.toList()));
        return planned;
    }

    private EngineMaterial material(Checkpoint checkpoint, EngineKind kind) throws EngineFormatException {
        String ending = "-" + kind.id();
        String model = name.endsWith(ending) ? name.substring(0, name.length() - ending.length()) : name;
        return groupSize == null ? kind.material(checkpoint, model) : kind.material(checkpoint, model, groupSize);
    }

    /// Told before engines of other precisions are built.
    static void requireTokenizer(Checkpoint checkpoint, List<Planned> planned) throws EngineFormatException {
        if (planned.stream().anyMatch(
                each -> each.kind.isCalibrated() && !each.material.files().containsKey(TrainedTokenizer.FILE))) {
            throw new EngineFormatException(Path.of(checkpoint.name()), "It has no tokenizer to read a text with.",
                    "Put its tokenizer.json beside its config.json, or leave int4-awq out.");
        }
    }
}
