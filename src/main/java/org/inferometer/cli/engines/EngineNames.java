package org.inferometer.cli.engines;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import org.inferometer.cli.UsageException;
import org.inferometer.engine.build.EngineCatalog;
import org.inferometer.engine.build.EngineEntry;
import org.inferometer.engine.files.EngineFormatException;

/// Finds engines by name and reports all unknown names at once.
final class EngineNames {
    private EngineNames() {}

    static List<EngineEntry> find(EngineCatalog catalog, List<String> names) throws UsageException {
        List<EngineEntry> entries = new ArrayList<>();
        List<String> faults = new ArrayList<>();
        for (String name : new LinkedHashSet<>(names)) {
            try {
                entries.add(catalog.find(name));
            } catch (EngineFormatException unknown) {
                faults.add(String.valueOf(unknown.getMessage()).strip());
            }
        }
        UsageException.throwIfAny(faults);
        return entries;
    }
}
