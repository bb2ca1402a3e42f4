package org.inferometer.execution.backend;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_FLOAT;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.SymbolLookup;
import java.lang.invoke.MethodHandle;

/// The functions of a loaded native library. Safe for several threads.
public record NativeFunctions(SymbolLookup symbols) {
    /// A function for many calls.
    ///
    /// @throws java.util.NoSuchElementException if the library lacks it
    @SuppressWarnings("restricted")
    public MethodHandle function(String name, MemoryLayout result, MemoryLayout... arguments) {
        return Linker.nativeLinker().downcallHandle(symbols.findOrThrow(name),
                FunctionDescriptor.of(result, arguments));
    }

    /// Calls a function once. The types of its arguments are those of the values.
    public Object call(String name, MemoryLayout result, Object... arguments) {
        MemoryLayout[] layouts = new MemoryLayout[arguments.length];
        for (int i = 0; i < layouts.length; i++) {
            layouts[i] = switch (arguments[i]) {
                case Integer number -> JAVA_INT;
                case Long number -> JAVA_LONG;
                case Float number -> JAVA_FLOAT;
                default -> ADDRESS;
            };
        }
        try {
            return function(name, result, layouts).invokeWithArguments(arguments);
        } catch (Throwable e) {
            throw failed(name, e);
        }
    }

    /// What a failed call throws: itself, unless it is checked.
    public static IllegalStateException failed(String name, Throwable cause) {
        switch (cause) {
            case RuntimeException known -> throw known;
            case Error known -> throw known;
            default -> throw new IllegalStateException("The call of " + name + " failed", cause);
        }
    }
}
