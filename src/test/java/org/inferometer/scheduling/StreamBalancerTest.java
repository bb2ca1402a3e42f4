package org.inferometer.scheduling;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.inferometer.serving.TestRequests;
import org.junit.jupiter.api.Test;

/// Worked by hand from the original's rules for two streams; three and more carry them on.
class StreamBalancerTest {
    @Test
    void roundRobinGoesByThePlaceInTheList() {
        List<RequestProgress> five =
                List.of(generating(0, 9, 5), generating(1, 1, 5), waiting(2, 4), waiting(3, 4), waiting(4, 7));

        assertThat(split(BalancingStrategy.ROUND_ROBIN, 2, five)).containsExactly(0, 1, 0, 1, 0);
        assertThat(split(BalancingStrategy.ROUND_ROBIN, 3, five)).containsExactly(0, 1, 2, 0, 1);
    }

    @Test
    void smartAssignsContextsAndGenerationsByTurns() {
        List<RequestProgress> mixed =
                List.of(generating(0, 4, 5), generating(1, 4, 5), generating(2, 4, 5), waiting(3, 4), waiting(4, 4));

        assertThat(split(BalancingStrategy.SMART, 2, mixed)).containsExactly(0, 1, 0, 0, 1);
    }

    @Test
    void smartGivesAnEmptyStreamTheFirstHalfOfTheFullestContextsFirst() {
        List<RequestProgress> both = List.of(generating(0, 4, 5), waiting(1, 4));

        assertThat(split(BalancingStrategy.SMART, 2, both)).containsExactly(0, 1);
        assertThat(split(BalancingStrategy.SMART, 2, List.of(waiting(0, 4)))).containsExactly(0);
        assertThat(split(BalancingStrategy.SMART, 3, List.of(waiting(0, 4), waiting(1, 4), generating(2, 4, 5))))
                .containsExactly(2, 1, 0);
    }

    @Test
    void balancedTakesTheHeaviestFirstOntoTheLighterStream() {
        // 16 to stream 0, 12 to stream 1, 10 to stream 1 (22), 6 to stream 0 (22): not in the order of arrival.
        List<RequestProgress> contexts = List.of(waiting(0, 3), waiting(1, 8), waiting(2, 5), waiting(3, 6));

        assertThat(split(BalancingStrategy.BALANCED, 2, contexts)).containsExactly(0, 0, 1, 1);
    }

    /// The examples of ParallelStreamScheduler's documentation.
    @Test
    void theOriginalsExamplesGiveTheSameStreams() {
        assertThat(split(BalancingStrategy.ROUND_ROBIN, 2,
                List.of(waiting(1, 4), waiting(2, 4), waiting(3, 4), waiting(4, 4)))).containsExactly(0, 1, 0, 1);

        List<RequestProgress> contexts = List.of(waiting(1, 4), waiting(2, 4), waiting(3, 4), waiting(4, 4));
        List<RequestProgress> generations = List.of(generating(5, 4, 5), generating(6, 4, 5), generating(7, 4, 5));
        assertThat(split(BalancingStrategy.SMART, 2, Stream.concat(contexts.stream(), generations.stream()).toList()))
                .as("C1 C3 G1 G3 and C2 C4 G2").containsExactly(0, 1, 0, 1, 0, 1, 0);

        List<RequestProgress> weighted = List.of(waiting(1, 50), waiting(2, 30), waiting(3, 40), waiting(4, 20));
        assertThat(split(BalancingStrategy.BALANCED, 2, weighted)).as("5 + 2 and 3 + 4").containsExactly(0, 1, 1, 0);
    }

    /// By design: taken in the order of arrival, 3, 3 and 4 would make streams of 7 and 3. Heaviest first makes 4 and 6.
    @Test
    void balancedDoesNotDependOnTheOrderOfArrival() {
        assertThat(split(BalancingStrategy.BALANCED, 2, List.of(waiting(1, 30), waiting(2, 30), waiting(3, 40))))
                .containsExactly(1, 1, 0);
        assertThat(split(BalancingStrategy.BALANCED, 2, List.of(waiting(1, 40), waiting(2, 30), waiting(3, 30))))
                .containsExactly(0, 1, 1);
    }

    @Test
    void balancedBreaksTiesTowardsTheFirstStreamAndTheEarlierRequest() {
        assertThat(split(BalancingStrategy.BALANCED, 2, List.of(waiting(0, 4), waiting(1, 4), waiting(2, 4))))
                .containsExactly(0, 1, 0);
        assertThat(split(BalancingStrategy.RUNTIME, 2, List.of(waiting(0, 4), waiting(1, 4), waiting(2, 4))))
                .containsExactly(0, 1, 0);
    }

    @Test
    void theEstimateIsPromptTokensTimesTheFactorOfTheState() {
        assertThat(halfTokens(waiting(0, 10))).as("context, 2.0").isEqualTo(40);
        assertThat(halfTokens(new RequestProgress(TestRequests.request(0, 10, 5), 10, 4, 10, 0, false, lane(0),
                TestRequests.POOL, 0, 1))).as("begun context, 2.0").isEqualTo(40);
        assertThat(halfTokens(generating(0, 10, 5))).as("generation, 1.0").isEqualTo(20);
        assertThat(halfTokens(new RequestProgress(TestRequests.request(0, 10, 5), 14, 13, 10, 4, false, lane(0),
                TestRequests.POOL, 0, 1))).as("last token, 0.5").isEqualTo(10);
        assertThat(halfTokens(new RequestProgress(TestRequests.request(0, 10, 5), 13, 0, 0, 3, false, lane(0),
                TestRequests.POOL, 0, 0))).as("evicted: what it generated belongs to the prompt").isEqualTo(52);
    }

    private static long halfTokens(RequestProgress progress) {
        return StreamBalancer.workload(progress);
    }

    private static int[] split(BalancingStrategy strategy, int streams, List<RequestProgress> requests) {
        return Arrays.copyOf(new StreamBalancer(strategy, streams).split(requests), requests.size());
    }

    private static RequestProgress waiting(int id, int promptTokens) {
        return new RequestProgress(TestRequests.request(id, promptTokens, 5), promptTokens, 0, 0, 0, false, lane(0),
                TestRequests.POOL, id, 0);
    }

    /// One token generated of as many as asked.
    private static RequestProgress generating(int id, int promptTokens, int outputTokens) {
        return new RequestProgress(TestRequests.request(id, promptTokens, outputTokens), promptTokens + 1, promptTokens,
                promptTokens, 1, false, lane(0), TestRequests.POOL, id, id);
    }

    private static LaneId lane(int index) {
        return new LaneId(index);
    }
}
