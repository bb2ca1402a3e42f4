package org.inferometer.cli;

import java.util.List;
import java.util.function.DoubleConsumer;
import org.inferometer.engine.Engine;
import org.inferometer.engine.EngineDescriptor;
import org.inferometer.engine.EngineFormatException;
import org.inferometer.engine.EngineInspection;
import org.inferometer.engine.EngineVerifier;
import org.inferometer.engine.EngineVerifier.Verification;
import org.inferometer.engine.build.EngineBuilder;
import org.inferometer.engine.build.EngineCatalog;
import org.inferometer.engine.build.EngineEntry;
import org.inferometer.engine.build.Recipe;

/// The engines of a folder on this machine.
public final class CatalogShelf implements EngineShelf {
    private final EngineCatalog catalog;

    /// @param catalog of the workspace
    public CatalogShelf(EngineCatalog catalog) {
        this.catalog = catalog;
    }

    @Override
    public List<EngineEntry> entries() {
        return catalog.entries();
    }

    @Override
    public EngineEntry find(String name) throws EngineFormatException {
        return catalog.find(name);
    }

    @Override
    public EngineInspection inspect(EngineEntry entry) throws EngineFormatException {
        Recipe recipe = entry.recipe();
        if (entry.state() == EngineEntry.State.RECIPE_ONLY && recipe != null) {
            return recipe.inspection();
        }
        try (Engine engine = Engine.open(entry.folder())) {
            return EngineInspection.of(engine);
        }
    }

    @Override
    public EngineDescriptor build(EngineEntry entry, DoubleConsumer progress) throws EngineFormatException {
        return new EngineBuilder().build(entry, progress);
    }

    @Override
    public Verification verify(EngineEntry entry, DoubleConsumer progress) throws EngineFormatException {
        return EngineVerifier.verify(entry.folder(), progress);
    }
}
