package org.inferometer.selfcheck;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.inferometer.engine.Engine;
import org.inferometer.engine.EngineFormatException;
import org.inferometer.engine.build.EngineBuilder;
import org.inferometer.engine.build.EngineCatalog;
import org.inferometer.engine.build.EngineEntry;
import org.inferometer.execution.ExecutorException;
import org.inferometer.execution.host.HostRatios;
import org.inferometer.record.SelfCheckResult;
import org.inferometer.units.Clock;

/// The host backend's ratios as lines of the self-check: kernels on made-up matrices, steps on a small engine, and on the large one
/// where it is built.
public record HostRatioChecks(EngineCatalog engines, Clock clock) implements SelfCheck.BackendChecks {
    private static final String SMALL = "smollm-135m-int4";
    private static final String LARGE = "tinyllama-1.1b-int4";
    private static final long EACH_NANOS = 2_000_000_000L;

    /// As a part of the self-check.
    public static SelfCheck.Part part(EngineCatalog engines, Clock clock) {
        return new SelfCheck.Part(List.of("host_decode", "host_prefill", "host_attention", "host_start",
                "host_together", "host_lanes", "host_share", "host_steps"), new HostRatioChecks(engines, clock));
    }

    @Override
    public List<SelfCheckResult> run(Consumer<String> begun) {
        HostRatios ratios = new HostRatios(clock, HostRatios.standardThreads(), EACH_NANOS);
        begun.accept("kernels of the host backend");
        List<SelfCheckResult> results = new ArrayList<>();
        ratios.kernels().forEach(ratio -> results.add(RatioLine.of("", ratio)));
        begun.accept("steps of the host backend");
        for (String engine : List.of(SMALL, LARGE)) {
            results.addAll(steps(ratios, engine));
        }
        return results;
    }

    private List<SelfCheckResult> steps(HostRatios ratios, String name) {
        try {
            EngineEntry entry = engines.find(name);
            if (entry.state() == EngineEntry.State.RECIPE_ONLY) {
                if (name.equals(LARGE)) {
                    return List.of(notChecked(name,
                            "The engine is not built; \"inferometer engines build " + name + "\" builds it."));
                }
                new EngineBuilder().build(entry, fraction -> {});
            }
            List<SelfCheckResult> results = new ArrayList<>();
            results.add(RatioLine.of(name, ratios.start(entry.folder())));
            try (Engine engine = Engine.open(entry.folder())) {
                ratios.steps(engine).forEach(ratio -> results.add(RatioLine.of(name, ratio)));
            }
            return results;
        } catch (EngineFormatException | ExecutorException e) {
            return List.of(notChecked(name, String.valueOf(e.getMessage())));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return List.of(notChecked(name, "The check was interrupted."));
        }
    }

    private static SelfCheckResult notChecked(String engine, String why) {
        return new SelfCheckResult("host_steps_" + engine.replaceAll("[^a-z0-9]+", "_"), "steps of " + engine, null,
                "x", SelfCheckResult.Bound.NONE, null, SelfCheckResult.State.NOT_CHECKED, why);
    }
}
