package org.inferometer.benchmark;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/// Measures the ruler first: what this machine's clock, this program's load generator and its engine loop can resolve.
public final class SelfCheck {
    private final HarnessChecks harness;
    private final LoopCheck loop;
    private final StepShareCheck stepShare;
    private final BackendChecks client;
    private final List<BackendChecks> backends;

    /// What a backend or a target measures about itself.
    @FunctionalInterface
    public interface BackendChecks {
        /// Runs the backend's checks on the calling thread.
        ///
        /// @param begun hears the name of each check as it begins
        List<SelfCheckResult> run(Consumer<String> begun);
    }

    /// @param stepShare runs a real engine; builds it first where needed
    /// @param client what drives servers
    /// @param backends run last, in this order
    public SelfCheck(HarnessChecks harness, LoopCheck loop, StepShareCheck stepShare, BackendChecks client, List<BackendChecks> backends) {
        this.harness = harness;
        this.loop = loop;
        this.stepShare = stepShare;
        this.client = client;
        this.backends = List.copyOf(backends);
    }

    /// Runs all checks on the calling thread; takes about half a minute.
    ///
    /// @param begun hears the name of each check as it begins
    public List<SelfCheckResult> run(Consumer<String> begun) {
        List<SelfCheckResult> results = new ArrayList<>();
        begun.accept("timer grain");
        results.add(harness.timerGrain());
        begun.accept("wake-up lateness");
        results.add(harness.wakeUpLateness());
        begun.accept("noise of this machine");
        results.add(harness.noise());
        begun.accept("telemetry");
        results.add(harness.telemetryShare());
        begun.accept("load generator");
        results.add(harness.generatorCeiling());
        results.add(harness.sendLateness());
        results.addAll(client.run(begun));
        begun.accept("engine loop");
        results.addAll(loop.paceAndCost());
        begun.accept("share of a step outside the kernels");
        results.add(stepShare.shareOutsideKernels());
        backends.forEach(backend -> results.addAll(backend.run(begun)));
        return List.copyOf(results);
    }
}
