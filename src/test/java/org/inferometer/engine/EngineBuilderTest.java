package org.inferometer.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class EngineBuilderTest {
    @TempDir
    Path engines;

    @ParameterizedTest
    @EnumSource(Precision.class)
    void aBuiltEngineOpens(Precision precision) throws Exception {
        for (ModelShape shape : new ModelShape[] {Shapes.llama(), Shapes.qwen2(), Shapes.qwen3(), Shapes.gpt2()}) {
            EngineEntry entry = Shapes.entry(engines.resolve(shape.family().word()), shape, precision);
            EngineDescriptor built = new EngineBuilder().build(entry, done -> {});
            try (Engine engine = Engine.open(entry.folder())) {
                assertThat(engine.descriptor()).isEqualTo(built);
                assertThat(engine.weights().layers()).hasSize(shape.layers());
            }
        }
    }

    @Test
    void theRecipesThatShipBuild() throws Exception {
        EngineCatalog catalog = new EngineCatalog(Path.of("engines"));
        for (String name : new String[] {"tiny-fp8", "tiny-int4", "tiny-bf16"}) {
            EngineEntry shipped = catalog.find(name);
            EngineEntry entry = new EngineEntry(name, engines.resolve(name), shipped.recipe(), shipped.state(), null, "");
            EngineDescriptor built = new EngineBuilder().build(entry, done -> {});
            assertThat(Files.size(entry.folder().resolve("weights.safetensors"))).isEqualTo(built.weightBytes());
            Engine.open(entry.folder()).close();
        }
    }
}
