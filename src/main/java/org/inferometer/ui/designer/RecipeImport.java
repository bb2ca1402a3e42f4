package org.inferometer.ui.designer;

import static org.inferometer.ui.fx.Messages.text;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.inferometer.engine.EngineFormatException;
import org.inferometer.engine.build.EngineEntry;
import org.inferometer.engine.build.RecipeReader;

/// The engines of the workspace: which there are, and how more come in. Called from background threads.
///
/// @param folder the engines folder; may not exist yet
/// @param entries asked again whenever the view wants a fresh list
public record RecipeImport(Path folder, Supplier<List<EngineEntry>> entries) {
    private static final int MOST_FOLDERS = 1000;

    /// Copies the recipe of an engine, or those of a folder of engines, into the workspace; engines that are there already stay as they are.
    /// What is copied is built when it first runs.
    ///
    /// @param chosen a folder with a `recipe.yaml`, or with folders that have one
    /// @return names of the engines that are new
    /// @throws IOException when no recipe is there, one cannot be read, or the workspace cannot be written
    public List<String> add(Path chosen) throws IOException {
        List<Path> found = Files.isRegularFile(recipe(chosen)) ? List.of(chosen) : inside(chosen);
        if (found.isEmpty()) {
            throw new IOException(text("engines.no-recipe", chosen));
        }
        List<String> added = new ArrayList<>();
        for (Path engine : found) {
            try {
                RecipeReader.read(recipe(engine));
            } catch (EngineFormatException e) {
                throw new IOException(e.getMessage(), e);
            }
        }
        for (Path engine : found) {
            String name = String.valueOf(engine.getFileName());
            Path there = folder.resolve(name);
            if (!Files.exists(there)) {
                Files.createDirectories(there);
                Files.copy(recipe(engine), recipe(there));
                added.add(name);
            }
        }
        return List.copyOf(added);
    }

    private static List<Path> inside(Path chosen) throws IOException {
        try (Stream<Path> children = Files.list(chosen)) {
            return children.limit(MOST_FOLDERS).filter(child -> Files.isRegularFile(recipe(child))).sorted().toList();
        }
    }

    private static Path recipe(Path engine) {
        return engine.resolve(RecipeReader.FILE);
    }
}
