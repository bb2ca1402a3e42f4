package org.inferometer.telemetry;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;

/// The system loader's message when a library cannot be loaded, which Java does not report.
final class LoaderText {
    private static final int NOW = 2;
    private static final int LONGEST = 4096;

    private LoaderText() {}

    /// "cannot open shared object file: No such file or directory"; "not found" if the system gives no message.
    static String of(String library) {
        Linker linker = Linker.nativeLinker();
        SymbolLookup lookup = linker.defaultLookup();
        var open = lookup.find("dlopen");
        var error = lookup.find("dlerror");
        var shut = lookup.find("dlclose");
        if (open.isEmpty() || error.isEmpty() || shut.isEmpty()) {
            return "not found";
        }
        var pointer = ValueLayout.ADDRESS.withTargetLayout(MemoryLayout.sequenceLayout(LONGEST, ValueLayout.JAVA_BYTE));
        MethodHandle load = linker.downcallHandle(open.get(),
                FunctionDescriptor.of(pointer, ValueLayout.ADDRESS, ValueLayout.JAVA_INT));
        MethodHandle why = linker.downcallHandle(error.get(), FunctionDescriptor.of(pointer));
        MethodHandle unload =
                linker.downcallHandle(shut.get(), FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.ADDRESS));
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment name = arena.allocateFrom(library);
            MemorySegment loaded = (MemorySegment) load.invokeExact(name, NOW);
            if (!loaded.equals(MemorySegment.NULL)) {
                int ignored = (int) unload.invokeExact(loaded);
                return "not found";
            }
            MemorySegment words = (MemorySegment) why.invokeExact();
            return words.equals(MemorySegment.NULL) ? "not found"
                    : withoutName(DriverText.clean(words.getString(0)), library);
        } catch (Throwable unusable) {
            return "not found";
        }
    }

    private static String withoutName(String words, String library) {
        return words.startsWith(library + ": ") ? words.substring(library.length() + 2) : words;
    }
}
