package org.inferometer.ui.engines;

import java.nio.file.Path;
import java.util.Locale;
import java.util.Optional;
import org.inferometer.engine.EngineCalibration;
import org.inferometer.engine.EngineInspection;
import org.inferometer.engine.EngineQuality;
import org.inferometer.engine.build.EngineEntry;
import org.inferometer.engine.files.EngineFormatException;
import org.inferometer.units.LetterCase;
import org.inferometer.units.QuantityText;

/// An engine in the list.
///
/// @param inspection absent for a damaged engine
/// @param calibration of one whose scales a text helped to choose
/// @param quality of its weights, if it was measured
/// @param problem of a damaged engine; else empty
/// @param ofWorkspace whether it can be removed; engines of the program cannot
public record EngineRow(EngineEntry entry, Optional<EngineInspection> inspection,
        Optional<EngineCalibration> calibration, Optional<EngineQuality> quality, String problem, boolean ofWorkspace) {
    /// Reads the headers of an engine's files; blocks.
    ///
    /// @param workspaceFolder engines of the workspace
    static EngineRow read(EngineEntry entry, Path workspaceFolder) {
        boolean own = entry.folder().toAbsolutePath().startsWith(workspaceFolder.toAbsolutePath());
        if (entry.state() == EngineEntry.State.DAMAGED) {
            return new EngineRow(entry, Optional.empty(), Optional.empty(), Optional.empty(), entry.problem(), own);
        }
        try {
            return new EngineRow(entry, Optional.of(entry.inspect()), EngineCalibration.FILE.read(entry.folder()),
                    quality(entry), "", own);
        } catch (EngineFormatException e) {
            return new EngineRow(entry, Optional.empty(), Optional.empty(), Optional.empty(),
                    String.valueOf(e.getMessage()), own);
        }
    }

    /// A broken file counts as not measured: the next measurement replaces it.
    private static Optional<EngineQuality> quality(EngineEntry entry) {
        try {
            return entry.descriptor().isEmpty() ? Optional.empty()
                    : EngineQuality.read(entry.folder(), entry.descriptor().get());
        } catch (EngineFormatException broken) {
            return Optional.empty();
        }
    }

    public String name() {
        return entry.name();
    }

    public EngineEntry.State state() {
        return problem.isEmpty() ? entry.state() : EngineEntry.State.DAMAGED;
    }

    /// "INT4 · 8.1 MiB · llama"; the problem of a damaged engine. A narrow list cuts the end off.
    String smallLine() {
        return inspection
                .map(inside -> inside.precision().name() + " · " + QuantityText.bytes(inside.memory().weightBytes())
                        + " · " + inside.shape().family().name().toLowerCase(Locale.ROOT))
                .orElse(problem);
    }

    /// Whether name, model, family or precision has the text.
    boolean matches(String text) {
        String wanted = LetterCase.lower(text.strip());
        return LetterCase.lower(name() + " " + smallLine() + " " + inspection.map(EngineInspection::model).orElse(""))
                .contains(wanted);
    }
}
