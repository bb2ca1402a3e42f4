package org.inferometer.chart;

import static org.assertj.core.api.Assertions.assertThat;

import java.awt.Color;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.inferometer.record.MemoryOwner;
import org.inferometer.report.charts.ChartRenderer.Shade;
import org.junit.jupiter.api.Test;

class MemoryColorsTest {
    @Test
    void windowHasTheColoursOfTheCharts() throws IOException {
        try (InputStream file = MemoryColorsTest.class.getResourceAsStream("/org/inferometer/ui/inferometer.css")) {
            String css = new String(Objects.requireNonNull(file).readAllBytes(), StandardCharsets.UTF_8);
            for (MemoryOwner owner : MemoryOwner.values()) {
                Matcher found = Pattern.compile("-inf-memory-" + owner.id().replace('_', '-') + ": (#[0-9A-F]{6})")
                        .matcher(css);
                List<Color> colours = found.results().map(match -> Color.decode(match.group(1))).toList();
                assertThat(colours).containsExactly(new ChartStyle(Shade.LIGHT, 1).memory(owner.ordinal()),
                        new ChartStyle(Shade.DARK, 1).memory(owner.ordinal()));
            }
        }
    }
}
