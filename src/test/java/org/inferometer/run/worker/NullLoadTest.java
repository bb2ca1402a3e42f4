package org.inferometer.run.worker;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.inferometer.options.OptionException;
import org.inferometer.options.Selection;
import org.inferometer.record.StepReport;
import org.inferometer.run.SplitScheduler;
import org.inferometer.scheduling.LaneLayout;
import org.inferometer.scheduling.SchedulerDescription;
import org.inferometer.scheduling.SchedulerRegistry;
import org.inferometer.units.SystemClock;
import org.junit.jupiter.api.Test;

class NullLoadTest {
    private static final int ROWS = 8;
    private static final int TOKENS = 50;

    private static long decoded(SchedulerRegistry registry, Selection scheduler, int lanesAsked)
            throws OptionException {
        LaneLayout layout = registry.find(scheduler.name()).layout(scheduler, lanesAsked);
        List<StepReport> steps = new ArrayList<>();
        new NullLoad(new SystemClock(), registry).stepsPerSecond(scheduler, layout, ROWS, TOKENS, steps::add);
        return steps.stream().mapToLong(StepReport::decodeRows).sum();
    }

    @Test
    void everySchedulerIsRehearsedToItsLastTokenOnOneLaneAndOnTwo() throws OptionException {
        SchedulerRegistry registry = SchedulerRegistry.standard();
        for (SchedulerDescription<?> description : registry.descriptions()) {
            Selection scheduler = Selection.of(description.name());
            assertThat(decoded(registry, scheduler, 0)).as(description.name()).isEqualTo(ROWS * (TOKENS - 1L));
            assertThat(decoded(registry, scheduler, 2)).as(description.name() + " on two lanes")
                    .isEqualTo(ROWS * (TOKENS - 1L));
        }
    }

    @Test
    void pathsBetweenPoolsAreRehearsedToo() throws OptionException {
        SchedulerRegistry registry = new SchedulerRegistry(List.of(SplitScheduler.DESCRIPTION));
        assertThat(decoded(registry, Selection.parse("split:gen=3"), 0)).isEqualTo(ROWS * (TOKENS - 1L));
    }
}
