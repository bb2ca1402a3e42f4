package org.inferometer.engine;

import java.nio.file.Path;

/// Reads `recipe.yaml` strictly: every fault is told with its line, all at once, and unknown fields with what was probably meant.
public final class RecipeReader {
    /// The name of a recipe in an engine's folder.
    public static final String FILE = "recipe.yaml";

    private RecipeReader() {}

    /// Reads one recipe.
    ///
    /// @throws EngineFormatException with the file and, for each fault, the line and what is expected
    public static Recipe read(Path file) throws EngineFormatException {
        Faults faults = new Faults(file, "Correct the recipe.");
        DocumentFields fields = new DocumentFields(DocumentParser.yaml(file, faults), faults);
        String model = fields.text("model", ModelNames.PATTERN, ModelNames.EXPECTED);
        Precision precision = fields.word("precision", Precision.class);
        long seed = fields.whole("seed", Long.MIN_VALUE, Long.MAX_VALUE);
        var shape = fields.group("shape").map(ShapeFields::read);
        fields.noOthers();
        if (faults.any() || shape.isEmpty()) {
            throw faults.exception();
        }
        return new Recipe(model, shape.get(), precision, seed);
    }
}
