package org.inferometer.cli;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.DoubleConsumer;
import org.inferometer.engine.EngineDescriptor;
import org.inferometer.engine.EngineDescriptor.WeightOrigin;
import org.inferometer.engine.EngineFormatException;
import org.inferometer.engine.EngineInspection;
import org.inferometer.engine.EngineVerifier.Verification;
import org.inferometer.engine.Precision;
import org.inferometer.engine.build.EngineEntry;
import org.inferometer.engine.build.EngineEntry.State;
import org.inferometer.engine.build.Recipe;
import org.inferometer.units.NearMisses;

/// Three engines: one that is not built, one that is, and one that is damaged.
final class FakeEngines implements EngineShelf {
    final List<String> built = new ArrayList<>();

    @Override
    public List<EngineEntry> entries() {
        return List.of(
                new EngineEntry("tiny-fp8", Path.of("engines", "tiny-fp8"), Samples.recipe(Precision.FP8),
                        State.RECIPE_ONLY, null, ""),
                new EngineEntry("tiny-int4", Path.of("engines", "tiny-int4"), Samples.recipe(Precision.INT4),
                        State.BUILT, descriptor("tiny-int4"), ""),
                new EngineEntry("torn-fp8", Path.of("engines", "torn-fp8"), null, State.DAMAGED, null,
                        "weights.safetensors is missing."));
    }

    @Override
    public EngineEntry find(String name) throws EngineFormatException {
        for (EngineEntry entry : entries()) {
            if (entry.name().equals(name)) {
                return entry;
            }
        }
        throw new EngineFormatException(Path.of("engines"),
                NearMisses.sentence("engine", name, entries().stream().map(EngineEntry::name).toList()), "");
    }

    @Override
    public EngineInspection inspect(EngineEntry entry) {
        Recipe recipe = entry.recipe();
        if (recipe == null) {
            throw new IllegalStateException("A damaged engine is not looked into");
        }
        return recipe.inspection();
    }

    @Override
    public EngineDescriptor build(EngineEntry entry, DoubleConsumer progress) throws EngineFormatException {
        progress.accept(0.5);
        if (Thread.interrupted()) {
            throw new EngineFormatException(entry.folder(), "The build was interrupted; nothing is left of it.",
                    "Build it again.");
        }
        built.add(entry.name());
        progress.accept(1);
        return descriptor(entry.name());
    }

    @Override
    public Verification verify(EngineEntry entry, DoubleConsumer progress) throws EngineFormatException {
        progress.accept(1);
        if (entry.state() == State.DAMAGED) {
            throw new EngineFormatException(entry.folder(), "weights.safetensors is missing.",
                    "Build the engine again.");
        }
        String found = entry.state() == State.BUILT ? "ab12" : "ffff";
        return new Verification(entry.folder(), 4096, "ab12", found);
    }

    private static EngineDescriptor descriptor(String name) {
        Precision precision = name.endsWith("int4") ? Precision.INT4 : Precision.FP8;
        return new EngineDescriptor(1, name, "tiny", Samples.recipe(precision).shape(), precision,
                new WeightOrigin(42L, null), 1_180_000, 1_048_576, "ab12");
    }
}
