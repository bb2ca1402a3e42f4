package org.inferometer.run.server;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.util.Optional;

/// Makes this process the parent of descendants that lose theirs, as `man 2 prctl` describes under PR_SET_CHILD_SUBREAPER. Linux only;
/// elsewhere without effect.
final class OrphanAdoption {
    private static final int PR_SET_CHILD_SUBREAPER = 36;
    private static final int WNOHANG = 1;
    /// (int option, unsigned long value) -> int; the further arguments are not read.
    private static final FunctionDescriptor PRCTL =
            FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.JAVA_INT, ValueLayout.JAVA_LONG);
    /// (int pid, int* status, int options) -> int
    private static final FunctionDescriptor WAITPID = FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.JAVA_INT,
            ValueLayout.ADDRESS, ValueLayout.JAVA_INT);

    private OrphanAdoption() {}

    /// Adopts from now on.
    static void begin() {
        Optional<MethodHandle> prctl = function("prctl", PRCTL, Linker.Option.firstVariadicArg(1));
        if (prctl.isPresent()) {
            try {
                int code = (int) prctl.get().invokeExact(PR_SET_CHILD_SUBREAPER, 1L);
                assert code == 0 : code;
            } catch (Throwable impossible) {
                throw new IllegalStateException("prctl cannot be called.", impossible);
            }
        }
    }

    /// Collects adopted processes that have ended: they would stay in the list of processes until this one ends.
    ///
    /// @param own a child that Java collects
    static void collect(Process own) {
        Optional<MethodHandle> waitpid = function("waitpid", WAITPID);
        ProcessHandle.current().children().mapToLong(ProcessHandle::pid).filter(pid -> pid != own.pid())
                .forEach(pid -> waitpid.ifPresent(function -> {
                    try {
                        int collected = (int) function.invokeExact((int) pid, MemorySegment.NULL, WNOHANG);
                        assert collected == 0 || collected == pid : collected;
                    } catch (Throwable impossible) {
                        throw new IllegalStateException("waitpid cannot be called.", impossible);
                    }
                }));
    }

    private static Optional<MethodHandle> function(String name, FunctionDescriptor form, Linker.Option... options) {
        if (!System.getProperty("os.name").equals("Linux")) {
            return Optional.empty();
        }
        Linker linker = Linker.nativeLinker();
        return linker.defaultLookup().find(name).map(symbol -> linker.downcallHandle(symbol, form, options));
    }
}
