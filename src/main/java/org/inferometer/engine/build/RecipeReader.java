package org.inferometer.engine.build;

import java.nio.file.Path;
import java.util.List;
import org.inferometer.engine.DescriptorFile;
import org.inferometer.engine.Precision;
import org.inferometer.engine.ShapeFields;
import org.inferometer.engine.WeightFormats;
import org.inferometer.engine.files.EngineFormatException;
import org.inferometer.engine.files.RequiredFields;

/// Reads `recipe.yaml` strictly: one message lists all faults with lines, and suggests keys for unknown ones.
public final class RecipeReader {
    /// The file name of a recipe.
    public static final String FILE = "recipe.yaml";

    private RecipeReader() {}

    /// Reads one recipe.
    ///
    /// @throws EngineFormatException with file, lines, faults and what is expected
    public static Recipe read(Path file) throws EngineFormatException {
        RequiredFields fields = RequiredFields.read(file, "Correct the recipe.");
        String model = fields.name("model");
        Precision precision = fields.constant("precision", Precision.class);
        WeightFormats formats = DescriptorFile.formats(fields, precision, precision);
        long seed = fields.whole("seed", Long.MIN_VALUE, Long.MAX_VALUE);
        var shape = fields.group("shape").map(ShapeFields::read);
        fields.mapping().allowOnly(List.of("model", "precision", DescriptorFile.GROUP_SIZE, "seed", "shape"));
        fields.check();
        return new Recipe(model, shape.orElseThrow(), formats, seed);
    }
}
