package org.inferometer.cli.engines;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.inferometer.cli.UsageException;
import org.inferometer.engine.EngineInspection;
import org.inferometer.engine.Precision;
import org.inferometer.engine.build.EngineCatalog;
import org.inferometer.engine.build.EngineEntry;
import org.inferometer.engine.build.EngineMaterial;
import org.inferometer.engine.checkpoint.Checkpoint;
import org.inferometer.quantising.AwqBuild;
import org.inferometer.units.NearMisses;

/// The engines that a checkpoint is built into, one for each precision.
///
/// @param name without the precision
/// @param folder engines of the workspace
/// @param kinds ends of the engines' names: precisions and [#AWQ]; empty for the checkpoint's own precision
record CheckpointBuild(String name, Path folder, Set<String> kinds) {
    /// INT4 with scales that a text helped to choose.
    static final String AWQ = "int4-awq";

    /// Reads the options of a command.
    ///
    /// @param names exactly one
    /// @param words precisions, with or without commas
    static CheckpointBuild of(List<String> names, Path folder, List<String> words) throws UsageException {
        List<String> faults = new ArrayList<>();
        if (names.size() != 1) {
            faults.add("--checkpoint builds engines of one NAME. Give one.");
        }
        String name = names.isEmpty() ? "" : names.getFirst();
        if (!name.matches("[A-Za-z0-9][A-Za-z0-9._-]{0,80}")) {
            faults.add("\"" + name + "\" is no name of a folder. Use letters, digits, dots and hyphens.");
        }
        List<String> ids = Stream.concat(Arrays.stream(Precision.values()).map(Precision::id), Stream.of(AWQ)).toList();
        Set<String> kinds = new LinkedHashSet<>();
        for (String word : words) {
            String id = word.strip().toLowerCase(Locale.ROOT).replace('_', '-');
            if (ids.contains(id)) {
                kinds.add(id);
            } else {
                faults.add(NearMisses.sentence("precision", word, ids));
            }
        }
        UsageException.throwIfAny(faults);
        return new CheckpointBuild(name, folder, kinds);
    }

    /// An engine to build.
    ///
    /// @param material for one with AWQ without the scales, which are found when it is built
    record Planned(Path folder, EngineMaterial material, boolean awq) {
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
    List<Planned> plan(Checkpoint checkpoint) throws UsageException {
        Set<String> chosen = kinds.isEmpty() ? Set.of(checkpoint.ownPrecision().id()) : kinds;
        if (chosen.contains(AWQ) && checkpoint.ownPrecision() != Precision.BF16) {
            throw new UsageException(AWQ + ": this checkpoint is quantised already. Give the one it was made from.");
        }
        List<Planned> planned = chosen.stream()
                .map(kind -> new Planned(folder.resolve(Checkpoint.engineName(name, kind, chosen.size() == 1)),
                        material(checkpoint, kind), kind.equals(AWQ)))
                .toList();
        UsageException.throwIfAny(planned.stream().filter(each -> Files.exists(each.folder.resolve("recipe.yaml")))
                .map(each -> each.name() + " has a recipe. Give another NAME.").collect(Collectors.toList()));
        return planned;
    }

    private EngineMaterial material(Checkpoint checkpoint, String kind) {
        String model = name.replaceFirst("-" + kind + "$", "");
        return kind.equals(AWQ) ? AwqBuild.planned(checkpoint, model)
                : checkpoint.material(model, Precision.valueOf(kind.toUpperCase(Locale.ROOT)));
    }
}
