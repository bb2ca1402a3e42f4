package org.inferometer.serving;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.inferometer.scheduling.LaneId;
import org.inferometer.workload.StopRule;

class RequestTableProperties {
    @Example
    void consecutiveIdsStayFarApartInTheTable() {
        RequestTable table = new RequestTable();
        List<LiveRequest> queue =
                IntStream.range(0, 200_000)
                        .mapToObj(id -> new LiveRequest(TestRequests.request(id, 1, 1),
                                AnswerEnds.NONE.check(StopRule.length(1)), 0, 0, new LaneId(0), TestRequests.POOL))
                        .toList();
        assertTimeoutPreemptively(Duration.ofSeconds(10), () -> {
            queue.forEach(table::add);
            queue.forEach(table::remove);
        });
        assertThat(table.size()).isZero();
    }

    /// Ids a multiple of the first table's size apart collide there.
    @Property(tries = 500)
    void itFindsWhatAMapFinds(@ForAll @Size(max = 300) List<@IntRange(min = 0, max = 400) Integer> draws) {
        RequestTable table = new RequestTable();
        Map<Integer, LiveRequest> map = new HashMap<>();
        for (int draw : draws) {
            int id = draw % 2 == 0 ? draw : draw * 64;
            LiveRequest present = map.remove(id);
            if (present != null) {
                table.remove(present);
            } else {
                LiveRequest request = new LiveRequest(TestRequests.request(id, 1, 1),
                        AnswerEnds.NONE.check(StopRule.length(1)), 0, 0, new LaneId(0), TestRequests.POOL);
                map.put(id, request);
                table.add(request);
            }
        }
        for (int draw = 0; draw <= 400; draw++) {
            assertThat(table.find(draw)).isSameAs(map.get(draw));
            assertThat(table.find(draw * 64)).isSameAs(map.get(draw * 64));
        }
        assertThat(table.size()).isEqualTo(map.size());
        assertThat(table.all()).containsExactlyInAnyOrderElementsOf(map.values());
    }
}
