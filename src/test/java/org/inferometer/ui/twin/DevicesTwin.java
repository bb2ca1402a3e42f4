package org.inferometer.ui.twin;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.Consumer;
import org.inferometer.record.SelfCheckResult;
import org.inferometer.report.DevicesText.MachineView;
import org.inferometer.report.DevicesText.MachineView.BackendFact;
import org.inferometer.run.RunningExperiment;
import org.inferometer.selfcheck.LearnedVariation;
import org.inferometer.telemetry.GpuAttempt;
import org.inferometer.telemetry.GpuDescription;
import org.inferometer.telemetry.GpuMonitor.GpuProcess;
import org.inferometer.telemetry.GpuReport;
import org.inferometer.telemetry.GpuSettings;
import org.inferometer.telemetry.GpuSettings.PcieLink;
import org.inferometer.telemetry.GpuStatus;
import org.inferometer.telemetry.MachineMonitor;
import org.inferometer.telemetry.MachineReport;
import org.inferometer.telemetry.ReadinessChecks;
import org.inferometer.ui.devices.DeviceSource;
import org.inferometer.ui.devices.DeviceSource.NoiseCalibration;
import org.inferometer.ui.devices.DeviceSource.Readings;

/// A machine that is made up, which counts how often it was looked at, read and closed.
public final class DevicesTwin {
    private final MachineReport report;
    private final List<String> calls = new ArrayList<>();
    private RuntimeException failure;

    private DevicesTwin(MachineReport report) {
        this.report = report;
    }

    /// A machine without a GPU.
    public static DevicesTwin withoutGpu() {
        return new DevicesTwin(machine(
                GpuReport.none("No NVIDIA GPU can be read.", List.of(
                        new GpuAttempt("libnvidia-ml.so.1",
                                "cannot open shared object file: No such file or directory"),
                        new GpuAttempt("/dev/nvidia*", "no such files: no driver, or a container without GPU access"))),
                List.of()));
    }

    /// A machine with a GPU that is fit and one that is not.
    public static DevicesTwin withTwoGpus() {
        GpuSettings fit = new GpuSettings("00000000:3B:00.0", new PcieLink(1, 16), new PcieLink(5, 16), true, false,
                true, false, 700.0, 1980.0, 3201.0);
        GpuSettings unfit = new GpuSettings(null, null, null, null, true, null, true, null, 1410.0, null);
        GpuReport gpus = new GpuReport(
                List.of(new GpuDescription(0, "NVIDIA H200", 150L << 30, "9.0", 700.0, fit),
                        new GpuDescription(1, "NVIDIA T4", 16L << 30, "7.5", null, unfit)),
                "580.65.06", "13.0", "2 GPUs read through libnvidia-ml.so.1, driver 580.65.06.", List.of());
        return new DevicesTwin(machine(gpus, List.of(status(0), unfit())));
    }

    private static MachineReport machine(GpuReport gpus, List<GpuStatus> status) {
        return new MachineReport("Debian GNU/Linux 12", "amd64", "Intel Xeon Platinum 8481C", 1, 2, 8L << 30, 6L << 30,
                OptionalDouble.of(0.4), OptionalDouble.of(0.12), Optional.of("powersave"), Optional.empty(), "Java 25",
                gpus, status);
    }

    private static GpuStatus status(int reading) {
        return new GpuStatus(0, (4L + reading) << 30, 87.0, 41.0, 312.5, 64.0, 1980.0, 3201.0, 1980.0, 1980.0, false,
                false, List.of(), List.of(new GpuProcess(4711, 300L << 20), new GpuProcess(4712, null)));
    }

    private static GpuStatus unfit() {
        return new GpuStatus(1, 15L << 30, null, null, null, 91.0, 900.0, null, 600.0, 1410.0, false, false,
                List.of("temperature (hardware)"), null);
    }

    /// From now on every question fails.
    public void fail(String sentence) {
        failure = new IllegalStateException(sentence);
    }

    /// From now on questions are answered.
    public void recover() {
        failure = null;
    }

    /// What was asked, in order.
    public List<String> calls() {
        return List.copyOf(calls);
    }

    private void asked(String what) {
        calls.add(what);
        if (failure != null) {
            throw failure;
        }
    }

    /// The machine as the view gets it.
    public DeviceSource source() {
        return new DeviceSource(this::look, gpus -> watch(), new NoCalibration());
    }

    private MachineView look() {
        asked("look");
        return new MachineView(Experiments.MACHINE, report, ReadinessChecks.of(report),
                List.of(new BackendFact("host", true, List.of("The CPU, on the Vector API.")), new BackendFact("cuda",
                        !report.gpus().gpus().isEmpty(), List.of("An NVIDIA GPU; needs the driver only."))));
    }

    private Readings watch() {
        asked("watch");
        return new Readings() {
            private int readings;

            @Override
            public MachineMonitor.Moment read() {
                asked("read");
                readings++;
                return new MachineMonitor.Moment(OptionalDouble.of(0.25), 5L << 30,
                        report.gpus().gpus().isEmpty() ? List.of() : List.of(status(readings), unfit()));
            }

            @Override
            public void close() {
                asked("close");
            }
        };
    }

    private static final class NoCalibration implements NoiseCalibration {
        @Override
        public Optional<LearnedVariation> last() {
            return Optional.empty();
        }

        @Override
        public List<SelfCheckResult> run(Consumer<String> progress, Consumer<RunningExperiment> started) {
            throw new IllegalStateException("No experiment can run here.");
        }
    }
}
