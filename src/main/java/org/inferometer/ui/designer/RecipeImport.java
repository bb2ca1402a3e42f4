package org.inferometer.ui.designer;

import static org.inferometer.ui.fx.Messages.text;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.inferometer.engine.build.RecipeReader;
import org.inferometer.engine.files.EngineFormatException;

/// Copies recipes of engines into the workspace.
public final class RecipeImport {
    private static final int MOST_FOLDERS = 1000;

    private RecipeImport() {}

    /// Copies the recipe of an engine, or all recipes of a folder of engines. Existing engines stay as they are; new
    /// ones are built when they first run. Blocks.
    ///
    /// @param chosen a folder with a `recipe.yaml`, or with folders that have one
    /// @param folder the engines folder; may not exist yet
    /// @return names of the new engines
    /// @throws IOException when there is no recipe, one cannot be read, or the workspace cannot be written
    public static List<String> copy(Path chosen, Path folder) throws IOException {
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
            Path target = folder.resolve(name);
            if (!Files.exists(target)) {
                Files.createDirectories(target);
                Files.copy(recipe(engine), recipe(target));
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
