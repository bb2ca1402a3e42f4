package org.inferometer.execution.check;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.inferometer.execution.BackendCheck.BackendFigure;
import org.inferometer.execution.ExecutorException;
import org.inferometer.execution.cuda.device.CudaFailure;
import org.inferometer.execution.cuda.steps.LoadedGpu;

/// Times single kernels on a GPU and compares them with its read rate and tensor-core instruction. The figures have no
/// limits.
///
/// @param device number or UUID
/// @param progress receives the name of each part as it begins
public record CudaKernelsCheck(String device, KernelSizes sizes, Consumer<String> progress) {
    /// The figures: rates and launches, products, those of cuBLASLt if it is installed, attention, sampler.
    ///
    /// @throws ExecutorException if there is no such GPU, or too little memory is free
    public List<BackendFigure> run() throws ExecutorException {
        try (LoadedGpu gpu = LoadedGpu.open(device); KernelTimer timer = new KernelTimer(sizes.effort().rounds())) {
            DevicePeaks peaks = DevicePeaks.measure(gpu, timer, sizes.effort());
            List<BackendFigure> figures = new ArrayList<>(peaks.figures());
            figures.addAll(DevicePeaks.spacing(gpu, timer, sizes.effort()));
            progress.accept("products on the GPU");
            figures.addAll(new ProductTimings(gpu, timer, peaks, sizes).run());
            figures.addAll(new LibraryTimings(gpu, timer, peaks, sizes).run());
            progress.accept("attention on the GPU");
            figures.addAll(new AttentionTimings(gpu, timer, peaks, sizes).run());
            progress.accept("sampler on the GPU");
            figures.addAll(new SamplingTimings(gpu, timer, peaks, sizes).run());
            return figures;
        } catch (CudaFailure failure) {
            throw new ExecutorException("The GPU's kernels could not be timed: " + failure.getMessage() + ".", failure);
        }
    }
}
