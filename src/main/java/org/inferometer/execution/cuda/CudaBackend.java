package org.inferometer.execution.cuda;

import java.util.List;
import java.util.Optional;
import org.inferometer.engine.Engine;
import org.inferometer.engine.ModelShape;
import org.inferometer.execution.Backend;
import org.inferometer.execution.BackendCheck;
import org.inferometer.execution.Executor;
import org.inferometer.execution.ExecutorException;
import org.inferometer.execution.backend.ExecutorSizes;
import org.inferometer.execution.check.CudaAgreement;
import org.inferometer.execution.check.CudaKernelsCheck;
import org.inferometer.execution.check.CudaStepsCheck;
import org.inferometer.execution.check.KernelSizes;
import org.inferometer.execution.check.StepSubject;
import org.inferometer.execution.cuda.device.CudaDriverProbe;
import org.inferometer.execution.cuda.device.CudaOptions;
import org.inferometer.execution.cuda.device.CudaReport;
import org.inferometer.execution.cuda.steps.CudaExecutor;
import org.inferometer.execution.cuda.steps.GemmSetup;
import org.inferometer.options.OptionDescription;
import org.inferometer.options.OptionException;
import org.inferometer.options.OptionRecords;
import org.inferometer.options.Selection;
import org.inferometer.scheduling.LaneLayout;
import org.inferometer.scheduling.Limits;
import org.inferometer.units.Clock;

/// The GPU backend.
public record CudaBackend(CudaDriverProbe driver) implements Backend {
    private static final String FIRST_GPU = "0";
    private static final long STEP_NANOS = 500_000_000L;

    @Override
    public String name() {
        return "cuda";
    }

    @Override
    public String summary() {
        return "An NVIDIA GPU; needs the driver only.";
    }

    @Override
    public String label() {
        List<CudaReport.Gpu> devices = driver.probe().devices();
        return switch (devices.size()) {
            case 0 -> "NVIDIA GPU (cuda)";
            case 1 -> "GPU (cuda), " + devices.getFirst().name();
            default -> "GPU (cuda), " + devices.getFirst().name() + " and " + (devices.size() - 1) + " more";
        };
    }

    @Override
    public Optional<String> absence() {
        CudaReport report = driver.probe();
        return report.available() ? Optional.empty() : Optional.of(report.reason());
    }

    @Override
    public List<OptionDescription> options() {
        return OptionRecords.describe(CudaOptions.class);
    }

    @Override
    public List<String> faults(Selection selection) {
        try {
            CudaOptions options = OptionRecords.read(CudaOptions.class, selection);
            CudaReport report = driver.probe();
            return report.find(options.device()).isPresent() ? List.of() : List.of(report.unknown(options.device()));
        } catch (OptionException e) {
            return e.faults();
        }
    }

    @Override
    public int lanes(Selection selection) {
        return checked(selection).lanes();
    }

    @Override
    public long kvBytesPerToken(ModelShape shape, Selection selection) {
        return CudaExecutor.kvBytesPerToken(shape, checked(selection));
    }

    @Override
    public int blockTokens(Selection selection) {
        return checked(selection).blockTokens();
    }

    @Override
    public long deviceMemoryBytes(Selection selection) {
        return driver.probe().find(checked(selection).device()).map(CudaReport.Gpu::memoryBytes).orElse(0L);
    }

    @Override
    public Executor open(Engine engine, Selection selection, LaneLayout layout, Limits limits, long kvBytes,
            Clock clock) throws ExecutorException {
        return CudaExecutor.open(engine, checked(selection), layout, ExecutorSizes.of(kvBytes, limits), clock);
    }

    @Override
    public List<BackendCheck> checks(Clock clock) {
        return List.of(
                new BackendCheck("cuda_agreement", "agreement of the GPU backend with the reference pass", "%",
                        progress -> CudaAgreement.standard(clock, FIRST_GPU, progress).ratios(),
                        Optional.of(progress -> CudaAgreement.small(clock, FIRST_GPU, progress).ratios())),
                new BackendCheck("cuda_steps", "whole steps on the GPU", "x",
                        progress -> new CudaStepsCheck(clock, FIRST_GPU, GemmSetup.STANDARD, StepSubject.ALL,
                                KernelSizes.LLAMA_8B.effort(), STEP_NANOS).figures(progress),
                        Optional.of(progress -> new CudaStepsCheck(clock, FIRST_GPU, GemmSetup.STANDARD,
                                StepSubject.SMALL, KernelSizes.SMALL.effort(), 1).figures(progress))),
                new BackendCheck("cuda_kernels", "times of single kernels on the GPU", "µs",
                        progress -> new CudaKernelsCheck(FIRST_GPU, KernelSizes.LLAMA_8B, progress).run(),
                        Optional.of(progress -> new CudaKernelsCheck(FIRST_GPU, KernelSizes.SMALL, progress).run())));
    }

    private static CudaOptions checked(Selection selection) {
        return OptionRecords.parse(CudaOptions.class, selection);
    }
}
