package org.inferometer.app;

import java.util.List;
import org.inferometer.report.DevicesText;
import org.inferometer.report.MachineView;
import org.inferometer.telemetry.GpuAccess;
import org.inferometer.telemetry.MachineWatch;
import org.inferometer.ui.devices.DevicesDesk;

/// This machine, as the Devices view looks at it.
record MachineDesk(Program program) implements DevicesDesk {
    private static final int TEXT_COLUMNS = 100;

    @Override
    public Looked look() {
        MachineView seen = CommandLineWiring.look(program);
        List<BackendLine> backends = seen.backends().stream()
                .map(backend -> new BackendLine(backend.name(), backend.usable(), backend.text())).toList();
        return new Looked(seen.report(), seen.checks(), backends, DevicesText.of(seen, TEXT_COLUMNS));
    }

    @Override
    public Watch watch(Looked found) {
        MachineWatch watch = MachineWatch.open(new GpuAccess(), found.report().gpus());
        return new Watch() {
            @Override
            public MachineWatch.Moment read() {
                return watch.read();
            }

            @Override
            public void close() {
                watch.close();
            }
        };
    }
}
