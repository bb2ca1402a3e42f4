package org.inferometer.telemetry;

import java.lang.foreign.AddressLayout;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// NVIDIA's management library, bound by the names of its versioned exports. A function that this driver lacks returns
/// [#FUNCTION_NOT_FOUND], like one it does not support.
///
/// Safe for several threads; the caller closes it after the last call.
final class NvmlLibrary implements AutoCloseable {
    static final int OK = 0;
    static final int NOT_SUPPORTED = 3;
    static final int INSUFFICIENT_SIZE = 7;
    static final int FUNCTION_NOT_FOUND = 13;

    private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT;
    private static final AddressLayout POINTER = ValueLayout.ADDRESS;
    private static final int LONGEST_MESSAGE = 256;
    private static final Map<Integer, String> CODES = Map.ofEntries(Map.entry(1, "uninitialised"),
            Map.entry(2, "invalid argument"), Map.entry(3, "not supported"), Map.entry(4, "no permission"),
            Map.entry(6, "not found"), Map.entry(7, "insufficient size"), Map.entry(9, "driver not loaded"),
            Map.entry(10, "timeout"), Map.entry(12, "library not found"), Map.entry(13, "function not found"),
            Map.entry(15, "GPU is lost"), Map.entry(25, "argument version mismatch"));

    private final Arena arena;
    private final String name;
    private final Map<String, MethodHandle> functions = new HashMap<>();

    private NvmlLibrary(Arena arena, String name, SymbolLookup lookup) {
        this.arena = arena;
        this.name = name;
        bind(lookup, List.of("nvmlInit_v2", "nvmlShutdown"));
        bind(lookup, List.of("nvmlDeviceGetCount_v2", "nvmlSystemGetCudaDriverVersion_v2"), POINTER);
        bind(lookup, List.of("nvmlSystemGetDriverVersion"), POINTER, INT);
        bind(lookup, List.of("nvmlDeviceGetHandleByIndex_v2"), INT, POINTER);
        bind(lookup, List.of("nvmlDeviceGetMemoryInfo", "nvmlDeviceGetMemoryInfo_v2", "nvmlDeviceGetUtilizationRates",
                "nvmlDeviceGetPowerUsage", "nvmlDeviceGetEnforcedPowerLimit", "nvmlDeviceGetTotalEnergyConsumption",
                "nvmlDeviceGetCurrentClocksEventReasons", "nvmlDeviceGetCurrentClocksThrottleReasons",
                "nvmlDeviceGetHandleByUUID", "nvmlDeviceGetPciInfo_v3", "nvmlDeviceGetPersistenceMode",
                "nvmlDeviceGetDisplayActive", "nvmlDeviceGetPowerManagementDefaultLimit",
                "nvmlDeviceGetCurrPcieLinkGeneration", "nvmlDeviceGetCurrPcieLinkWidth",
                "nvmlDeviceGetMaxPcieLinkGeneration", "nvmlDeviceGetMaxPcieLinkWidth", "nvmlDeviceGetIndex",
                "nvmlDeviceGetDeviceHandleFromMigDeviceHandle"), POINTER, POINTER);
        bind(lookup, List.of("nvmlDeviceGetCudaComputeCapability", "nvmlDeviceGetComputeRunningProcesses_v3",
                "nvmlDeviceGetEccMode", "nvmlDeviceGetMigMode"), POINTER, POINTER, POINTER);
        bind(lookup, List.of("nvmlDeviceGetTemperature", "nvmlDeviceGetClockInfo", "nvmlDeviceGetMaxClockInfo"),
                POINTER, INT, POINTER);
        bind(lookup, List.of("nvmlDeviceGetName"), POINTER, POINTER, INT);
        lookup.find("nvmlErrorString").ifPresent(symbol -> functions.put("nvmlErrorString",
                Linker.nativeLinker().downcallHandle(symbol, FunctionDescriptor.of(
                        POINTER.withTargetLayout(MemoryLayout.sequenceLayout(LONGEST_MESSAGE, ValueLayout.JAVA_BYTE)),
                        INT))));
    }

    /// The library names of this system.
    static List<String> defaultNames() {
        return System.getProperty("os.name", "").startsWith("Windows")
                ? List.of("nvml.dll", "C:\\Program Files\\NVIDIA Corporation\\NVSMI\\nvml.dll")
                : List.of("libnvidia-ml.so.1", "libnvidia-ml.so");
    }

    /// Loads and initialises the first library that can be loaded.
    ///
    /// @throws GpuException with the attempts
    static NvmlLibrary open(List<String> names) throws GpuException {
        List<GpuAttempt> tried = new ArrayList<>();
        for (String name : names) {
            Arena arena = Arena.ofShared();
            try {
                NvmlLibrary library = new NvmlLibrary(arena, name, SymbolLookup.libraryLookup(name, arena));
                int code = library.call("nvmlInit_v2");
                if (code == OK) {
                    return library;
                }
                tried.add(new GpuAttempt(name, "loaded, but failed: " + library.message(code)));
            } catch (IllegalArgumentException missing) {
                tried.add(new GpuAttempt(name, LoaderText.of(name)));
            }
            arena.close();
        }
        throw new GpuException("No NVIDIA management library can be used.", tried);
    }

    /// The library's name or path.
    String name() {
        return name;
    }

    int call(String function) {
        MethodHandle handle = functions.get(function);
        try {
            return handle == null ? FUNCTION_NOT_FOUND : (int) handle.invokeExact();
        } catch (Throwable impossible) {
            throw broken(function, impossible);
        }
    }

    int call(String function, MemorySegment pointer) {
        MethodHandle handle = functions.get(function);
        try {
            return handle == null ? FUNCTION_NOT_FOUND : (int) handle.invokeExact(pointer);
        } catch (Throwable impossible) {
            throw broken(function, impossible);
        }
    }

    int call(String function, MemorySegment pointer, int number) {
        MethodHandle handle = functions.get(function);
        try {
            return handle == null ? FUNCTION_NOT_FOUND : (int) handle.invokeExact(pointer, number);
        } catch (Throwable impossible) {
            throw broken(function, impossible);
        }
    }

    int call(String function, int number, MemorySegment pointer) {
        MethodHandle handle = functions.get(function);
        try {
            return handle == null ? FUNCTION_NOT_FOUND : (int) handle.invokeExact(number, pointer);
        } catch (Throwable impossible) {
            throw broken(function, impossible);
        }
    }

    int call(String function, MemorySegment first, MemorySegment second) {
        MethodHandle handle = functions.get(function);
        try {
            return handle == null ? FUNCTION_NOT_FOUND : (int) handle.invokeExact(first, second);
        } catch (Throwable impossible) {
            throw broken(function, impossible);
        }
    }

    int call(String function, MemorySegment first, MemorySegment second, MemorySegment third) {
        MethodHandle handle = functions.get(function);
        try {
            return handle == null ? FUNCTION_NOT_FOUND : (int) handle.invokeExact(first, second, third);
        } catch (Throwable impossible) {
            throw broken(function, impossible);
        }
    }

    int call(String function, MemorySegment first, int number, MemorySegment second) {
        MethodHandle handle = functions.get(function);
        try {
            return handle == null ? FUNCTION_NOT_FOUND : (int) handle.invokeExact(first, number, second);
        } catch (Throwable impossible) {
            throw broken(function, impossible);
        }
    }

    int call(String function, MemorySegment first, MemorySegment second, int number) {
        MethodHandle handle = functions.get(function);
        try {
            return handle == null ? FUNCTION_NOT_FOUND : (int) handle.invokeExact(first, second, number);
        } catch (Throwable impossible) {
            throw broken(function, impossible);
        }
    }

    /// The library's message for a return code.
    String message(int code) {
        MethodHandle errorString = functions.get("nvmlErrorString");
        if (errorString != null) {
            try {
                MemorySegment text = (MemorySegment) errorString.invokeExact(code);
                if (!text.equals(MemorySegment.NULL)) {
                    return DriverText.clean(text.getString(0));
                }
            } catch (IndexOutOfBoundsException unterminated) {
                return known(code);
            } catch (Throwable impossible) {
                throw broken("nvmlErrorString", impossible);
            }
        }
        return known(code);
    }

    /// Shuts the library down for this process.
    @Override
    public void close() {
        call("nvmlShutdown");
        arena.close();
    }

    private static String known(int code) {
        return Optional.ofNullable(CODES.get(code)).orElse("error") + ", NVML code " + code;
    }

    private void bind(SymbolLookup lookup, List<String> names, MemoryLayout... arguments) {
        for (String function : names) {
            lookup.find(function).ifPresent(symbol -> functions.put(function,
                    Linker.nativeLinker().downcallHandle(symbol, FunctionDescriptor.of(INT, arguments))));
        }
    }

    private static IllegalStateException broken(String function, Throwable cause) {
        return new IllegalStateException(function + " could not be called.", cause);
    }
}
