package org.inferometer.benchmark;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/// Measures the ruler first: what this machine's clock, this program's load generator and its engine loop can resolve.
public final class SelfCheck {
    private final HarnessChecks harness;
    private final LoopCheck loop;
    private final StepShareCheck stepShare;

    /// @param stepShare runs a real engine; builds it first where needed
    public SelfCheck(HarnessChecks harness, LoopCheck loop, StepShareCheck stepShare) {
        this.harness = harness;
        this.loop = loop;
        this.stepShare = stepShare;
    }

    /// Runs all checks on the calling thread; takes about fifteen seconds.
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
        begun.accept("load generator");
        results.add(harness.generatorCeiling());
        results.add(harness.sendLateness());
        begun.accept("engine loop");
        results.addAll(loop.paceAndCost());
        begun.accept("share of a step outside the kernels");
        results.add(stepShare.shareOutsideKernels());
        return List.copyOf(results);
    }
}
