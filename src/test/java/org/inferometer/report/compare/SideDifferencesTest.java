package org.inferometer.report.compare;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.inferometer.experiment.Cell;
import org.inferometer.experiment.Subject.TargetSubject;
import org.inferometer.finding.SideDifference.OfProperty;
import org.inferometer.finding.SideDifference.Property;
import org.inferometer.options.Selection;
import org.inferometer.results.SampleRecords;
import org.junit.jupiter.api.Test;

class SideDifferencesTest {
    /// A server has another vocabulary, so the same lengths have other token ids.
    @Test
    void engineAndServerUnderTheSameLoadDoTheSameWork() {
        ComparedSide engine =
                ComparedSide.part(FindingsTest.record(SampleRecords.experiment(Path.of("x"), 3)), "1").orElseThrow();
        ComparedSide server = new ComparedSide("server", "server",
                new Cell(new TargetSubject(Selection.parse("http:url=http://127.0.0.1:1")), engine.cell().workload()),
                "large", engine.figures(), Map.of(42L, "x", 43L, "y", 44L, "z"), engine.machine(), List.of(),
                ComparedSide.Origin.NOT_KNOWN, List.of());
        assertThat(SideDifferences.of(engine, server)).containsExactly(new OfProperty(Property.MODEL, "tiny", "large"));
        assertThat(SideDifferences.of(engine, server.calling("tiny"))).isEmpty();
    }
}
