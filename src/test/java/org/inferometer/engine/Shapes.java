package org.inferometer.engine;

import java.nio.file.Path;
import org.inferometer.engine.ModelShape.RopeScaling;
import org.inferometer.engine.build.EngineEntry;
import org.inferometer.engine.build.EngineEntry.State;
import org.inferometer.engine.build.Recipe;

/// Small shapes of every family for tests, with widths that are no round numbers.
public final class Shapes {
    private Shapes() {}

    public static ModelShape llama() {
        return new ModelShape(ModelFamily.LLAMA, 2, 130, 150, 4, 2, 10, 256, 64, false, 10_000,
                new RopeScaling(8, 1, 4, 32), 1e-5);
    }

    static ModelShape qwen2() {
        return new ModelShape(ModelFamily.QWEN2, 1, 64, 130, 4, 2, 16, 300, 64, true, 1e6, null, 1e-6);
    }

    static ModelShape qwen3() {
        return new ModelShape(ModelFamily.QWEN3, 2, 48, 96, 4, 1, 16, 256, 64, true, 1e6, null, 1e-6);
    }

    public static ModelShape gpt2() {
        return new ModelShape(ModelFamily.GPT2, 2, 33, 129, 3, 3, 11, 257, 20, true, 0, null, 1e-5);
    }

    public static EngineEntry entry(Path folder, ModelShape shape, Precision precision) {
        String name = folder.getFileName().toString();
        return new EngineEntry(name, folder, new Recipe("toy", shape, precision, 42), State.RECIPE_ONLY, null, "");
    }
}
