package org.inferometer.target.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.assertj.core.data.Offset;
import org.inferometer.target.TargetException;
import org.inferometer.units.SystemClock;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class HttpCeilingTest {
    private final HttpCeiling ceiling = new HttpCeiling(new SystemClock());

    @Test
    void everyChunkOfEveryStreamIsStampedAndKept() throws Exception {
        HttpCeiling.Throughput reached =
                ceiling.measure(HttpCeiling.inThisProcess(0), new HttpCeiling.StreamLoad(50, 200, 40), 20);
        assertThat(reached.lostChunks()).isZero();
        assertThat(reached.failedRequests()).isZero();
        assertThat(reached.firstFault()).isEmpty();
        assertThat(reached.streamsAtOnce()).isBetween(1, 50);
        assertThat(reached.chunksPerSecond() * reached.seconds()).isCloseTo(200 * 40, Offset.offset(1.0));
    }

    @Test
    void streamsAreHeldTogetherWhileTheServerTakesItsTime() throws Exception {
        HttpCeiling.Throughput reached =
                ceiling.measure(HttpCeiling.inThisProcess(20_000_000), new HttpCeiling.StreamLoad(200, 200, 150), 30);
        assertThat(reached.streamsAtOnce()).isEqualTo(200);
        assertThat(reached.lostChunks()).isZero();
        assertThat(reached.seconds()).isGreaterThan(150 * 0.02);
    }

    @Test
    void whatIsLostAndWhatFailedIsCounted() throws Exception {
        try (ScriptedServer broken = ScriptedServer.start((asked, wire) -> wire.stream().text(" a").reset())) {
            HttpCeiling.Throughput reached =
                    ceiling.measure(() -> running(broken.url()), new HttpCeiling.StreamLoad(2, 5, 4), 20);
            assertThat(reached.failedRequests()).isEqualTo(5);
            assertThat(reached.lostChunks()).isBetween(15L, 20L);
            assertThat(reached.firstFault()).startsWith("The connection to the server broke");
        }
    }

    @Test
    void aMeasurementThatDoesNotEndIsGivenUp() throws Exception {
        assertThatThrownBy(() -> ceiling.measure(HttpCeiling.inThisProcess(1_000_000_000L),
                new HttpCeiling.StreamLoad(2, 2, 1000), 1)).isInstanceOf(TargetException.class)
                .hasMessage("The HTTP target did not complete 2 streams of the echo server within 1 s.");
    }

    private static HttpCeiling.EchoServers.RunningServer running(String url) {
        return new HttpCeiling.EchoServers.RunningServer() {
            @Override
            public String url() {
                return url;
            }

            @Override
            public void close() {}
        };
    }
}
