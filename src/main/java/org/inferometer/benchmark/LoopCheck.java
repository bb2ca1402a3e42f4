package org.inferometer.benchmark;

import org.inferometer.options.OptionException;
import org.inferometer.options.Selection;
import org.inferometer.scheduling.SchedulerRegistry;
import org.inferometer.units.Clock;

/// How fast the engine loop decides when computing takes no time: 64 requests running, recording on.
public final class LoopCheck {
    private static final int ROWS = 64;
    private static final int WARM_UP_TOKENS = 8_000;
    private static final int MEASURED_TOKENS = 32_000;
    private static final int GOAL = 100_000;

    private final NullLoad load;

    /// All collaborators; nothing is started.
    public LoopCheck(Clock clock, SchedulerRegistry schedulers, TargetFactory targets) {
        this.load = new NullLoad(clock, schedulers, targets);
    }

    SelfCheckResult decidedStepsPerSecond() {
        String name = "engine loop, null executor, 64 running, recording on";
        Selection scheduler = Selection.of("continuous");
        try {
            load.stepsPerSecond(scheduler, ROWS, WARM_UP_TOKENS);
            double rate = Math.max(
                    load.stepsPerSecond(scheduler, ROWS, MEASURED_TOKENS), load.stepsPerSecond(scheduler, ROWS, MEASURED_TOKENS));
            return SelfCheckResult.atLeast("loop_steps", name, rate, "steps/s", GOAL, "A step shorter than the inverse would be ruled by the loop.");
        } catch (OptionException e) {
            return SelfCheckResult.notChecked("loop_steps", name, "steps/s", String.valueOf(e.getMessage()));
        }
    }
}
