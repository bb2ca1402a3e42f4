package org.inferometer.cli;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Function;
import org.inferometer.experiment.ExperimentSpec;
import org.inferometer.experiment.PlanFault;
import org.inferometer.options.Access;
import org.inferometer.record.ExperimentManifest;
import org.inferometer.record.RunStatus;
import org.inferometer.record.Verdict;
import org.inferometer.results.ResultFiles;
import org.inferometer.run.BenchmarkService;
import org.inferometer.run.ExperimentListener;
import org.inferometer.run.RunningExperiment;
import org.inferometer.run.SchedulerLanes;

/// A service that plays a script to its listener instead of measuring, and saves the manifest of the experiment.
public final class FakeBenchmarks implements BenchmarkService {
    public final List<ExperimentSpec> started = new ArrayList<>();
    public List<PlanFault> faults = List.of();
    public Function<ExperimentSpec, List<Access>> accesses = spec -> List.of();
    public List<SchedulerLanes> lanes = List.of();
    public long buildBytes;
    public Consumer<ExperimentSpec> checked = spec -> {};
    public BiConsumer<ExperimentSpec, ExperimentListener> script = (spec, listener) -> {};
    public volatile RunStatus status = RunStatus.COMPLETE;
    public String failure = "";
    public Verdict verdict = Samples.VALID;
    /// Why the machine is busy, at each look; free at the end.
    public final Deque<String> busy = new ArrayDeque<>();
    public Runnable whileAwaited = () -> {};
    public volatile int cancellations;
    private final Path results;

    /// @param results where experiments are saved
    FakeBenchmarks(Path results) {
        this.results = results;
    }

    @Override
    public List<Access> accesses(ExperimentSpec spec) {
        return accesses.apply(spec);
    }

    @Override
    public List<PlanFault> check(ExperimentSpec spec) {
        checked.accept(spec);
        return faults;
    }

    @Override
    public Optional<String> busy() {
        return Optional.ofNullable(busy.poll());
    }

    @Override
    public Estimate estimate(ExperimentSpec spec) {
        return new Estimate(spec.cells().size() * spec.runs(), 48, 15 << 20, 64 << 20, 8L << 30);
    }

    @Override
    public long buildBytes(ExperimentSpec spec) {
        return buildBytes;
    }

    @Override
    public List<SchedulerLanes> lanes(ExperimentSpec spec) {
        return lanes;
    }

    @Override
    public RunningExperiment start(ExperimentSpec spec, ExperimentListener listener) {
        started.add(spec);
        return new RunningExperiment() {
            @Override
            public Path folder() {
                return results.resolve(manifest().id());
            }

            @Override
            public void cancel() {
                status = RunStatus.CANCELLED;
                cancellations = cancellations + 1;
            }

            @Override
            public ExperimentManifest await() {
                script.accept(spec, listener);
                whileAwaited.run();
                ExperimentManifest manifest = manifest();
                try (ResultFiles files = new ResultFiles()) {
                    files.saveExperiment(folder(), manifest);
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
                listener.ended(manifest);
                return manifest;
            }

            private ExperimentManifest manifest() {
                return Samples.manifest(spec, status, failure, verdict);
            }
        };
    }
}
