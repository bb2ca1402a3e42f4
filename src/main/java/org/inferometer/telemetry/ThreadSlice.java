package org.inferometer.telemetry;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Locale;

/// Makes the operating system wake a thread promptly while computing threads keep all cores busy.
///
/// Linux 6.12 and later accepts a shorter time slice for a thread, which runs earlier and takes no time from
/// others in the long run (`sched_setattr` with `sched_runtime`, default policy, no privilege). Elsewhere a
/// no-op.
public final class ThreadSlice {
    private static final long SLICE_NANOS = 100_000;
    private static final int ATTRIBUTE_BYTES = 48;
    private static final long RUNTIME_OFFSET = 24;
    private static final long X86_64_CALL = 314;
    private static final long ARM64_CALL = 274;

    private ThreadSlice() {}

    /// Shortens the calling thread's slice to a tenth of a millisecond, the least the kernel grants; whether it was granted.
    public static boolean shorten() {
        String architecture = System.getProperty("os.arch", "").toLowerCase(Locale.ROOT);
        boolean arm = architecture.equals("aarch64");
        if (!System.getProperty("os.name", "").startsWith("Linux") || !(arm || architecture.equals("amd64"))) {
            return false;
        }
        Linker linker = Linker.nativeLinker();
        try (Arena arena = Arena.ofConfined()) {
            var call = linker.downcallHandle(
                    linker.defaultLookup().find("syscall").orElseThrow(), FunctionDescriptor.of(ValueLayout.JAVA_LONG,
                            ValueLayout.JAVA_LONG, ValueLayout.JAVA_LONG, ValueLayout.ADDRESS, ValueLayout.JAVA_LONG),
                    Linker.Option.firstVariadicArg(1));
            MemorySegment attribute = arena.allocate(ATTRIBUTE_BYTES, Long.BYTES);
            attribute.set(ValueLayout.JAVA_INT, 0, ATTRIBUTE_BYTES);
            attribute.set(ValueLayout.JAVA_LONG, RUNTIME_OFFSET, SLICE_NANOS);
            return (long) call.invokeExact(arm ? ARM64_CALL : X86_64_CALL, 0L, attribute, 0L) == 0;
        } catch (Throwable refused) {
            // A sandbox may forbid the call; the thread then waits its turn like any other.
            return false;
        }
    }
}
