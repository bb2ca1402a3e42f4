package org.inferometer.serving;

import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import org.inferometer.execution.Executor.KvGeometry;
import org.inferometer.execution.Executor.OwnedMemory;
import org.inferometer.scheduling.Lane;
import org.inferometer.scheduling.LaneId;
import org.inferometer.scheduling.Limits;
import org.inferometer.scheduling.PoolId;
import org.inferometer.units.Clock;
import org.inferometer.workload.Arrival;
import org.inferometer.workload.Request;
import org.inferometer.workload.RequestId;
import org.inferometer.workload.Sampling;

/// Small engines and requests for tests.
public final class TestRequests {
    public static final PoolId POOL = new PoolId(0);
    public static final Lane LANE = new Lane(new LaneId(0), Lane.Role.ANY, POOL);

    /// Starts nothing and fails if it is asked to.
    static final StepStarter NO_STARTER = (lane, job) -> {
        throw new AssertionError("no job is expected");
    };

    private TestRequests() {}

    /// A clock that gives these instants one after the other, the last of them for ever.
    static Clock clockAt(long... nanos) {
        int[] calls = {0};
        return new Clock() {
            @Override
            public long nanos() {
                return nanos[Math.min(calls[0]++, nanos.length - 1)];
            }

            @Override
            public Instant wall() {
                return Instant.EPOCH;
            }
        };
    }

    public static Request request(int id, int promptTokens, int outputTokens) {
        int[] prompt = new int[promptTokens];
        Arrays.setAll(prompt, i -> id * 1000 + i);
        return new Request(new RequestId(id), prompt, outputTokens, new Arrival.At(0), Sampling.GREEDY);
    }

    public static KvGeometry pool(int blockTokens, int blocks) {
        return new KvGeometry(POOL, blockTokens, blocks, 1024);
    }

    public static EngineSetup setup(int blockTokens, int blocks, Limits limits) {
        return setup(1, blockTokens, blocks, limits);
    }

    public static EngineSetup setup(int lanes, int blockTokens, int blocks, Limits limits) {
        List<Lane> all = java.util.stream.IntStream.range(0, lanes)
                .mapToObj(i -> new Lane(new LaneId(i), Lane.Role.ANY, POOL)).toList();
        return new EngineSetup(all, List.of(pool(blockTokens, blocks)), limits, () -> new OwnedMemory(1000, 0, 0, 0));
    }
}
