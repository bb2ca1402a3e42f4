package org.inferometer.execution.cuda.device;

import java.io.IOException;
import java.io.InputStream;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.HashMap;
import java.util.Map;
import jcuda.Pointer;
import jcuda.driver.CUfunction;
import jcuda.driver.CUfunction_attribute;
import jcuda.driver.CUjit_option;
import jcuda.driver.CUmodule;
import jcuda.driver.JCudaDriver;
import org.inferometer.execution.ExecutorException;
import org.inferometer.units.FileFault;
import org.jspecify.annotations.Nullable;

/// The shipped kernels, compiled by the driver for one GPU. Loaded and closed with the device's context current.
public final class KernelModule implements AutoCloseable {
    private static final String FOLDER = "/org/inferometer/execution/cuda/";

    private static final int LOG_BYTES = 4096;
    private static final int NO_BINARY_FOR_GPU = 209;
    /// Minimal containers may lack the driver's compiler.
    private static final int NO_COMPILER = 221;
    private static final int INVALID_PTX = 218;
    private static final int UNSUPPORTED_PTX = 222;
    /// Dynamic shared memory that a kernel may use without an attribute.
    private static final int SHARED_BYTES_UNASKED = 48 * 1024;

    private final CUmodule module;
    private final ModuleChoice choice;
    private final int multiprocessors;
    private final @Nullable DependentLaunch dependent;
    private final @Nullable KernelModule warpgroups;
    private final Map<String, Kernel> kernels = new HashMap<>();
    private @Nullable KernelModule loadedWarpgroups; // when first asked for

    private KernelModule(CUmodule module, ModuleChoice choice, int multiprocessors, @Nullable DependentLaunch dependent,
            @Nullable KernelModule warpgroups) {
        this.dependent = dependent;
        this.warpgroups = warpgroups;
        this.multiprocessors = multiprocessors;
        this.module = module;
        this.choice = choice;
    }

    /// Loads the newest kernels that device and driver support.
    ///
    /// @throws ExecutorException if either is too old or the driver cannot compile the module
    public static KernelModule load(CudaDevice device) throws ExecutorException {
        return load(device, ModuleChoice.of(device.name(), device.computeCapability(), device.driver()));
    }

    private static KernelModule load(CudaDevice device, ModuleChoice choice) throws ExecutorException {
        CUmodule module = new CUmodule();
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment text = text(choice.resource(), arena);
            MemorySegment log = arena.allocate(LOG_BYTES);
            MemorySegment values = arena.allocateFrom(ValueLayout.JAVA_LONG, log.address(), LOG_BYTES);
            int[] options = {CUjit_option.CU_JIT_ERROR_LOG_BUFFER, CUjit_option.CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES};
            int code = JCudaDriver.cuModuleLoadDataEx(module, Pointer.to(text.asByteBuffer()), options.length, options,
                    Pointer.to(values.asByteBuffer()));
            if (code == NO_COMPILER || code == NO_BINARY_FOR_GPU || code == INVALID_PTX || code == UNSUPPORTED_PTX) {
                throw new ExecutorException("The NVIDIA driver (CUDA " + device.driver().text()
                        + ") rejects the kernels in " + choice.resource()
                        + "; install a newer driver, or use the host backend." + said(log.getString(0)));
            }
            CudaFailure.require("cuModuleLoadDataEx", code);
        }
        return new KernelModule(module, choice, device.multiprocessors(), null, null);
    }

    private static String said(String log) {
        String line = log.strip().lines().findFirst().orElse("");
        return line.isEmpty() ? "" : " The driver says: " + line;
    }

    /// The text with a terminating zero for the driver.
    private static MemorySegment text(String resource, Arena arena) throws ExecutorException {
        try (InputStream in = KernelModule.class.getResourceAsStream(FOLDER + resource)) {
            if (in == null) {
                throw new ExecutorException(
                        "The kernels (" + resource + ") are missing from this build; build it again.");
            }
            byte[] bytes = in.readAllBytes();
            MemorySegment text = arena.allocate(bytes.length + 1L);
            MemorySegment.copy(bytes, 0, text, ValueLayout.JAVA_BYTE, 0, bytes.length);
            return text;
        } catch (IOException e) {
            throw new ExecutorException("The kernels (" + resource + ") could not be read: " + FileFault.describe(e),
                    e);
        }
    }

    /// The same kernels, all launched by a dependent launch. Valid until this is closed, and never closed itself.
    public KernelModule dependent(DependentLaunch launch) {
        return new KernelModule(module, choice, multiprocessors, launch,
                warpgroups == null ? null : warpgroups.dependent(launch));
    }

    /// The same kernels with products of warpgroups, which are loaded once and closed with this. Valid until this is closed,
    /// and never closed itself.
    ///
    /// @throws ExecutorException if device or driver does not support them
    public KernelModule withWarpgroups(CudaDevice device) throws ExecutorException {
        ModuleChoice.requireWarpgroups(device.name(), device.computeCapability(), device.driver());
        if (loadedWarpgroups == null) {
            loadedWarpgroups = load(device, ModuleChoice.WARPGROUPS);
        }
        return new KernelModule(module, choice, multiprocessors, dependent, loadedWarpgroups);
    }

    /// Products of warpgroups, launched as these kernels are; null if products do not use them.
    @Nullable
    public KernelModule warpgroups() {
        return warpgroups;
    }

    public ModuleChoice choice() {
        return choice;
    }

    /// Multiprocessors of its device.
    public int multiprocessors() {
        return multiprocessors;
    }

    /// A kernel with its launch configuration; cached.
    public Kernel kernel(String name, int threads, int sharedBytes) {
        return kernels.computeIfAbsent(name, wanted -> find(wanted, threads, sharedBytes));
    }

    private Kernel find(String name, int threads, int sharedBytes) {
        DeviceFunction function = new DeviceFunction();
        CudaFailure.require("cuModuleGetFunction of " + name, JCudaDriver.cuModuleGetFunction(function, module, name));
        if (sharedBytes > SHARED_BYTES_UNASKED) {
            CudaFailure.require("cuFuncSetAttribute of " + name, JCudaDriver.cuFuncSetAttribute(function,
                    CUfunction_attribute.CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, sharedBytes));
        }
        int[] blocksEach = new int[1];
        CudaFailure.require("cuOccupancyMaxActiveBlocksPerMultiprocessor of " + name,
                JCudaDriver.cuOccupancyMaxActiveBlocksPerMultiprocessor(blocksEach, function, threads, sharedBytes));
        return new Kernel(name, function, threads, sharedBytes, blocksEach[0], dependent);
    }

    /// A lost context has unloaded it, so errors of the driver are ignored.
    @Override
    public void close() {
        if (loadedWarpgroups != null) {
            loadedWarpgroups.close();
        }
        JCudaDriver.cuModuleUnload(module);
    }

    /// A kernel whose handle is passed to the driver's own functions.
    static final class DeviceFunction extends CUfunction {
        /// The driver's handle.
        long handle() {
            return getNativePointer();
        }
    }

    /// A kernel of the loaded module with its launch configuration.
    ///
    /// @param threads per block
    /// @param sharedBytes dynamic shared memory per block
    /// @param blocksEach blocks that a multiprocessor holds at once
    /// @param dependent launches it so that it may start while the kernel before ends; null for ordinary launches
    public record Kernel(String name, DeviceFunction function, int threads, int sharedBytes, int blocksEach,
            @Nullable DependentLaunch dependent) {
        /// The same, launched when the kernel before has ended.
        public Kernel ordinary() {
            return new Kernel(name, function, threads, sharedBytes, blocksEach, null);
        }
    }
}
