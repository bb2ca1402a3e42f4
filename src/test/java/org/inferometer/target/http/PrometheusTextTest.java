package org.inferometer.target.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNoException;

import java.util.Map;
import java.util.Set;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;

class PrometheusTextTest {
    private static final Set<String> WANTED = Set.of("a:x", "b");

    @Test
    void samplesAreReadWithTheirLabelsAndTheRestIsSkipped() {
        assertThat(PrometheusText.read("""
                        # HELP a:x One "thing"
                        # TYPE a:x gauge
                        a:x{model_name="m}\\"x\\\\",engine="0"} 3.0 1700000000
                        a:xy 9
                        b 1e-3
                        other{b="1"} 5
                        """, WANTED)).isEqualTo(Map.of("a:x", 3.0, "b", 0.001));
    }

    @Test
    void replicasAreToldApartAndEqualSeriesAddedUp() {
        assertThat(PrometheusText
                .read("a:x{engine=\"0\"} 1\na:x{engine=\"1\"} 2\nb{reason=\"x\"} 1\nb{reason=\"y\"} 2\n", WANTED))
                .isEqualTo(Map.of("a:x{engine=0}", 1.0, "a:x{engine=1}", 2.0, "b", 3.0));
    }

    @Test
    void whatIsNoNumberIsNoReading() {
        assertThat(PrometheusText.read("b NaN\nb +Inf\nb\nb{x=\"1\nb{x=1} 2\nb{\nb x\na:x{} 4", WANTED))
                .isEqualTo(Map.of("a:x", 4.0));
    }

    @Property(tries = 1000)
    void anyTextIsReadOrSkipped(@ForAll("texts") String text) {
        assertThatNoException().isThrownBy(() -> PrometheusText.read(text, WANTED));
    }

    @Provide
    Arbitrary<String> texts() {
        return Arbitraries.of("a:x", "b", "{", "}", "engine=", "\"", "\\", "0", " ", ",", "1.5", "\n", "#", "NaN", "é")
                .list().ofMaxSize(30).map(parts -> String.join("", parts));
    }
}
