package org.inferometer.ui.bench;

import java.time.Duration;
import java.util.OptionalDouble;
import java.util.function.Supplier;
import org.inferometer.units.Clock;

/// The CPU time of this process between two readings, in percent of one core. Not thread-safe.
public final class ProcessorShare {
    private static final long LEAST_NANOS = 1_000_000_000L;
    private final Clock clock;
    private final Supplier<Duration> cpuTime;
    private long lastNanos;
    private Duration lastCpu;

    /// @param cpuTime of the process so far; zero if it is not known
    ProcessorShare(Clock clock, Supplier<Duration> cpuTime) {
        this.clock = clock;
        this.cpuTime = cpuTime;
        lastNanos = clock.nanos();
        lastCpu = cpuTime.get();
    }

    public static ProcessorShare ofThisProcess(Clock clock) {
        ProcessHandle self = ProcessHandle.current();
        return new ProcessorShare(clock, () -> self.info().totalCpuDuration().orElse(Duration.ZERO));
    }

    /// The share since the reading before; empty within a second, or if CPU time is not known.
    public OptionalDouble read() {
        long nanos = clock.nanos();
        if (nanos - lastNanos < LEAST_NANOS) {
            return OptionalDouble.empty();
        }
        Duration cpu = cpuTime.get();
        double percent = 100.0 * cpu.minus(lastCpu).toNanos() / (nanos - lastNanos);
        boolean known = !cpu.isZero();
        lastNanos = nanos;
        lastCpu = cpu;
        return known ? OptionalDouble.of(percent) : OptionalDouble.empty();
    }
}
