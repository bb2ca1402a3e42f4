package org.inferometer.execution.host.peer;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.inferometer.engine.Engine;
import org.inferometer.execution.Executor;
import org.inferometer.execution.ExecutorException;
import org.inferometer.execution.LaneJob.Step;
import org.inferometer.execution.LaneJob.StepSlice;
import org.inferometer.execution.StepOutcome;
import org.inferometer.execution.backend.ExecutorSizes;
import org.inferometer.execution.host.machine.HostOptions;
import org.inferometer.execution.host.steps.HostExecutor;
import org.inferometer.execution.host.steps.KvCache;
import org.inferometer.options.OptionRecords;
import org.inferometer.options.Selection;
import org.inferometer.scheduling.LaneLayout;
import org.inferometer.units.SystemClock;
import org.inferometer.workload.Sampling;

/// The host backend, step by step.
final class HostPeer implements Peer {
    /// Tokens that each sequence decodes.
    static final int DECODED = 48;
    private static final int STEP_POSITIONS = 512;

    private final Engine engine;
    private final Executor executor;
    private final int blockTokens;
    private final int positions;
    private long steps;

    /// @param engine closed by this
    /// @param options of the backend, such as `host:threads=2`
    /// @param sequences that decode together
    /// @param positions of each
    HostPeer(Engine engine, String options, int sequences, int positions) throws Exception {
        this.engine = engine;
        this.positions = positions;
        HostOptions read = OptionRecords.read(HostOptions.class, Selection.parse(options));
        blockTokens = read.blockTokens();
        long blocks = (long) sequences * Math.ceilDiv(positions, blockTokens);
        executor = HostExecutor.open(engine, read, LaneLayout.sharing(1),
                new ExecutorSizes(blocks * KvCache.blockBytes(engine.descriptor().shape(), read), STEP_POSITIONS,
                        positions, sequences),
                new SystemClock());
    }

    @Override
    public double prefillSeconds(int tokens) throws ExecutorException {
        long start = System.nanoTime();
        prefill(0, tokens);
        return (System.nanoTime() - start) / 1e9;
    }

    private void prefill(int sequence, int tokens) throws ExecutorException {
        for (int from = 0; from < tokens; from += STEP_POSITIONS) {
            int[] part = new int[Math.min(STEP_POSITIONS, tokens - from)];
            Arrays.fill(part, 259);
            run(List.of(new StepSlice(from, part, blocks(sequence), from + part.length == tokens, Sampling.GREEDY)));
        }
    }

    @Override
    public double decodeRate(int sequences, int position) throws ExecutorException {
        int[] tokens = new int[sequences];
        for (int i = 0; i < sequences; i++) {
            prefill(i, position);
        }
        long start = System.nanoTime();
        for (int step = 0; step < DECODED; step++) {
            List<StepSlice> slices = new ArrayList<>();
            for (int i = 0; i < sequences; i++) {
                slices.add(new StepSlice(position + step, new int[]{tokens[i]}, blocks(i), true, Sampling.GREEDY));
            }
            tokens = run(slices);
        }
        return DECODED * sequences * 1e9 / (System.nanoTime() - start);
    }

    private int[] blocks(int sequence) {
        int each = Math.ceilDiv(positions, blockTokens);
        int[] table = new int[each];
        Arrays.setAll(table, i -> sequence * each + i);
        return table;
    }

    private int[] run(List<StepSlice> slices) throws ExecutorException {
        CompletableFuture<StepOutcome> done = new CompletableFuture<>();
        executor.submit(executor.lanes().getFirst(), new Step(steps++, slices, 0, false), done::complete);
        return switch (done.join()) {
            case StepOutcome.Completed completed -> completed.tokens();
            case StepOutcome.Failed(ExecutorException cause) -> throw cause;
            case StepOutcome.Transferred _ -> throw new IllegalStateException("A step copied.");
        };
    }

    @Override
    public void close() {
        executor.close();
        engine.close();
    }
}
