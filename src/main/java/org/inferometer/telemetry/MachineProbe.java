package org.inferometer.telemetry;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.inferometer.natives.JnaLibrary;
import org.inferometer.record.TelemetrySample.GpuSample;
import org.inferometer.units.Clock;
import oshi.SystemInfo;
import oshi.hardware.CentralProcessor;
import oshi.hardware.GlobalMemory;
import oshi.hardware.HardwareAbstractionLayer;
import oshi.hardware.PowerSource;
import oshi.software.os.OperatingSystem;

/// Identifies this machine and measures its background load, which blocks. Do not call it on the UI thread.
public final class MachineProbe {
    private static final Path GOVERNOR = Path.of("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor");
    private static final Pattern PLAIN_VERSION = Pattern.compile("\\d+(\\.\\d{1,9}){0,9}");
    private static final long WATCHED_NANOS = 300_000_000L;

    private static final long LOOK_NANOS = 50_000_000L;

    private final Clock clock;
    private final GpuAccess access;

    /// @param clock paces the look at the background load
    public MachineProbe(Clock clock) {
        this(clock, new GpuAccess());
    }

    /// @param access where GPUs are looked for
    MachineProbe(Clock clock, GpuAccess access) {
        this.clock = clock;
        this.access = access;
    }

    /// What OSHI knows of this machine.
    ///
    /// @throws UncheckedIOException if the native library that OSHI needs cannot be written
    static SystemInfo system() {
        try {
            JnaLibrary.prepare();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return new SystemInfo();
    }

    /// The full report, in about half a second. Unknown properties are empty.
    public MachineReport probe() {
        SystemInfo system = system();
        GpuReport gpus = access.report();
        List<GpuMonitor> monitors = access.openAll(gpus);
        try {
            List<List<GpuSample>> readings =
                    monitors.stream().<List<GpuSample>>map(gpu -> new ArrayList<>(List.of(gpu.read()))).toList();
            OptionalDouble load = backgroundLoad(system.getHardware().getProcessor(), () -> {
                for (int i = 0; i < monitors.size(); i++) {
                    readings.get(i).add(monitors.get(i).read());
                }
            });
            List<GpuStatus> statuses = new ArrayList<>();
            for (int i = 0; i < monitors.size(); i++) {
                statuses.add(GpuStatus.of(readings.get(i), monitors.get(i).processes()));
            }
            return report(system, load, gpus, List.copyOf(statuses));
        } finally {
            monitors.forEach(GpuMonitor::close);
        }
    }

    /// Share of all cores that other programs use, watched for a third of a second; empty where not known.
    public OptionalDouble backgroundLoad() {
        return backgroundLoad(system().getHardware().getProcessor(), () -> {});
    }

    /// The report without background load; returns at once.
    public MachineReport identify() {
        return report(system(), OptionalDouble.empty(), access.report(), List.of());
    }

    private static MachineReport report(SystemInfo system, OptionalDouble backgroundLoad, GpuReport gpus,
            List<GpuStatus> gpuStatus) {
        HardwareAbstractionLayer hardware = system.getHardware();
        CentralProcessor processor = hardware.getProcessor();
        double[] loads = processor.getSystemLoadAverage(1);
        return new MachineReport(operatingSystem(system.getOperatingSystem()), System.getProperty("os.arch", "unknown"),
                processor.getProcessorIdentifier().getName().strip(), processor.getPhysicalProcessorCount(),
                Runtime.getRuntime().availableProcessors(), usableMemoryBytes(hardware.getMemory().getTotal()),
                freeMemoryBytes(hardware.getMemory()),
                loads[0] >= 0 ? OptionalDouble.of(loads[0]) : OptionalDouble.empty(), backgroundLoad,
                governor(GOVERNOR), onBattery(hardware.getPowerSources()),
                "Java " + Runtime.version() + " (" + System.getProperty("java.vm.name", "unknown") + ")", gpus,
                gpuStatus);
    }

    /// Name and version; of a kernel release only the numbers, because the rest is free text.
    private static String operatingSystem(OperatingSystem system) {
        String version = system.getVersionInfo().getVersion();
        String name = system.getFamily() + (version == null || version.isBlank() ? "" : " " + version);
        Matcher kernel = PLAIN_VERSION.matcher(System.getProperty("os.version", ""));
        boolean linux = System.getProperty("os.name", "").startsWith("Linux");
        return linux && kernel.lookingAt() ? name + ", kernel " + kernel.group() : name;
    }

    /// Busy time of all cores less that of this process.
    ///
    /// @param look is taken now and then meanwhile
    private OptionalDouble backgroundLoad(CentralProcessor processor, Runnable look) {
        long[] ticksBefore = processor.getSystemCpuLoadTicks();
        long ownBefore = HostProcess.coarseCpuNanos();
        long start = clock.nanos();
        long until = start + WATCHED_NANOS;
        for (long left = WATCHED_NANOS; left > 0; left = until - clock.nanos()) {
            LockSupport.parkNanos(this, Math.min(left, LOOK_NANOS));
            look.run();
            if (Thread.currentThread().isInterrupted()) {
                return OptionalDouble.empty();
            }
        }
        double busy = processor.getSystemCpuLoadBetweenTicks(ticksBefore);
        double available = (double) (clock.nanos() - start) * processor.getLogicalProcessorCount();
        double own = (HostProcess.coarseCpuNanos() - ownBefore) / available;
        return Double.isFinite(busy) ? OptionalDouble.of(Math.clamp(busy - own, 0, 1)) : OptionalDouble.empty();
    }

    /// The machine's memory, or a container's limit where that is less: the Java runtime knows of the limit.
    private static long usableMemoryBytes(long machineBytes) {
        return ManagementFactory.getOperatingSystemMXBean() instanceof com.sun.management.OperatingSystemMXBean runtime
                && runtime.getTotalMemorySize() > 0 ? Math.min(machineBytes, runtime.getTotalMemorySize())
                        : machineBytes;
    }

    /// Available memory of the machine, or of the container if less.
    static long freeMemoryBytes(GlobalMemory memory) {
        boolean limited = usableMemoryBytes(memory.getTotal()) < memory.getTotal();
        return limited && ManagementFactory
                .getOperatingSystemMXBean() instanceof com.sun.management.OperatingSystemMXBean runtime
                        ? Math.min(memory.getAvailable(), runtime.getFreeMemorySize()) : memory.getAvailable();
    }

    static Optional<String> governor(Path file) {
        try {
            String text = Files.readString(file, StandardCharsets.US_ASCII).strip();
            return text.isEmpty() || text.length() > 64 ? Optional.empty() : Optional.of(text);
        } catch (IOException unreadable) {
            return Optional.empty();
        }
    }

    private static Optional<Boolean> onBattery(List<PowerSource> sources) {
        List<PowerSource> real = sources.stream().filter(source -> source.getMaxCapacity() > 1).toList();
        return real.isEmpty() ? Optional.empty() : Optional.of(real.stream().anyMatch(PowerSource::isDischarging));
    }
}
