package org.inferometer.telemetry;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;

/// This process on Linux: `/proc/self/statm` kept open, and the C library's CPU clock of the process. Allocates nothing per reading.
///
/// The kernel adds resident pages of threads in batches, so the figure may lag by some hundred pages per core.
final class LinuxProcess implements HostProcess {
    private final JavaRuntimeMemory runtime = new JavaRuntimeMemory();
    private static final int CLOCK_PROCESS_CPUTIME_ID = 2;
    private static final int RESIDENT_FIELD = 1;

    private final RandomAccessFile statm;
    private final byte[] text = new byte[128];
    private final long pageBytes;
    private final Arena arena = Arena.ofShared();
    private final MemorySegment timespec =
            arena.allocate(2 * ValueLayout.JAVA_LONG.byteSize(), ValueLayout.JAVA_LONG.byteAlignment());
    private final MethodHandle clockGetTime; // (int clock, pointer timespec) -> int

    /// @throws IOException when /proc/self/statm cannot be opened
    /// @throws IllegalStateException when the C library lacks a function
    LinuxProcess() throws IOException {
        Linker linker = Linker.nativeLinker();
        pageBytes = pageBytes(linker);
        clockGetTime = linker.downcallHandle(symbol(linker, "clock_gettime"),
                FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.JAVA_INT, ValueLayout.ADDRESS));
        statm = new RandomAccessFile("/proc/self/statm", "r");
    }

    @Override
    public long residentBytes() {
        try {
            statm.seek(0);
            int length = statm.read(text);
            return field(text, length, RESIDENT_FIELD) * pageBytes;
        } catch (IOException unreadable) {
            throw new UncheckedIOException("/proc/self/statm cannot be read.", unreadable);
        }
    }

    @Override
    public long runtimeBytes() {
        return runtime.bytes();
    }

    @Override
    public long cpuNanos() {
        int code;
        try {
            code = (int) clockGetTime.invokeExact(CLOCK_PROCESS_CPUTIME_ID, timespec);
        } catch (Throwable impossible) {
            throw new IllegalStateException("clock_gettime could not be called.", impossible);
        }
        if (code != 0) {
            return HostProcess.coarseCpuNanos();
        }
        return timespec.getAtIndex(ValueLayout.JAVA_LONG, 0) * 1_000_000_000L
                + timespec.getAtIndex(ValueLayout.JAVA_LONG, 1);
    }

    @Override
    public void close() {
        arena.close();
        try {
            statm.close();
        } catch (IOException unclosable) {
            throw new UncheckedIOException(unclosable);
        }
    }

    /// The whole number in a field of a line whose fields are separated by single blanks.
    static long field(byte[] line, int length, int field) throws IOException {
        int at = 0;
        for (int skipped = 0; skipped < field && at < length; at++) {
            skipped += line[at] == ' ' ? 1 : 0;
        }
        long value = 0;
        int digits = 0;
        while (at < length && line[at] >= '0' && line[at] <= '9') {
            value = value * 10 + (line[at++] - '0');
            digits++;
        }
        if (digits == 0 || digits > 18) {
            throw new IOException("Field " + field + " is not a number.");
        }
        return value;
    }

    private static long pageBytes(Linker linker) {
        MethodHandle pageSize =
                linker.downcallHandle(symbol(linker, "getpagesize"), FunctionDescriptor.of(ValueLayout.JAVA_INT));
        try {
            return (int) pageSize.invokeExact();
        } catch (Throwable impossible) {
            throw new IllegalStateException("getpagesize could not be called.", impossible);
        }
    }

    private static MemorySegment symbol(Linker linker, String name) {
        return linker.defaultLookup().find(name)
                .orElseThrow(() -> new IllegalStateException("The C library has no " + name + "."));
    }
}
