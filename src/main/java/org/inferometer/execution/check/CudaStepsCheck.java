package org.inferometer.execution.check;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import java.util.function.Consumer;
import org.inferometer.execution.BackendCheck.BackendFigure;
import org.inferometer.execution.ExecutorException;
import org.inferometer.execution.cuda.device.CudaFailure;
import org.inferometer.execution.cuda.device.DeviceFormat;
import org.inferometer.execution.cuda.steps.GemmSetup;
import org.inferometer.execution.cuda.steps.LoadedGpu;
import org.inferometer.units.Clock;

/// Times whole steps on a GPU, with random weights of each format, beside the rates of the same card. Runs on the calling
/// thread.
///
/// @param device number or UUID
/// @param gemm where cuBLASLt is looked for
/// @param subjects models and steps
/// @param effort of the rates
/// @param budgetNanos a step is repeated until none was faster for this long
public record CudaStepsCheck(Clock clock, String device, GemmSetup gemm, List<StepSubject> subjects,
        KernelSizes.Effort effort, long budgetNanos) {

    /// The figures of every model and format.
    ///
    /// @param begun receives the name of each part as it begins
    /// @throws ExecutorException if there is no such GPU, or a model does not fit
    public List<BackendFigure> figures(Consumer<String> begun) throws ExecutorException, InterruptedException {
        try (LoadedGpu gpu = LoadedGpu.open(device).with(gemm)) {
            double copyBytes = DevicePeaks.copyBytesPerSecond(gpu);
            double tensorFlops = DevicePeaks.tensorFlopsPerSecond(gpu, effort.tensorIterations());
            List<BackendFigure> figures = new ArrayList<>();
            for (StepSubject subject : subjects) {
                StepTimings.Rates rates =
                        new StepTimings.Rates(copyBytes, tensorFlops, libraryFlopsPerSecond(gpu, subject));
                for (DeviceFormat format : DeviceFormat.values()) {
                    begun.accept("steps of " + subject.name() + " in " + format.text());
                    figures.addAll(new StepTimings(clock, gpu, subject, format, rates, budgetNanos).figures());
                }
            }
            return figures;
        } catch (CudaFailure failure) {
            throw new ExecutorException("Steps on the GPU could not be timed: " + failure.getMessage() + ".", failure);
        }
    }

    private OptionalDouble libraryFlopsPerSecond(LoadedGpu gpu, StepSubject subject) throws ExecutorException {
        gpu.device().makeCurrent();
        try (KernelTimer timer = new KernelTimer(effort.rounds())) {
            return new LibraryTimings(gpu, timer, DevicePeaks.NONE, subject.kernels(effort))
                    .flopsPerSecond(subject.extent().prompt());
        }
    }
}
