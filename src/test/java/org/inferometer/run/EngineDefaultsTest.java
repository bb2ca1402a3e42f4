package org.inferometer.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.inferometer.engine.Engine;
import org.inferometer.engine.EngineDescriptor.EngineDefaults;
import org.inferometer.engine.build.EngineBuilder;
import org.inferometer.engine.build.EngineCatalog;
import org.inferometer.engine.files.EngineFormatException;
import org.inferometer.execution.Backends;
import org.inferometer.experiment.ExperimentSpec;
import org.inferometer.experiment.ExperimentSpec.AskedLimits;
import org.inferometer.experiment.PlanFault;
import org.inferometer.options.Selection;
import org.inferometer.record.SamplePlans;
import org.inferometer.scheduling.Limits;
import org.inferometer.scheduling.SchedulerRegistry;
import org.inferometer.target.TargetKind.TargetKinds;
import org.inferometer.workload.ArrivalProcess;
import org.inferometer.workload.WorkloadExtents;
import org.inferometer.workload.WorkloadPresets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Experiments without limits of their own take those that the engine was built with.
class EngineDefaultsTest {
    @TempDir
    Path engines;

    private Planner planner(EngineDefaults defaults) throws Exception {
        Path folder = Files.createDirectories(engines.resolve("tiny-int4"));
        Files.copy(Path.of("engines/tiny-int4/recipe.yaml"), folder.resolve("recipe.yaml"));
        new EngineBuilder().build(new EngineCatalog(engines).find("tiny-int4"), defaults, done -> {});
        return new Planner(new EngineCatalog(engines).snapshot(), SchedulerRegistry.standard(),
                new Backends(List.of(new InstantBackend())), new TargetKinds(List.of()), new WorkloadExtents(),
                8L << 30);
    }

    /// Requests of at most 40 positions.
    private static ExperimentSpec spec(int rows, int length) {
        return new ExperimentSpec("test", List.of("tiny-int4"), List.of(Selection.of("continuous")),
                List.of(new WorkloadPresets().find("basic").withArrivals(new ArrivalProcess.ClosedLoop(16))),
                Selection.of("host"), 1, 2, 1, 100, 0, AskedLimits.of(rows, 0, length));
    }

    private static Limits limits(Planner planner, ExperimentSpec spec) throws EngineFormatException {
        return SamplePlans.engine(planner.plan(spec, "e", Path.of("results")).getFirst()).limits();
    }

    @Test
    void anExperimentWithoutLimitsTakesTheEngines() throws Exception {
        Planner planner = planner(new EngineDefaults(8, 256));
        assertThat(limits(planner, spec(0, 0))).isEqualTo(new Limits(8, 512, 256));
        assertThat(limits(planner, spec(3, 64))).isEqualTo(new Limits(3, 512, 64));
    }

    @Test
    void anEngineCanHaveOneLimitAlone() throws Exception {
        assertThat(limits(planner(new EngineDefaults(0, 64)), spec(0, 0))).isEqualTo(new Limits(16, 512, 64));
    }

    @Test
    void requestsBeyondTheEnginesLengthAreAFault() throws Exception {
        Planner planner = planner(new EngineDefaults(0, 32));
        assertThat(planner.faults(spec(0, 0))).extracting(PlanFault::sentence)
                .containsExactly("Requests reach 40 positions and tiny-int4 was built for 32."
                        + " Shorten the requests, or give --max-length 40.");
        assertThat(planner.faults(spec(0, 40))).isEmpty();
    }

    @Test
    void limitsAreKeptInTheDescriptor() throws Exception {
        planner(new EngineDefaults(8, 256));
        Path folder = engines.resolve("tiny-int4");
        assertThat(Engine.descriptor(folder).defaults()).isEqualTo(new EngineDefaults(8, 256));
        Path json = folder.resolve("engine.json");
        String content = Files.readString(json);
        Files.writeString(json, content.replace("\"max_length\" : 256", "\"max_length\" : 16385"));
        assertThatThrownBy(() -> Engine.descriptor(folder)).hasMessageContaining("The model has 16384 positions.");
        Files.writeString(json, content.replace("\"max_batch_size\" : 8", "\"max_batch_size\" : 0"));
        assertThatThrownBy(() -> Engine.descriptor(folder)).hasMessageContaining("max_batch_size");
    }
}
