package org.inferometer.ui.devices;

import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.inferometer.record.SelfCheckResult;
import org.inferometer.report.DevicesText.MachineView;
import org.inferometer.run.RunningExperiment;
import org.inferometer.selfcheck.LearnedVariation;
import org.inferometer.telemetry.GpuReport;
import org.inferometer.telemetry.MachineMonitor;

/// Where the Devices view gets its data. Called in the background, one call at a time.
///
/// @param look inspects the whole machine; takes about a second
/// @param watch starts to read the CPU and the GPUs of a report; the caller closes the readings
/// @param noise learns how much equal experiments differ
public record DeviceSource(Supplier<MachineView> look, Function<GpuReport, Readings> watch, NoiseCalibration noise) {
    /// Repeated readings of the machine.
    public interface Readings extends AutoCloseable {
        /// All readings of now.
        MachineMonitor.Moment read();

        @Override
        void close();
    }

    /// Learns how much equal experiments differ on this machine. Called in the background.
    public interface NoiseCalibration {
        /// How many experiments it takes.
        int EXPERIMENTS = 5;

        /// What was learned last on this machine.
        Optional<LearnedVariation> last();

        /// Runs the experiments and stores what they show.
        ///
        /// @param progress receives the name of each experiment at its start
        /// @param started receives each experiment, to cancel it
        /// @throws Exception with a sentence, if an experiment does not complete
        List<SelfCheckResult> run(Consumer<String> progress, Consumer<RunningExperiment> started) throws Exception;
    }
}
