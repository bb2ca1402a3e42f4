package org.inferometer.suite.mapping;

import java.util.List;
import java.util.Optional;
import org.inferometer.experiment.ExperimentSpec;
import org.inferometer.experiment.ExperimentSpec.AskedLimits;
import org.inferometer.options.Selection;
import org.inferometer.suite.SuiteFile.TestFile;
import org.inferometer.suite.SuiteFile.TestReference;
import org.inferometer.suite.figures.AnswerReference;
import org.inferometer.suite.launch.TrtllmLaunch;
import org.inferometer.suite.mapping.TestPlatform.Endpoint;
import org.inferometer.suite.mapping.TestPlatform.OwnEngine;
import org.inferometer.suite.mapping.TestPlatform.TrtllmServers;
import org.inferometer.suite.serving.TestConfiguration.Aggregated;
import org.inferometer.suite.serving.TestConfiguration.Disaggregated;
import org.inferometer.units.EnvironmentVariables;
import org.inferometer.workload.ArrivalProcess;
import org.inferometer.workload.LengthDistribution;
import org.inferometer.workload.WorkloadSpec;

/// Makes experiments of test configurations.
///
/// @param platform what tests run on
public record TestMapping(TestPlatform platform, Measuring measuring) {
    static final int MOST_CONCURRENCY = 100_000;
    static final long MOST_REQUESTS = 10_000_000;
    private static final String ACCURACY = "accuracy";

    /// The experiments of a test, and what becomes of each of its fields.
    public MappedTest of(TestFile test) {
        FieldUses uses = new FieldUses(test.configuration().file());
        Optional<TestReference> reference =
                test.id().category().equals(ACCURACY) ? reference(test, uses) : Optional.empty();
        Optional<TrtllmLaunch> launch = platform instanceof TrtllmServers(EnvironmentVariables environment)
                ? TrtllmMapping.launch(test.configuration(), test.id().stem(), environment, uses) : Optional.empty();
        String name = test.id().toString();
        List<ExperimentSpec> experiments =
                platform instanceof TrtllmServers && launch.isEmpty() ? List.of() : switch (test.configuration()) {
                    case Disaggregated servers -> new DisaggregatedMapping(servers, platform, uses).loads()
                            .map(loads -> List.of(experiment(name, loads, launch))).orElse(List.of());
                    case Aggregated servers -> new AggregatedMapping(servers, platform, uses).loads().stream()
                            .map(loads -> experiment(servers.list().size() == 1 ? name : name + "_" + loads.name(),
                                    loads, launch))
                            .toList();
                };
        describe(uses);
        String other = switch (platform) {
            case OwnEngine engine -> "This program's engines have nothing like it.";
            case Endpoint server -> "The server decides.";
            case TrtllmServers servers -> "The launch has nothing like it.";
        };
        List<ExperimentSpec> asked = reference
                .map(file -> experiments.stream().map(spec -> asking(spec, file)).toList()).orElse(experiments);
        return new MappedTest(uses.blocked().isEmpty() ? asked : List.of(), uses.all(other), uses.blocked(), launch);
    }

    /// The reference file of an accuracy test; empty, and the test blocked, if there is none or it is broken.
    private static Optional<TestReference> reference(TestFile test, FieldUses uses) {
        if (test.reference().isEmpty()) {
            String tasks = test.configuration().file().section("accuracy").text("tasks");
            uses.block("An accuracy test needs its data set" + (tasks.isEmpty() ? "" : " " + tasks)
                    + ", which is not here. To compare answers with a reference, write "
                    + AnswerReference.of(test.file()).getFileName() + " beside it.");
        }
        test.reference().map(TestReference::fault).filter(fault -> !fault.isEmpty()).ifPresent(uses::block);
        return test.reference().filter(file -> file.fault().isEmpty());
    }

    /// The experiment with the prompts of a reference, each asked once, as many at a time as its widest load has; answers are kept.
    private static ExperimentSpec asking(ExperimentSpec spec, TestReference reference) {
        WorkloadSpec widest = spec.workloads().getLast();
        int inFlight = widest.arrivals() instanceof ArrivalProcess.ClosedLoop(int concurrency) ? concurrency : 1;
        return spec
                .withWorkloads(List.of(widest.withName("reference")
                        .withPromptFile(reference.file().toAbsolutePath().toString()).withRequests(reference.prompts())
                        .withArrivals(new ArrivalProcess.ClosedLoop(Math.min(inFlight, reference.prompts())))))
                .withTexts();
    }

    private void describe(FieldUses uses) {
        if (platform instanceof TrtllmServers) {
            uses.used("metadata.model_dir_name", "Names the model's folder.");
            uses.used("metadata.model_name", "Describes the model.");
            uses.used("metadata.precision", "Describes the model.");
        } else {
            uses.changed("metadata.model_name", "Measured on " + platform.text() + ".");
            uses.changed("metadata.precision", "The precision is that of " + platform.text() + ".");
        }
        uses.used("metadata.supported_gpus", "Chooses tests (--gpu).");
        uses.used("benchmark.streaming", "Answers are streamed.");
    }

    private ExperimentSpec experiment(String name, Loads loads, Optional<TrtllmLaunch> launch) {
        return switch (platform) {
            case OwnEngine(String engine, Selection backend) -> new ExperimentSpec(name, List.of(engine),
                    List.of(loads.scheduler()), loads.workloads(), backend, measuring.runs(), measuring.warmUp(),
                    measuring.seed(), ExperimentSpec.STANDARD.sampleEveryMillis(), 0, loads.limits());
            case Endpoint(Selection target) -> against(target, name, loads);
            case TrtllmServers servers -> against(TrtllmMapping.target(launch.orElseThrow()), name, loads);
        };
    }

    private ExperimentSpec against(Selection target, String name, Loads loads) {
        return new ExperimentSpec(name, List.of(), List.of(loads.scheduler()), loads.workloads(), Selection.of("host"),
                measuring.runs(), loads.warm() ? measuring.warmUp() : 0, measuring.seed(),
                ExperimentSpec.STANDARD.sampleEveryMillis(), 0, loads.limits()).onTargetsOnly(List.of(target));
    }

    /// What servers of one kind are measured under.
    ///
    /// @param name of the servers
    /// @param scheduler of this program's engines; unused by an endpoint
    /// @param warm whether requests may come before the load
    record Loads(String name, Selection scheduler, AskedLimits limits, List<WorkloadSpec> workloads, boolean warm) {}

    /// A load with so many requests in flight.
    static WorkloadSpec load(String name, Lengths lengths, int concurrency, int requests) {
        return new WorkloadSpec(name, lengths.prompts(), lengths.outputs(), null, 0,
                new ArrivalProcess.ClosedLoop(concurrency), requests, 0);
    }

    /// The larger of two limits that may be absent; 0 for none.
    static int larger(Optional<Integer> one, Optional<Integer> other) {
        return Math.max(one.orElse(0), other.orElse(0));
    }

    /// How tests are measured.
    ///
    /// @param runs repetitions of each load
    /// @param warmUp requests before measuring starts
    /// @param seed source of every random draw
    public record Measuring(int runs, int warmUp, long seed) {}

    /// Lengths of a test's load.
    ///
    /// @param ratio the shortest length as a share of the longest, as benchmark_serving's random-range-ratio; 1 for equal lengths
    record Lengths(int input, int output, double ratio) {
        LengthDistribution prompts() {
            return drawn(input);
        }

        LengthDistribution outputs() {
            return drawn(output);
        }

        private LengthDistribution drawn(int longest) {
            int shortest = Math.max(1, (int) (longest * ratio));
            return shortest >= longest ? new LengthDistribution.FixedLength(longest)
                    : new LengthDistribution.UniformLength(shortest, longest);
        }
    }
}
