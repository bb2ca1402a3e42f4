package org.inferometer.execution.backend;

import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.inferometer.execution.LaneJob.Step;
import org.inferometer.execution.StepOutcome;
import org.inferometer.execution.backend.LaneRunner.LaneWork;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/// The hand-over of an empty step to a lane's thread.
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(1)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
public class LaneRunnerBenchmark {
    private static final Step STEP = new Step(0, List.of(), 0, false);
    private static final int CHAIN = 100_000;
    private static final StepOutcome DONE = new StepOutcome.Completed(new int[0], 1, 2, 0, new float[0][]);

    /// Looks for a step before the thread parks; 0 parks at once.
    @Param({"0", "2000"})
    int spins;

    private LaneRunner<Step> lane;
    private final Consumer<StepOutcome> whenDone = outcome -> done = true;
    private final Consumer<StepOutcome> next = outcome -> submitNext();
    private volatile boolean done;
    private int left;

    /// Starts the thread.
    @Setup
    public void start() {
        lane = LaneRunner.start("lane", new EmptyWork(), spins);
    }

    /// Ends the thread.
    @TearDown
    public void end() {
        lane.close();
    }

    /// From `submit` to the call of the listener. Needs two free cores.
    @Benchmark
    public void roundTrip() {
        done = false;
        lane.submit(STEP, whenDone);
        while (!done) {
            Thread.onSpinWait();
        }
    }

    /// A step whose listener submits the next one: the cost of a hand-over without a change of threads.
    @Benchmark
    @OperationsPerInvocation(CHAIN)
    public void chained() {
        done = false;
        left = CHAIN;
        lane.submit(STEP, next);
        while (!done) {
            Thread.onSpinWait();
        }
    }

    private void submitNext() {
        left--;
        lane.submit(STEP, left > 0 ? next : whenDone);
    }

    private record EmptyWork() implements LaneWork<Step> {
        @Override
        public StepOutcome perform(Step job) {
            return DONE;
        }

        @Override
        public void close() {}
    }
}
