package org.inferometer.selfcheck;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.Locale;
import org.inferometer.record.SelfCheckResult;
import org.inferometer.record.TelemetrySample;
import org.inferometer.run.worker.ComputingDevice;
import org.inferometer.run.worker.MonitoredGpu;
import org.inferometer.telemetry.GpuAccess;
import org.inferometer.telemetry.HostProcess;
import org.inferometer.telemetry.TelemetrySampler;
import org.inferometer.telemetry.TelemetrySource;
import org.inferometer.units.Clock;

/// Measures the cost of sampling with the sources of a run on this machine.
public final class TelemetryCheck {
    private static final String ID = "telemetry_share";
    private static final String NAME = "telemetry at the shortest period";
    private static final int WARM_UP = 300;
    private static final int SAMPLES = 700;
    private static final double LARGEST_SHARE_PERCENT = 0.5;

    private final Clock clock;
    private final GpuAccess access;

    public TelemetryCheck(Clock clock, GpuAccess access) {
        this.clock = clock;
        this.access = access;
    }

    /// CPU time of a sample as a share of all cores' time at the shortest period.
    public SelfCheckResult share() {
        try (HostProcess process = HostProcess.open();
                MonitoredGpu gpu = MonitoredGpu.of(ComputingDevice.elsewhere(), access)) {
            TelemetrySource source = gpu.source(process);
            boolean watched = read(source, WARM_UP).gpu() != null;
            long cpuStart = cpuNanos();
            long start = clock.nanos();
            read(source, SAMPLES);
            double wallMicros = (clock.nanos() - start) / 1e3 / SAMPLES;
            double cpuMicros = (cpuNanos() - cpuStart) / 1e3 / SAMPLES;
            double between = TelemetrySampler.SHORTEST_PERIOD_MILLIS * 1e3 * Runtime.getRuntime().availableProcessors();
            return SelfCheckResult.atMost(ID, NAME, cpuMicros / between * 100, "%", LARGEST_SHARE_PERCENT,
                    String.format(Locale.ROOT,
                            "Of all cores' time; a sample %s takes %.0f µs, %.0f µs of them processor time.",
                            watched ? "with a GPU's readings" : "without a GPU", wallMicros, cpuMicros));
        }
    }

    private static TelemetrySample read(TelemetrySource source, int times) {
        TelemetrySample last = source.read(0);
        for (int i = 1; i < times; i++) {
            last = source.read(i);
        }
        return last;
    }

    private static long cpuNanos() {
        ThreadMXBean threads = ManagementFactory.getThreadMXBean();
        return threads.isCurrentThreadCpuTimeSupported() ? threads.getCurrentThreadCpuTime()
                : HostProcess.coarseCpuNanos();
    }
}
