package org.inferometer.measurement;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;
import org.inferometer.record.Figure;
import org.inferometer.record.RequestOutcome;
import org.inferometer.record.RequestStatus;
import org.inferometer.record.RunObservations;
import org.inferometer.units.Seed;
import org.inferometer.workload.RequestId;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/// How long all figures of a run take: up to a million requests of eight tokens.
@State(Scope.Benchmark)
@BenchmarkMode(Mode.SingleShotTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Fork(value = 1, jvmArgs = "-Xmx3g")
@Warmup(iterations = 2)
@Measurement(iterations = 5)
public class RunFiguresBenchmark {
    private static final int TOKENS = 8;

    @Param({"10000", "1000000"})
    private int requests;

    private RunObservations observations =
            new RunObservations(List.of(), List.of(), List.of(), new RunObservations.Setup(1, 8, 2, 100));

    /// Draws the requests.
    @Setup
    public void draw() {
        RandomGenerator random = new Seed(7).generator();
        List<RequestOutcome> drawn = new ArrayList<>(requests);
        for (int i = 0; i < requests; i++) {
            long intended = i * 1_000_000L;
            long[] tokens = new long[TOKENS];
            long at = intended;
            for (int t = 0; t < TOKENS; t++) {
                at += random.nextLong(1_000_000, 50_000_000);
                tokens[t] = at;
            }
            drawn.add(new RequestOutcome(new RequestId(i), false, 64, TOKENS, intended,
                    intended + random.nextLong(100_000), intended + 200_000, intended + 300_000, at + 1,
                    RequestStatus.OK, "", tokens));
        }
        observations = new RunObservations(drawn, List.of(), List.of(), observations.setup());
    }

    /// All figures.
    @Benchmark
    public List<Figure> allFigures() {
        return RunFigures.of(observations);
    }
}
