package org.inferometer.run.worker;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.inferometer.execution.Executor.KvGeometry;
import org.inferometer.execution.LaneJob.KvTransfer;
import org.inferometer.execution.LaneJob.Step;
import org.inferometer.execution.LaneJob.StepSlice;
import org.inferometer.scheduling.Lane;
import org.inferometer.scheduling.Limits;
import org.inferometer.scheduling.PoolId;
import org.inferometer.workload.Sampling;

/// The warm-up steps and transfers of a lane within limits and pools; small ones first, because code that is not compiled
/// yet is a hundred times slower.
///
/// Each lane uses its own range of the pool and wraps at the end; the content of the blocks is not used.
///
/// @param lanes of the executor, by index
/// @param pools of the executor, by index
record WarmUpShapes(List<Lane> lanes, List<KvGeometry> pools, Limits limits) {
    private static final int CONTEXT_POSITIONS = 24;
    private static final int PREFILL_POSITIONS = 64;
    private static final int FEW_ROWS = 4;

    /// For decode lanes one row, few rows and a full batch; for prefill lanes a prefill, short ones first if the lane only
    /// prefills. Empty for transfer lanes, or if the pool cannot hold a request.
    List<Step> steps(Lane lane) {
        KvGeometry pool = pools.get(lane.pool().index());
        int first = firstBlock(lane, pool);
        int rows =
                Math.min(Math.min(limits.maxBatchRows(), limits.maxStepPositions()), pool.blocks() / blocksEach(pool));
        if (rows < 1) {
            return List.of();
        }
        int prefill = Math.min(positions(), limits.maxStepPositions());
        Stream<Step> decodes = upTo(rows).mapToObj(count -> decode(count, pool, first));
        return switch (lane.role()) {
            case ANY -> Stream.concat(decodes, Stream.of(prefill(prefill, pool, first))).toList();
            case DECODE -> decodes.toList();
            case PREFILL -> upTo(prefill).mapToObj(count -> prefill(count, pool, first)).toList();
            case TRANSFER -> List.of();
        };
    }

    private static IntStream upTo(int most) {
        return IntStream.of(1, Math.min(most, FEW_ROWS), most).distinct();
    }

    /// For a transfer lane: the KV of one request from each other pool to the lane's pool.
    List<KvTransfer> transfers(Lane lane) {
        List<KvTransfer> transfers = new ArrayList<>();
        KvGeometry to = pools.get(lane.pool().index());
        for (KvGeometry from : pools) {
            int blocks = Math.min(Math.min(from.blocks(), to.blocks()), blocksEach(to));
            if (lane.role() == Lane.Role.TRANSFER && !from.pool().equals(to.pool()) && blocks > 0) {
                int[] table = IntStream.range(0, blocks).toArray();
                int positions = Math.min(positions(), blocks * to.blockTokens());
                transfers.add(new KvTransfer(0, from.pool(), table, to.pool(), table, positions));
            }
        }
        return transfers;
    }

    private int positions() {
        return Math.min(limits.maxSequencePositions(), PREFILL_POSITIONS);
    }

    private int blocksEach(KvGeometry pool) {
        return Math.ceilDiv(positions(), pool.blockTokens());
    }

    /// The lanes on a pool divide it.
    private int firstBlock(Lane lane, KvGeometry pool) {
        List<Lane> onPool = computingOn(lane.pool());
        return (int) ((long) pool.blocks() * Math.max(0, onPool.indexOf(lane)) / Math.max(1, onPool.size()));
    }

    private List<Lane> computingOn(PoolId pool) {
        return lanes.stream().filter(lane -> lane.role() != Lane.Role.TRANSFER && lane.pool().equals(pool)).toList();
    }

    private Step decode(int rows, KvGeometry pool, int firstBlock) {
        int context = Math.min(positions() - 1, CONTEXT_POSITIONS);
        return new Step(0, IntStream.range(0, rows).mapToObj(row -> slice(row, context, 1, pool, firstBlock)).toList(),
                0, false);
    }

    private Step prefill(int count, KvGeometry pool, int firstBlock) {
        return new Step(0, List.of(slice(0, 0, count, pool, firstBlock)), 0, false);
    }

    private StepSlice slice(int row, int firstPosition, int count, KvGeometry pool, int firstBlock) {
        int[] blocks = new int[blocksEach(pool)];
        Arrays.setAll(blocks, i -> (int) (((long) firstBlock + (long) row * blocks.length + i) % pool.blocks()));
        return new StepSlice(firstPosition, new int[count], blocks, true, Sampling.GREEDY);
    }
}
