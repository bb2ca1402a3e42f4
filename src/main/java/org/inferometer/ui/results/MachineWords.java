package org.inferometer.ui.results;

import static org.inferometer.ui.fx.Messages.text;

import org.inferometer.record.MachineDescription;
import org.inferometer.units.QuantityText;

/// Writes where something was measured as one sentence.
final class MachineWords {
    private MachineWords() {}

    static String of(MachineDescription machine) {
        String gpus = machine.gpus().isEmpty() ? text("machine.no-gpu") : String.join(", ", machine.gpus());
        return text("machine.words", machine.processor(), machine.physicalCores(), machine.logicalCores(),
                QuantityText.bytes(machine.memoryBytes()), gpus, machine.operatingSystem(), machine.javaRuntime(),
                machine.inferometerVersion());
    }
}
