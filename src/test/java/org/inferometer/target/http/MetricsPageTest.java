package org.inferometer.target.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNoException;

import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MetricsPageTest {
    private static final Set<String> WANTED = Set.of("a:x", "b");

    private static MetricsPage read(String text) {
        return MetricsPage.of(text, WANTED, Set.of("h", "b"));
    }

    @Test
    void samplesAreReadWithTheirLabelsAndTheRestIsSkipped() {
        assertThat(read("""
                        # HELP a:x One "thing"
                        # TYPE a:x gauge
                        a:x{model_name="m}\\"x\\\\",engine="0"} 3.0 1700000000
                        a:xy 9
                        b 1e-3
                        other{b="1"} 5
                        """).gauges()).isEqualTo(Map.of("a:x", 3.0, "b", 0.001));
    }

    @Test
    void replicasAreToldApartAndEqualSeriesAddedUp() {
        assertThat(read("a:x{engine=\"0\"} 1\na:x{engine=\"1\"} 2\nb{reason=\"x\"} 1\nb{reason=\"y\"} 2\n").gauges())
                .isEqualTo(Map.of("a:x{engine=0}", 1.0, "a:x{engine=1}", 2.0, "b", 3.0));
    }

    @Test
    void whatIsNoNumberIsNoReading() {
        assertThat(read("b NaN\nb +Inf\nb\nb{x=\"1\nb{x=1} 2\nb{\nb x\na:x{} 4").gauges())
                .isEqualTo(Map.of("a:x", 4.0));
    }

    @Test
    void bucketsOfAllSeriesAddUpAndCountTheirOwnValues() {
        String text = """
                h_bucket{engine="0",le="0.1"} 3
                h_bucket{engine="0",le="2.5"} 3.0
                h_bucket{engine="0",le="+Inf"} 4
                h_sum{engine="0"} 9
                h_bucket{le="+Inf",engine="1"} 1e1
                h_bucket{le="0.1",engine="1"} 0
                h_bucket{le="2.5",engine="1"} 9
                """;
        assertThat(read(text)).isEqualTo(new MetricsPage(Map.of(),
                Map.of("h", new TreeMap<>(Map.of(0.1, 3L, 2.5, 9L, Double.POSITIVE_INFINITY, 2L)))));
    }

    /// Another bound in a second series, a count that falls, no last bound, a bound that is none, impossible counts.
    @ParameterizedTest
    @ValueSource(strings = {
            "h_bucket{le=\"1\",x=\"a\"} 1\nh_bucket{le=\"+Inf\",x=\"a\"} 1\nh_bucket{le=\"+Inf\",x=\"b\"} 9",
            "h_bucket{le=\"1\"} 5\nh_bucket{le=\"+Inf\"} 4", "h_bucket{le=\"1\"} 5",
            "h_bucket{le=\"NaN\"} 5\nh_bucket{le=\"+Inf\"} 5", "h_bucket{x=\"1\"} 5\nh_bucket{le=\"+Inf\"} 5",
            "h_bucket{le=\"1\"} -1\nh_bucket{le=\"+Inf\"} 4", "h_bucket{le=\"1\"} 1\nh_bucket{le=\"+Inf\"} 1e300"})
    void aHistogramThatContradictsItselfIsNotRead(String text) {
        assertThat(read(text).histograms()).isEmpty();
    }

    @Test
    void aHistogramOfEndlessBucketsIsNotRead() {
        String many = IntStream.range(0, 100_000).mapToObj(i -> "h_bucket{le=\"" + i + "\"} " + i + "\n")
                .collect(Collectors.joining()) + "h_bucket{le=\"+Inf\"} 100000\nb 1\n";
        assertThat(read(many)).isEqualTo(new MetricsPage(Map.of("b", 1.0), Map.of()));
    }

    @Property(tries = 1000)
    void anyTextIsReadOrSkipped(@ForAll("texts") String text) {
        assertThatNoException().isThrownBy(() -> read(text));
    }

    @Provide
    Arbitrary<String> texts() {
        return Arbitraries.of("a:x", "b", "h_bucket", "le=", "{", "}", "engine=", "\"", "\\", "0", " ", ",", "1.5",
                "\n", "#", "NaN", "é").list().ofMaxSize(30).map(parts -> String.join("", parts));
    }
}
