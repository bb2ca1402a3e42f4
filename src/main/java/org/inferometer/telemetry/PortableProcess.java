package org.inferometer.telemetry;

import java.io.IOException;
import java.io.UncheckedIOException;
import oshi.software.os.OSProcess;

/// This process through OSHI, for systems without /proc. Costs far more than [LinuxProcess].
final class PortableProcess implements HostProcess {
    private final JavaRuntimeMemory runtime = new JavaRuntimeMemory();
    private final OSProcess process = MachineProbe.system().getOperatingSystem().getCurrentProcess();

    @Override
    public long residentBytes() {
        if (!process.updateAttributes()) {
            throw new UncheckedIOException(
                    new IOException("The operating system does not report the memory of this process."));
        }
        return process.getResidentMemory();
    }

    @Override
    public long runtimeBytes() {
        return runtime.bytes();
    }

    @Override
    public long cpuNanos() {
        return HostProcess.coarseCpuNanos();
    }

    @Override
    public void close() {
        // OSHI holds nothing open.
    }
}
