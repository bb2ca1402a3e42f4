package org.inferometer.engine.build;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.inferometer.engine.DescriptorFile;
import org.inferometer.engine.Engine;
import org.inferometer.engine.EngineDescriptor;
import org.inferometer.engine.build.EngineEntry.State;
import org.inferometer.engine.files.EngineFormatException;
import org.inferometer.units.NearMisses;
import org.jspecify.annotations.Nullable;

/// The engines of a workspace and of the program: one folder each, with a recipe, a built engine, or both. A workspace
/// engine hides a program engine of the same name.
///
/// Every call reads the folders, except in a [#snapshot]. Thread-safe.
public final class EngineCatalog {
    private final List<Path> places;
    private final @Nullable Map<String, EngineEntry> found;

    /// @param folder the engines folder; may not exist yet
    public EngineCatalog(Path folder) {
        this(List.of(folder));
    }

    /// @param places engines folders in order of precedence; at least one; they may not exist yet
    public EngineCatalog(List<Path> places) {
        this(places, null);
    }

    private EngineCatalog(List<Path> places, @Nullable Map<String, EngineEntry> found) {
        this.places = List.copyOf(places);
        this.found = found;
    }

    /// The same engines; reads each one once, for planning many runs.
    public EngineCatalog snapshot() {
        return new EngineCatalog(places, new ConcurrentHashMap<>());
    }

    /// All engines by name; damaged ones with their fault. Reads no weights.
    ///
    /// Skips hidden folders and folders without engine files.
    ///
    /// @throws UncheckedIOException if an engines folder exists but cannot be listed
    public List<EngineEntry> entries() {
        return folders().stream().map(EngineCatalog::entry).toList();
    }

    /// The engine of that name; reads only this one.
    ///
    /// @throws EngineFormatException with near misses and the valid names if there is none
    public EngineEntry find(String name) throws EngineFormatException {
        if (found == null) {
            return read(name);
        }
        EngineEntry known = found.get(name);
        if (known == null) {
            known = read(name);
            found.put(name, known);
        }
        return known;
    }

    private EngineEntry read(String name) throws EngineFormatException {
        List<Path> folders = folders();
        for (Path child : folders) {
            if (name(child).equals(name)) {
                return entry(child);
            }
        }
        if (folders.isEmpty()) {
            throw new EngineFormatException(places.getFirst(), "There are no engines here.",
                    "Choose the workspace that has them with --workspace.");
        }
        throw new EngineFormatException(places.getFirst(),
                NearMisses.sentence("engine", name, folders.stream().map(EngineCatalog::name).toList()), "");
    }

    private List<Path> folders() {
        Map<String, Path> byName = new TreeMap<>();
        places.forEach(place -> folders(place).forEach(child -> byName.putIfAbsent(name(child), child)));
        return List.copyOf(byName.values());
    }

    private static List<Path> folders(Path folder) {
        if (!Files.isDirectory(folder)) {
            return List.of();
        }
        try (Stream<Path> children = Files.list(folder)) {
            List<Path> shown = children.filter(child -> !name(child).startsWith(".")).toList();
            // A kill may have left a folder without any file of an engine.
            shown.forEach(EngineReplacement::finish);
            return shown.stream().filter(EngineCatalog::isEngine).toList();
        } catch (IOException unreadable) {
            throw new UncheckedIOException("The engines folder " + folder + " cannot be listed.", unreadable);
        }
    }

    private static String name(Path child) {
        return String.valueOf(child.getFileName());
    }

    private static boolean isEngine(Path child) {
        return Stream.of(RecipeReader.FILE, DescriptorFile.FILE, DescriptorFile.WEIGHTS)
                .anyMatch(file -> Files.exists(child.resolve(file)));
    }

    private static EngineEntry entry(Path child) {
        String name = name(child);
        List<String> problems = new ArrayList<>();
        boolean built = Files.exists(child.resolve(DescriptorFile.FILE));
        boolean hasRecipe = Files.exists(child.resolve(RecipeReader.FILE));
        @Nullable Recipe recipe = hasRecipe
                ? read(child, problems, folder -> RecipeReader.read(folder.resolve(RecipeReader.FILE))) : null;
        if (!built) {
            if (!hasRecipe) {
                problems.add(child
                        + ": There are weights but neither engine.json nor a recipe. Remove the folder or add a recipe.");
            }
            return new EngineEntry(name, child, recipe, problems.isEmpty() ? State.RECIPE_ONLY : State.DAMAGED, null,
                    text(problems));
        }
        // A built engine does not need its recipe; only the engine's own faults count.
        problems.clear();
        @Nullable EngineDescriptor descriptor = read(child, problems, Engine::descriptor);
        if (descriptor != null) {
            staleness(child, recipe, descriptor).ifPresent(problems::add);
        }
        return new EngineEntry(name, child, recipe, problems.isEmpty() ? State.BUILT : State.DAMAGED, descriptor,
                text(problems));
    }

    private static String text(List<String> problems) {
        return String.join(" ", problems);
    }

    /// The reason why a built engine does not match its folder or recipe; empty if it does.
    private static Optional<String> staleness(Path child, @Nullable Recipe recipe, EngineDescriptor descriptor) {
        String name = name(child);
        if (!descriptor.name().equals(name)) {
            return Optional.of(child + ": engine.json calls the engine \"" + descriptor.name() + "\", not \"" + name
                    + "\". Rename the folder back, or build it again.");
        }
        Long seed = descriptor.origin().syntheticSeed();
        if (recipe == null || seed == null) {
            return Optional.empty();
        }
        Recipe builtFrom = new Recipe(descriptor.model(), descriptor.shape(), descriptor.formats(), seed);
        return recipe.equals(builtFrom) ? Optional.empty()
                : Optional.of(child + ": The recipe was changed after the engine was built from it. Build it again.");
    }

    private interface Reading<T> {
        T read(Path folder) throws EngineFormatException;
    }

    private static <T> @Nullable T read(Path folder, List<String> problems, Reading<T> reading) {
        try {
            return reading.read(folder);
        } catch (EngineFormatException damaged) {
            problems.add(String.valueOf(damaged.getMessage()));
            return null;
        }
    }
}
