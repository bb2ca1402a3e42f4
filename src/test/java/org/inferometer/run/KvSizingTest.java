package org.inferometer.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.inferometer.options.OptionException;
import org.inferometer.options.Selection;
import org.inferometer.scheduling.LaneLayout;
import org.inferometer.scheduling.Limits;
import org.inferometer.wording.AdvisedText;
import org.junit.jupiter.api.Test;

/// Prompts of up to 40 positions, requests of up to 100, blocks of 16 positions of 10 bytes, four rows.
class KvSizingTest {
    private static final Limits LIMITS = new Limits(4, 512, 100);

    private static KvSizing sizing(LaneLayout layout) {
        return new KvSizing(layout, LIMITS, 40, 16, 10);
    }

    private static LaneLayout split(double share) throws OptionException {
        return SplitScheduler.DESCRIPTION.layout(Selection.parse("split:share=" + share), 0);
    }

    @Test
    void onePoolHoldsEveryRowAtItsLongest() {
        assertThat(sizing(LaneLayout.sharing(3)).roomyBytes()).isEqualTo(4 * 7 * 160);
    }

    @Test
    void ofSeveralPoolsEachHoldsEveryRow() throws OptionException {
        for (double share : List.of(0.05, 0.2, 0.3, 0.5, 0.77, 0.95)) {
            KvSizing sizing = sizing(split(share));
            long blocks = sizing.roomyBytes() / 160;
            assertThat((long) (blocks * share)).as("contexts of %s", share).isGreaterThanOrEqualTo(4 * 3);
            assertThat((long) (blocks * (1 - share))).as("generations of %s", 1 - share).isGreaterThanOrEqualTo(4 * 7);
            assertThat(sizing.faults(sizing.roomyBytes())).isEmpty();
        }
    }

    @Test
    void aPoolThatCannotHoldOneRequestIsNamedWithTheWayOut() throws OptionException {
        assertThat(sizing(LaneLayout.sharing(1)).faults(7 * 160)).isEmpty();
        assertThat(sizing(LaneLayout.sharing(1)).faults(7 * 160 - 1)).map(AdvisedText::toString)
                .containsExactly("A KV memory of 1.09 KiB cannot hold one request of 100 positions"
                        + " (1.09 KiB). Raise --kv-memory to 1.09 KiB or more, shorten the requests, or choose a smaller KV type.");
        assertThat(sizing(split(0.2)).faults(14 * 160)).map(AdvisedText::toString)
                .containsExactly("The KV pool for contexts gets 20 % of the KV memory of 2.19 KiB and cannot"
                        + " hold one prompt of 40 positions (480 B). Raise --kv-memory to 2.66 KiB or more, shorten the requests, or choose a smaller KV type,"
                        + " or change the pools' shares.");
        assertThat(sizing(split(0.9)).faults(40 * 160)).singleElement().asString()
                .startsWith("The KV pool for generations gets 10 %");
    }

    @Test
    void theWayOutIsEnough() throws OptionException {
        for (double share : List.of(0.05, 0.21, 0.5, 0.83, 0.95)) {
            KvSizing one = new KvSizing(split(share), new Limits(1, 512, 100), 40, 16, 10);
            assertThat(one.faults(one.roomyBytes())).isEmpty();
        }
    }
}
