package org.inferometer.cli.engines;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import org.inferometer.cli.WrongUse;
import org.inferometer.engine.EngineFormatException;
import org.inferometer.engine.build.EngineCatalog;
import org.inferometer.engine.build.EngineEntry;

/// Finds the engines that a person names; all unknown names are said at once.
final class EngineNames {
    private EngineNames() {}

    static List<EngineEntry> find(EngineCatalog catalog, List<String> names) throws WrongUse {
        List<EngineEntry> entries = new ArrayList<>();
        List<String> faults = new ArrayList<>();
        for (String name : new LinkedHashSet<>(names)) {
            try {
                entries.add(catalog.find(name));
            } catch (EngineFormatException unknown) {
                faults.add(String.valueOf(unknown.getMessage()).strip());
            }
        }
        if (!faults.isEmpty()) {
            throw new WrongUse(faults);
        }
        return entries;
    }
}
