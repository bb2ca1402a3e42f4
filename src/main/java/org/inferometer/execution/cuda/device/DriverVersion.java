package org.inferometer.execution.cuda.device;

/// The CUDA version that a driver supports.
///
/// @param number 1000 · major + 10 · minor
public record DriverVersion(int number) implements Comparable<DriverVersion> {
    public static DriverVersion of(int major, int minor) {
        return new DriverVersion(1000 * major + 10 * minor);
    }

    /// As "12.4".
    public String text() {
        return number / 1000 + "." + number % 1000 / 10;
    }

    @Override
    public int compareTo(DriverVersion other) {
        return Integer.compare(number, other.number);
    }

    public boolean atLeast(DriverVersion other) {
        return compareTo(other) >= 0;
    }
}
