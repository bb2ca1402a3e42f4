package org.inferometer.execution.cuda.emulated;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import jcuda.Pointer;
import jcuda.driver.CUcontext;
import jcuda.driver.CUdevice;
import jcuda.driver.CUdeviceptr;
import jcuda.driver.CUevent;
import jcuda.driver.CUfunction;
import jcuda.driver.CUmodule;
import jcuda.driver.CUstream;
import jcuda.driver.JCudaDriver;

/// JCuda's calls in the shape in which the tests of the emulated driver use them: on device 0, each expected to succeed.
final class JCuda {
    private static final int NON_BLOCKING = 1;

    /// As a compiler writes it, with the kernels of src/test/cuda and none of their bodies.
    static final String PTX = """
            // probe kernels
            .version 7.0
            .target sm_80
            .address_size 64
            .visible .entry probe_add(.param .u64 a)
            .visible .entry probe_exchange(
            .visible .entry probe_mma(
            .visible .entry probe_block_sum(
            .visible .entry probe_copy_without_wait(
            .visible .entry probe_wrong(
            .visible .entry probe_warpgroup(
            """;

    private JCuda() {}

    static void ok(int code) {
        assertThat(code).as("the driver's answer").isZero();
    }

    /// Makes the primary context of a device current on this thread.
    static CUcontext context(int ordinal) {
        JCudaDriver.setExceptionsEnabled(false);
        ok(JCudaDriver.cuInit(0));
        CUdevice device = new CUdevice();
        ok(JCudaDriver.cuDeviceGet(device, ordinal));
        CUcontext context = new CUcontext();
        ok(JCudaDriver.cuDevicePrimaryCtxRetain(context, device));
        ok(JCudaDriver.cuCtxSetCurrent(context));
        return context;
    }

    static CUdeviceptr memory(long bytes) {
        CUdeviceptr pointer = new CUdeviceptr();
        ok(JCudaDriver.cuMemAlloc(pointer, bytes));
        return pointer;
    }

    static CUdeviceptr memory(float... values) {
        CUdeviceptr pointer = memory(4L * values.length);
        ok(JCudaDriver.cuMemcpyHtoD(pointer, Pointer.to(values), 4L * values.length));
        return pointer;
    }

    static CUdeviceptr memory(int... values) {
        CUdeviceptr pointer = memory(4L * values.length);
        ok(JCudaDriver.cuMemcpyHtoD(pointer, Pointer.to(values), 4L * values.length));
        return pointer;
    }

    static float[] floats(CUdeviceptr pointer, int count) {
        float[] values = new float[count];
        ok(JCudaDriver.cuMemcpyDtoH(Pointer.to(values), pointer, 4L * count));
        return values;
    }

    static int[] integers(CUdeviceptr pointer, int count) {
        int[] values = new int[count];
        ok(JCudaDriver.cuMemcpyDtoH(Pointer.to(values), pointer, 4L * count));
        return values;
    }

    static long[] longs(CUdeviceptr pointer, int count) {
        long[] values = new long[count];
        ok(JCudaDriver.cuMemcpyDtoH(Pointer.to(values), pointer, 8L * count));
        return values;
    }

    static CUstream stream() {
        CUstream stream = new CUstream();
        ok(JCudaDriver.cuStreamCreateWithPriority(stream, NON_BLOCKING, 0));
        return stream;
    }

    static CUevent event() {
        CUevent event = new CUevent();
        ok(JCudaDriver.cuEventCreate(event, 0));
        return event;
    }

    static int load(CUmodule module, String ptx) {
        byte[] text = ptx.getBytes(StandardCharsets.US_ASCII);
        return JCudaDriver.cuModuleLoadDataEx(module, Pointer.to(Arrays.copyOf(text, text.length + 1)), 0, new int[0],
                Pointer.to(new long[1]));
    }

    static CUfunction kernel(String name) {
        CUmodule module = new CUmodule();
        ok(load(module, PTX));
        CUfunction function = new CUfunction();
        ok(JCudaDriver.cuModuleGetFunction(function, module, name));
        return function;
    }

    /// @return the driver's answer to the launch itself
    static int launch(CUfunction function, int grid, int block, int sharedBytes, CUstream stream,
            Pointer... parameters) {
        return JCudaDriver.cuLaunchKernel(function, grid, 1, 1, block, 1, 1, sharedBytes, stream,
                Pointer.to(parameters), null);
    }

    static Pointer value(int value) {
        return Pointer.to(new int[]{value});
    }

    static Pointer value(float value) {
        return Pointer.to(new float[]{value});
    }

    /// to = from + more, over `count` floats.
    static int add(CUfunction add, CUstream stream, CUdeviceptr from, CUdeviceptr to, int count, float more) {
        return launch(add, (count + 255) / 256, 256, 0, stream, Pointer.to(from), Pointer.to(to), value(count),
                value(more));
    }
}
