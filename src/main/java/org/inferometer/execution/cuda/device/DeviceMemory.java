package org.inferometer.execution.cuda.device;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import jcuda.driver.JCudaDriver;
import org.inferometer.execution.Executor.OwnedMemory;
import org.inferometer.execution.ExecutorException;
import org.inferometer.units.QuantityText;

/// An executor's GPU memory, counted by owner. Used by one thread with the device's context current; closing frees all
/// of it.
public final class DeviceMemory implements AutoCloseable {
    /// The owner of an allocation.
    public enum Owner {
        WEIGHTS("weights"), KV_CACHE("KV cache"), ACTIVATIONS("activations"), WORKSPACE("workspace");

        private final String words;

        Owner(String words) {
            this.words = words;
        }
    }

    private final CudaDevice device;
    private final DeviceStream zeroing;
    private final Map<Owner, Long> books = new EnumMap<>(Owner.class);
    private final List<DeviceAddress> taken = new ArrayList<>();
    private boolean open = true;

    public DeviceMemory(CudaDevice device) {
        this.device = device;
        this.zeroing = new DeviceStream(0);
    }

    /// Allocates memory filled with zeros.
    ///
    /// @throws ExecutorException if too little is free: needed, free, taken by owner, and how to free memory
    public DeviceAddress take(Owner owner, long bytes) throws ExecutorException {
        DeviceAddress address = new DeviceAddress();
        long size = Math.max(bytes, 1);
        int code = JCudaDriver.cuMemAlloc(address, size);
        try {
            CudaFailure.require("cuMemAlloc", code);
        } catch (CudaFailure failure) {
            if (failure.outOfMemory()) {
                throw lacking(owner, bytes, device.freeBytes());
            }
            throw failure;
        }
        taken.add(address);
        books.merge(owner, bytes, Long::sum);
        // The fill may run after its call returns, and other streams do not wait for it.
        CudaFailure.require("cuMemsetD8Async", JCudaDriver.cuMemsetD8Async(address, (byte) 0, size, zeroing));
        zeroing.await();
        return address;
    }

    /// The same for several allocations of one owner, in order.
    ///
    /// @throws ExecutorException as [#take]
    public DeviceAddress[] takeEach(Owner owner, long... bytes) throws ExecutorException {
        DeviceAddress[] addresses = new DeviceAddress[bytes.length];
        for (int i = 0; i < bytes.length; i++) {
            addresses[i] = take(owner, bytes[i]);
        }
        return addresses;
    }

    private ExecutorException lacking(Owner owner, long bytes, long free) {
        return new ExecutorException("GPU " + device.index() + " (" + device.name() + ") has no "
                + QuantityText.bytes(bytes) + " for " + owner.words + ": " + QuantityText.bytes(free) + " of "
                + QuantityText.bytes(device.totalBytes()) + " are free"
                + (books.isEmpty() ? "" : " after " + describe()) + "; " + waysOut() + ".");
    }

    public static String waysOut() {
        return "lower the KV memory or the max length, lower the scheduler's token budget, choose an INT4 engine or kv_dtype=fp8, or end "
                + "other programs on this GPU";
    }

    private String describe() {
        return books.entrySet().stream()
                .map(entry -> QuantityText.bytes(entry.getValue()) + " of " + entry.getKey().words)
                .collect(Collectors.joining(", "));
    }

    /// Allocated bytes by owner.
    public OwnedMemory owned() {
        return new OwnedMemory(books.getOrDefault(Owner.WEIGHTS, 0L), books.getOrDefault(Owner.KV_CACHE, 0L),
                books.getOrDefault(Owner.ACTIVATIONS, 0L), books.getOrDefault(Owner.WORKSPACE, 0L));
    }

    /// A lost context has freed its memory, so errors of the driver are ignored.
    @Override
    public void close() {
        if (open) {
            open = false;
            taken.forEach(JCudaDriver::cuMemFree);
            zeroing.close();
        }
    }
}
