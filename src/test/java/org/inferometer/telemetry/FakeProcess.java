package org.inferometer.telemetry;

/// A process whose readings are given.
record FakeProcess(long residentBytes, long cpuNanos) implements HostProcess {
    @Override
    public long runtimeBytes() {
        return residentBytes / 5;
    }

    @Override
    public void close() {
        // Nothing is open.
    }
}
