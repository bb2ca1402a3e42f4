package org.inferometer.execution.cuda.device;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.SymbolLookup;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import jcuda.JCudaVersion;
import jcuda.LibUtils;
import jcuda.LibUtilsCuda;
import jcuda.LogLevel;
import jcuda.driver.CUdevice;
import jcuda.driver.CUdevice_attribute;
import jcuda.driver.CUresult;
import jcuda.driver.CUuuid;
import jcuda.driver.JCudaDriver;
import org.inferometer.execution.cuda.device.CudaReport.DriverVersion;
import org.inferometer.units.FileFault;

/// Lists the devices of the CUDA driver. Never throws and prints nothing; any thread may call.
public final class CudaDriverProbe {
    private static final int NAME_BYTES = 256;

    private final String driverLibrary;

    /// Uses the driver library's usual name on this system.
    public CudaDriverProbe() {
        this(System.getProperty("os.name", "").toLowerCase(Locale.ROOT).contains("windows") ? "nvcuda.dll"
                : "libcuda.so.1");
    }

    /// @param driverLibrary name or path of the driver's library
    CudaDriverProbe(String driverLibrary) {
        this.driverLibrary = driverLibrary;
    }

    /// Queries the driver again.
    public CudaReport probe() {
        // JCuda prints a page about missing libraries, so the driver is looked up first.
        try (Arena arena = Arena.ofConfined()) {
            SymbolLookup.libraryLookup(driverLibrary, arena).findOrThrow("cuInit");
        } catch (IllegalArgumentException | java.util.NoSuchElementException e) {
            return CudaReport.absent("No NVIDIA driver was found (" + driverLibrary + " cannot be loaded); "
                    + "install one, or use the host backend.");
        }
        try {
            return ask();
        } catch (FileNotFoundException | LinkageError e) {
            return CudaReport.absent("An NVIDIA driver is installed, but JCuda has no native library for "
                    + System.getProperty("os.name") + " on " + System.getProperty("os.arch")
                    + "; use the host backend here.");
        } catch (IOException e) {
            return CudaReport.absent("JCuda's native library cannot be written: " + FileFault.sentence(e));
        } catch (RuntimeException e) {
            return CudaReport.absent("The NVIDIA driver query failed: " + e.getMessage() + ".");
        }
    }

    private static CudaReport ask() throws IOException {
        LibUtilsCuda.file(LibUtils.createPlatformLibraryName("JCudaDriver-" + JCudaVersion.get()));
        JCudaDriver.setLogLevel(LogLevel.LOG_QUIET);
        JCudaDriver.setExceptionsEnabled(false);
        int[] number = new int[1];
        int result = JCudaDriver.cuInit(0);
        if (result == CUresult.CUDA_ERROR_NO_DEVICE) {
            return CudaReport.absent("An NVIDIA driver is installed, but it has no usable GPU.");
        }
        try {
            CudaFailure.require("cuInit", result);
            CudaFailure.require("cuDriverGetVersion", JCudaDriver.cuDriverGetVersion(number));
            String version = new DriverVersion(number[0]).text();
            CudaFailure.require("cuDeviceGetCount", JCudaDriver.cuDeviceGetCount(number));
            int count = number[0];
            List<CudaReport.Gpu> gpus = new ArrayList<>();
            for (int index = 0; index < count; index++) {
                gpus.add(gpu(index));
            }
            String found = "CUDA " + version + " driver with " + count + (count == 1 ? " device." : " devices.");
            return new CudaReport(count > 0, found, version, gpus);
        } catch (CudaFailure failure) {
            return CudaReport.absent(
                    "The NVIDIA driver does not work: " + failure.getMessage() + ". Check the driver with nvidia-smi.");
        }
    }

    private static CudaReport.Gpu gpu(int index) {
        String call = "Asking for device " + index;
        CUdevice device = new CUdevice();
        byte[] name = new byte[NAME_BYTES];
        long[] bytes = new long[1];
        CudaFailure.require(call, JCudaDriver.cuDeviceGet(device, index));
        CudaFailure.require(call, JCudaDriver.cuDeviceGetName(name, name.length, device));
        CudaFailure.require(call, JCudaDriver.cuDeviceTotalMem(bytes, device));
        int major = attribute(call, device, CUdevice_attribute.CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR);
        int minor = attribute(call, device, CUdevice_attribute.CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR);
        return new CudaReport.Gpu(index, text(name), uuid(device), bytes[0], major + "." + minor);
    }

    /// One attribute of a device.
    ///
    /// @param call names the request in the failure
    static int attribute(String call, CUdevice device, int attribute) {
        int[] value = new int[1];
        CudaFailure.require(call, JCudaDriver.cuDeviceGetAttribute(value, attribute, device));
        return value[0];
    }

    /// The UUID; empty if the driver does not report it.
    private static String uuid(CUdevice device) {
        CUuuid uuid = new CUuuid();
        if (JCudaDriver.cuDeviceGetUuid(uuid, device) != CUresult.CUDA_SUCCESS) {
            return "";
        }
        String hex = HexFormat.of().formatHex(uuid.bytes);
        return "GPU-" + hex.substring(0, 8) + "-" + hex.substring(8, 12) + "-" + hex.substring(12, 16) + "-"
                + hex.substring(16, 20) + "-" + hex.substring(20);
    }

    private static String text(byte[] name) {
        int length = 0;
        while (length < name.length && name[length] != 0) {
            length++;
        }
        return new String(name, 0, length, StandardCharsets.UTF_8);
    }
}
