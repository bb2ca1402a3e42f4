package org.inferometer.selfcheck;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.inferometer.engine.Engine;
import org.inferometer.engine.EngineFormatException;
import org.inferometer.engine.build.EngineCatalog;
import org.inferometer.engine.build.EngineEntry;
import org.inferometer.execution.ExecutorException;
import org.inferometer.execution.cuda.CudaDriverProbe;
import org.inferometer.execution.cuda.CudaRatios;
import org.inferometer.execution.cuda.CudaReport;
import org.inferometer.record.SelfCheckResult;
import org.inferometer.units.Clock;

/// The GPU backend's ratios as lines of the self-check, on those of its engines that are built; without a GPU one line that says so.
public record CudaRatioChecks(EngineCatalog engines, Clock clock) implements SelfCheck.BackendChecks {
    private static final List<String> ENGINES =
            List.of("tinyllama-1.1b-int4", "tinyllama-1.1b-fp8", "llama-3.1-8b-int4", "llama-3.1-8b-fp8");
    private static final String FIRST_GPU = "0";
    private static final long EACH_NANOS = 1_000_000_000L;

    /// As a part of the self-check.
    public static SelfCheck.Part part(EngineCatalog engines, Clock clock) {
        return new SelfCheck.Part(List.of("cuda_steps", "cuda_decode", "cuda_prefill", "cuda_together", "cuda_lanes"),
                new CudaRatioChecks(engines, clock));
    }

    @Override
    public List<SelfCheckResult> run(Consumer<String> begun) {
        CudaReport report = new CudaDriverProbe().probe();
        if (!report.available()) {
            return List.of(notChecked("cuda", "the GPU backend", report.reason()));
        }
        List<SelfCheckResult> results = new ArrayList<>();
        for (String engine : ENGINES) {
            begun.accept("steps of the GPU backend, " + engine);
            results.addAll(steps(engine));
        }
        return results;
    }

    private List<SelfCheckResult> steps(String name) {
        String id = "cuda_steps_" + name.replaceAll("[^a-z0-9]+", "_");
        try {
            EngineEntry entry = engines.find(name);
            if (entry.state() == EngineEntry.State.RECIPE_ONLY) {
                return List.of(notChecked(id, "steps of " + name,
                        "The engine is not built; \"inferometer engines build " + name + "\" builds it."));
            }
            try (Engine engine = Engine.open(entry.folder())) {
                return new CudaRatios(clock, FIRST_GPU, EACH_NANOS).steps(engine.descriptor().shape(), engine.weights())
                        .stream().map(ratio -> RatioLine.of(name, ratio)).toList();
            }
        } catch (EngineFormatException | ExecutorException e) {
            return List.of(notChecked(id, "steps of " + name, String.valueOf(e.getMessage())));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return List.of(notChecked(id, "steps of " + name, "The check was interrupted."));
        }
    }

    private static SelfCheckResult notChecked(String id, String name, String why) {
        return new SelfCheckResult(id, name, null, "x", SelfCheckResult.Bound.NONE, null,
                SelfCheckResult.State.NOT_CHECKED, why);
    }
}
