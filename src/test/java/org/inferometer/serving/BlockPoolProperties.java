package org.inferometer.serving;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.random.RandomGenerator;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.inferometer.scheduling.LaneId;
import org.inferometer.units.Seed;
import org.inferometer.workload.Arrival;
import org.inferometer.workload.Request;
import org.inferometer.workload.RequestId;
import org.inferometer.workload.Sampling;

/// A pool that reuses prefixes against a slow one that keeps whole contents in lists.
class BlockPoolProperties {
    private static final int BLOCK_TOKENS = 2;
    private static final int WORDS = 2;
    private static final int LONGEST = 9;

    /// What the slow pool knows of a request's beginning is what the fast one finds, and both hand out the same blocks.
    @Property(tries = 1000)
    void itFindsWhatASlowPoolFindsAndHandsOutTheSameBlocks(@ForAll long seed,
            @ForAll @IntRange(min = 1, max = 12) int blocks) {
        compare(seed, blocks, new PrefixIndex(blocks, BLOCK_TOKENS));
    }

    @Property(tries = 300)
    void blocksWhoseHashesCollideAreNotTakenForEachOther(@ForAll long seed,
            @ForAll @IntRange(min = 1, max = 12) int blocks) {
        compare(seed, blocks, new PrefixIndex(blocks, BLOCK_TOKENS, hash -> 0));
    }

    private static void compare(long seed, int blocks, PrefixIndex index) {
        RandomGenerator random = new Seed(seed).generator();
        BlockPool fast = new BlockPool(TestRequests.pool(BLOCK_TOKENS, blocks), index);
        SlowPool slow = new SlowPool(blocks);
        List<LiveRequest> running = new ArrayList<>();
        for (int id = 0; id < 60; id++) {
            if (random.nextInt(3) == 0 && !running.isEmpty()) {
                LiveRequest leaves = running.remove(random.nextInt(running.size()));
                slow.release(leaves.blocks);
                fast.release(leaves.blocks);
                continue;
            }
            LiveRequest request = request(id, random);
            int cached = fast.cachedBlocks(request);
            assertThat(cached).isEqualTo(slow.cachedBlocks(prompt(request)));
            int used = random.nextInt(cached + 1);
            assertThat(fast.adopt(request, used)).isTrue();
            assertThat(fast.adopt(other(request), cached + 1)).isFalse();
            slow.adopt(request.blocks, prompt(request));
            int needed = Math.ceilDiv(request.known(), BLOCK_TOKENS);
            boolean fits = fast.extend(request.blocks, needed);
            assertThat(fits).isEqualTo(needed - used <= slow.free.size());
            if (fits) {
                slow.take(request.blocks, used);
                request.admit(new LaneId(0), TestRequests.POOL, id, used * BLOCK_TOKENS);
                int computed = random.nextInt(request.known() - request.computed()) + 1;
                request.schedule(new LaneId(0), computed);
                request.complete();
                fast.noteWritten(request);
                slow.noteWritten(request.blocks, prompt(request), request.computed());
                running.add(request);
            } else {
                slow.release(request.blocks);
                fast.release(request.blocks);
            }
            assertThat(fast.freeBlocks()).isEqualTo(slow.free.size());
        }
        running.forEach(request -> fast.release(request.blocks));
        assertThat(fast.heldBlocks()).isZero();
        assertThat(index.size()).as("contents that nobody has are forgotten")
                .isLessThanOrEqualTo(blocks * LONGEST / BLOCK_TOKENS);
        for (int block = 0; block < blocks; block++) {
            assertThat(fast.holders(block)).isZero();
        }
    }

    /// Contents, holders and free blocks in lists, every look-up a search.
    private static final class SlowPool {
        private final List<Integer> free = new ArrayList<>();
        private final Map<Integer, List<Integer>> contents = new HashMap<>();
        private final Map<Integer, Integer> holders = new HashMap<>();

        private SlowPool(int blocks) {
            for (int block = 0; block < blocks; block++) {
                free.add(block);
            }
        }

        int cachedBlocks(List<Integer> prompt) {
            Set<List<Integer>> known = new HashSet<>(contents.values());
            int hits = 0;
            while ((hits + 1) * BLOCK_TOKENS < prompt.size()
                    && known.contains(prompt.subList(0, (hits + 1) * BLOCK_TOKENS))) {
                hits++;
            }
            return hits;
        }

        void adopt(BlockTable table, List<Integer> prompt) {
            for (int place = 0; place < table.count(); place++) {
                int block = table.block(place);
                assertThat(contents.get(block)).isEqualTo(prompt.subList(0, (place + 1) * BLOCK_TOKENS));
                holders.merge(block, 1, Integer::sum);
                free.remove((Integer) block);
            }
        }

        void take(BlockTable table, int from) {
            for (int place = from; place < table.count(); place++) {
                int block = free.removeFirst();
                assertThat(table.block(place)).isEqualTo(block);
                contents.remove(block);
                holders.put(block, 1);
            }
        }

        void noteWritten(BlockTable table, List<Integer> prompt, int computed) {
            for (int place = 0; (place + 1) * BLOCK_TOKENS <= computed; place++) {
                contents.put(table.block(place), List.copyOf(prompt.subList(0, (place + 1) * BLOCK_TOKENS)));
            }
        }

        void release(BlockTable table) {
            for (int place = table.count() - 1; place >= 0; place--) {
                if (holders.merge(table.block(place), -1, Integer::sum) == 0) {
                    free.add(table.block(place));
                }
            }
        }
    }

    private static LiveRequest request(int id, RandomGenerator random) {
        int[] prompt = new int[1 + random.nextInt(LONGEST)];
        Arrays.setAll(prompt, i -> random.nextInt(WORDS));
        Request request = new Request(new RequestId(id), prompt, 1, new Arrival.At(0), Sampling.GREEDY);
        return new LiveRequest(request, AnswerEnds.NONE.check(request.stop()), id, id, new LaneId(0),
                TestRequests.POOL);
    }

    private static LiveRequest other(LiveRequest request) {
        return new LiveRequest(request.request, AnswerEnds.NONE.check(request.request.stop()), request.arrivedNanos,
                request.slot, request.lane, request.pool);
    }

    private static List<Integer> prompt(LiveRequest request) {
        return Arrays.stream(request.request.promptTokens()).boxed().toList();
    }
}
