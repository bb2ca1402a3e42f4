package org.inferometer.cli.machine;

import org.inferometer.record.MachineDescription;
import org.inferometer.remote.RemoteMachine;
import org.inferometer.remote.RemoteMachine.OfferedBackend;
import org.inferometer.remote.RemoteMachine.OfferedEngine;
import org.inferometer.report.AlignedColumns;
import org.inferometer.units.LetterCase;
import org.inferometer.units.QuantityText;

/// Another machine as `devices --on` prints it.
final class RemoteMachineText {
    private RemoteMachineText() {}

    /// Ends with a line feed.
    ///
    /// @param columns longest line
    static String of(RemoteMachine offer, int columns) {
        MachineDescription machine = offer.machine();
        AlignedColumns facts = new AlignedColumns("", "");
        facts.row("CPU", machine.processor() + ", " + machine.logicalCores() + " logical cores usable");
        facts.row("Memory", QuantityText.bytes(machine.memoryBytes()));
        facts.row("System", machine.operatingSystem());
        facts.row("GPU", machine.gpus().isEmpty() ? "none" : String.join(", ", machine.gpus()));
        facts.row("Inferometer", machine.inferometerVersion());
        AlignedColumns backends = new AlignedColumns("", "", "");
        for (OfferedBackend backend : offer.backends()) {
            backends.row("  " + backend.name(), backend.usable() ? "usable" : "not usable",
                    backend.usable() ? backend.label() : backend.absence());
        }
        AlignedColumns engines = new AlignedColumns("", "", "");
        for (OfferedEngine engine : offer.engines()) {
            engines.row("  " + engine.name(), LetterCase.lower(engine.precision()), state(engine));
        }
        return facts.render(columns) + "\nBackends\n" + backends.render(columns) + "\nEngines\n"
                + (offer.engines().isEmpty() ? "  none\n" : engines.render(columns));
    }

    private static String state(OfferedEngine engine) {
        return switch (engine.state()) {
            case BUILT -> "built, " + QuantityText.bytes(engine.weightBytes());
            case RECIPE_ONLY -> "recipe, built at its first run";
            case DAMAGED -> "damaged: " + engine.problem();
        };
    }
}
