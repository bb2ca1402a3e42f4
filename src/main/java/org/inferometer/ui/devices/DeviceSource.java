package org.inferometer.ui.devices;

import java.util.function.Function;
import java.util.function.Supplier;
import org.inferometer.report.DevicesText.MachineView;
import org.inferometer.telemetry.GpuReport;
import org.inferometer.telemetry.MachineMonitor;

/// Where the Devices view gets its data. Called in the background, one call at a time.
///
/// @param look inspects the whole machine; takes about a second
/// @param watch starts to read the CPU and the GPUs of a report; the caller closes the readings
/// @param noise learns how much equal experiments differ
public record DeviceSource(Supplier<MachineView> look, Function<GpuReport, Readings> watch, NoiseCalibration noise) {
    /// Without calibration.
    public DeviceSource(Supplier<MachineView> look, Function<GpuReport, Readings> watch) {
        this(look, watch, NoiseCalibration.NONE);
    }

    /// Repeated readings of the machine.
    public interface Readings extends AutoCloseable {
        /// All readings of now.
        MachineMonitor.Moment read();

        @Override
        void close();
    }
}
