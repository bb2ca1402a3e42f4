package org.inferometer.execution.cuda;

import java.util.HexFormat;
import java.util.Locale;
import jcuda.driver.CUcontext;
import jcuda.driver.CUdevice;
import jcuda.driver.CUdevice_attribute;
import jcuda.driver.CUuuid;
import jcuda.driver.JCudaDriver;
import org.inferometer.execution.ExecutorException;

/// One GPU with its primary context, which is held until closed.
///
/// The context is current per thread: each thread calls [#makeCurrent] before its first call of the driver.
final class CudaDevice implements AutoCloseable {
    private static final int NAME_BYTES = 256;

    private final int index;
    private final CUdevice device;
    private final String name;
    private final String uuid;
    private final DriverVersion driver;
    private final CUcontext context = new CUcontext();
    private boolean open = true;

    private CudaDevice(int index, CUdevice device, DriverVersion driver) {
        this.index = index;
        this.device = device;
        this.driver = driver;
        byte[] text = new byte[NAME_BYTES];
        CudaFailure.require("cuDeviceGetName", JCudaDriver.cuDeviceGetName(text, text.length, device));
        name = CudaDriverProbe.text(text);
        uuid = uuid(device);
    }

    /// Opens a GPU by its number in the driver's order, or by its UUID or the beginning of one.
    ///
    /// @throws ExecutorException when there is no driver or no such GPU: one sentence with what there is
    static CudaDevice open(String choice) throws ExecutorException {
        CudaReport report = new CudaDriverProbe().probe();
        if (!report.available()) {
            throw new ExecutorException("The cuda backend cannot be used: " + report.reason());
        }
        int[] number = new int[1];
        CudaFailure.require("cuDriverGetVersion", JCudaDriver.cuDriverGetVersion(number));
        DriverVersion driver = new DriverVersion(number[0]);
        for (int index = 0; index < report.devices().size(); index++) {
            CUdevice device = new CUdevice();
            CudaFailure.require("cuDeviceGet", JCudaDriver.cuDeviceGet(device, index));
            if (choice.equals(Integer.toString(index)) || meant(choice, uuid(device))) {
                CudaDevice found = new CudaDevice(index, device, driver);
                CudaFailure.require("cuDevicePrimaryCtxRetain", JCudaDriver.cuDevicePrimaryCtxRetain(found.context, device));
                found.makeCurrent();
                return found;
            }
        }
        throw new ExecutorException("There is no GPU \"" + choice + "\"; this machine has " + known(report)
                + ". Give its number or its UUID with cuda:device=...");
    }

    private static boolean meant(String choice, String uuid) {
        String wanted = choice.toLowerCase(Locale.ROOT);
        return wanted.startsWith("gpu-") && wanted.length() > "gpu-".length() && uuid.toLowerCase(Locale.ROOT).startsWith(wanted);
    }

    private static String known(CudaReport report) {
        StringBuilder all = new StringBuilder();
        for (CudaReport.CudaDevice each : report.devices()) {
            all.append(all.isEmpty() ? "" : ", ").append(each.index()).append(" (").append(each.name()).append(')');
        }
        return all.toString();
    }

    /// As nvidia-smi prints it: "GPU-8f1c...".
    static String uuid(CUdevice device) {
        CUuuid uuid = new CUuuid();
        CudaFailure.require("cuDeviceGetUuid", JCudaDriver.cuDeviceGetUuid(uuid, device));
        String hex = HexFormat.of().formatHex(uuid.bytes);
        return "GPU-" + hex.substring(0, 8) + "-" + hex.substring(8, 12) + "-" + hex.substring(12, 16) + "-" + hex.substring(16, 20)
                + "-" + hex.substring(20);
    }

    /// Makes the device's context the calling thread's.
    void makeCurrent() {
        CudaFailure.require("cuCtxSetCurrent", JCudaDriver.cuCtxSetCurrent(context));
    }

    int index() {
        return index;
    }

    String name() {
        return name;
    }

    String uuid() {
        return uuid;
    }

    DriverVersion driver() {
        return driver;
    }

    /// 10 · major + minor: 89, 90, 100.
    int computeCapability() {
        return 10 * attribute(CUdevice_attribute.CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR)
                + attribute(CUdevice_attribute.CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR);
    }

    int multiprocessors() {
        return attribute(CUdevice_attribute.CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT);
    }

    private int attribute(int attribute) {
        int[] value = new int[1];
        CudaFailure.require("cuDeviceGetAttribute", JCudaDriver.cuDeviceGetAttribute(value, attribute, device));
        return value[0];
    }

    /// Bytes that can still be taken, by whichever process.
    long freeBytes() {
        long[] free = new long[1];
        long[] total = new long[1];
        CudaFailure.require("cuMemGetInfo", JCudaDriver.cuMemGetInfo(free, total));
        return free[0];
    }

    /// Bytes of the whole device.
    long totalBytes() {
        long[] total = new long[1];
        CudaFailure.require("cuDeviceTotalMem", JCudaDriver.cuDeviceTotalMem(total, device));
        return total[0];
    }

    /// Gives the context back; closing twice is allowed. A lost device has nothing left to give back.
    @Override
    public void close() {
        if (open) {
            open = false;
            JCudaDriver.cuDevicePrimaryCtxRelease(device);
        }
    }
}
