package org.inferometer.report.compare;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import javax.xml.XMLConstants;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import javax.xml.transform.stream.StreamSource;
import javax.xml.validation.SchemaFactory;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.inferometer.measurement.comparison.Limit;
import org.inferometer.measurement.comparison.Margin;
import org.inferometer.measurement.comparison.MarginCheck.Outcome;
import org.inferometer.record.CellFigure;
import org.inferometer.record.ExperimentRecord;
import org.inferometer.record.Verdict;
import org.inferometer.report.compare.FindingsTest;
import org.inferometer.report.compare.GateResult.GateRules;
import org.inferometer.report.compare.GateResult.Tolerance;
import org.inferometer.results.SampleRecords;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.xml.sax.SAXException;

/// Cell 2 of the sample is 30 % faster than cell 1; runs spread by 1 %.
class GateResultTest {
    private static final Tolerance LENIENT = new Tolerance(false, false);
    private static final Tolerance STRICT = new Tolerance(true, false);
    private static final Tolerance MISSING_ALLOWED = new Tolerance(false, true);

    private static ComparedSide cell(int runs, String part) {
        ExperimentRecord record = FindingsTest.record(SampleRecords.experiment(Path.of("x"), runs));
        return ComparedSide.part(record, part).orElseThrow();
    }

    private static GateResult gate(ComparedSide base, ComparedSide candidate, String... margins) {
        return GateResult.of(List.of(base), List.of(candidate),
                GateRules.of(Stream.of(margins).map(Margin::parse).toList(), List.of()), KnownVariation.NONE);
    }

    @Test
    void slowerBeyondTheMarginIsARegression() {
        GateResult result = gate(cell(3, "2"), cell(3, "1"), "output_throughput=3%", "memory_peak_total=10%");
        assertThat(result.outcome()).isEqualTo(Outcome.REGRESSION);
        assertThat(result.failed(LENIENT)).isTrue();
        assertThat(result.text(200)).startsWith(
                "REGRESSION: 1 of 2 checks passed.\n  REGRESSION  2026-11-21_141503_quick#1 (tiny-fp8 · naive · short): "
                        + "Output throughput 586.6 to 451.2 tok/s, 23.1 % worse [21.3, 24.8] (margin 3%).");
    }

    @Test
    void fasterPasses() {
        GateResult result = gate(cell(3, "1"), cell(3, "2"), "output_throughput=3%", "e2e_p95=20ms");
        assertThat(result.outcome()).isEqualTo(Outcome.PASS);
        assertThat(result.failed(STRICT)).isFalse();
    }

    /// Runs that spread by half of their mean, with unknown seeds.
    private static ComparedSide noisy(String part) {
        ComparedSide cell = cell(3, part);
        return with(cell,
                cell.figures().stream()
                        .map(figure -> new CellFigure(figure.metric(), figure.mean(), figure.mean(),
                                List.of(0.5 * figure.mean(), 1.5 * figure.mean(), figure.mean()), 3, 1, true))
                        .toList(),
                cell.grades());
    }

    private static ComparedSide with(ComparedSide side, List<CellFigure> figures, List<Verdict.Grade> grades) {
        return new ComparedSide(side.name(), side.label(), side.cell(), side.model(), figures, side.workloads(),
                side.machine(), grades, ComparedSide.Origin.NOT_KNOWN, List.of());
    }

    @Test
    void undecidedFailsOnlyWhenStrict() {
        GateResult result = gate(noisy("2"), noisy("1"), "output_throughput=3%");
        assertThat(result.outcome()).isEqualTo(Outcome.CANNOT_TELL);
        assertThat(result.failed(LENIENT)).isFalse();
        assertThat(result.failed(STRICT)).isTrue();
        assertThat(result.text(300)).startsWith("UNDECIDED: 0 of 1 checks passed.")
                .contains("Undecided: the interval includes the margin; about ")
                .contains(" runs of each side would tell.");
    }

    @Test
    void oneRunIsNotJudgedAndFails() {
        GateResult result = gate(cell(1, "2"), cell(1, "1"), "output_throughput=3%");
        assertThat(result.outcome()).isEqualTo(Outcome.NOT_JUDGED);
        assertThat(result.failed(LENIENT)).isTrue();
        assertThat(result.failed(MISSING_ALLOWED)).isFalse();
        assertThat(result.text(300)).startsWith("NOT JUDGED: 0 of 1 checks passed.")
                .contains("Not judged: each side needs 2 runs or more");
    }

    @Test
    void invalidRunsAreNotJudgedAndFail() {
        ComparedSide one = cell(3, "2");
        ComparedSide invalid = with(one, one.figures(), List.of(Verdict.Grade.VALID, Verdict.Grade.INVALID));
        GateResult result = gate(invalid, cell(3, "1"), "output_throughput=3%");
        assertThat(result.outcome()).isEqualTo(Outcome.NOT_JUDGED);
        assertThat(result.failed(LENIENT)).isTrue();
        assertThat(result.failed(MISSING_ALLOWED)).isFalse();
    }

    @Test
    void missingFigureOfAnAskedMarginFails() {
        GateResult result = gate(cell(3, "1"), cell(3, "2"), "energy_per_token=3%", "output_throughput=3%");
        assertThat(result.checks()).extracting(GateResult.Check::outcome).containsExactly(Outcome.PASS,
                Outcome.NOT_JUDGED);
        assertThat(result.checks().getLast().sentence())
                .isEqualTo(cell(3, "2").name() + ": Energy per token is missing on both sides, not judged.");
        assertThat(result.failed(LENIENT)).isTrue();
        assertThat(result.failed(MISSING_ALLOWED)).isFalse();
    }

    @Test
    void standardMarginMayBeMissingOnBothSidesOnly() {
        ComparedSide base = without(cell(3, "1"), "e2e_p95");
        GateRules standard = GateRules.of(List.of(), List.of());
        GateResult both =
                GateResult.of(List.of(base), List.of(without(cell(3, "2"), "e2e_p95")), standard, KnownVariation.NONE);
        assertThat(both.outcome()).isEqualTo(Outcome.PASS);
        assertThat(both.remarks()).singleElement().asString().endsWith("standard margin left out.");
        assertThat(both.failed(LENIENT)).isFalse();
        assertThat(both.failed(STRICT)).isTrue();
        GateResult one = GateResult.of(List.of(base), List.of(cell(3, "2")), standard, KnownVariation.NONE);
        assertThat(one.outcome()).isEqualTo(Outcome.NOT_JUDGED);
        assertThat(one.checks().getLast().sentence()).endsWith("E2E latency P95 is missing in the base, not judged.");
    }

    private static ComparedSide without(ComparedSide side, String metric) {
        return with(side, side.figures().stream().filter(figure -> !figure.metric().id().equals(metric)).toList(),
                side.grades());
    }

    @Test
    void missingCellsFailWithACaseEach() throws SAXException, IOException, ParserConfigurationException {
        GateRules rules = GateRules.of(List.of(Margin.parse("output_throughput=3%")), List.of());
        GateResult result = GateResult.of(List.of(cell(3, "1"), cell(3, "2")), List.of(cell(3, "1"), cell(3, "3")),
                rules, KnownVariation.NONE);
        assertThat(result.checks()).extracting(GateResult.Check::sentence).containsExactly(
                cell(3, "1").name() + ": Output throughput 451.2 to 451.2 tok/s, 0.0 % better [−2.2, 2.3] (margin 3%).",
                cell(3, "3").name() + ": no matching cell in the base, not judged.",
                cell(3, "2").name() + ": no matching cell in the candidate, not judged.");
        assertThat(valid(GateJunit.of(result, LENIENT)).getElementsByTagName("failure").getLength()).isEqualTo(2);
        assertThat(valid(GateJunit.of(result, MISSING_ALLOWED)).getElementsByTagName("skipped").getLength())
                .isEqualTo(2);
    }

    @Test
    void limitsAreJudgedBesideMargins() throws SAXException, IOException, ParserConfigurationException {
        GateRules rules = GateRules.of(List.of(Margin.parse("output_throughput=50%")),
                List.of(Limit.parse("output_throughput=500", true), Limit.parse("e2e_p95=500ms", false)));
        GateResult result = GateResult.of(List.of(cell(3, "2")), List.of(cell(3, "1")), rules, KnownVariation.NONE);
        assertThat(result.checks()).extracting(GateResult.Check::outcome).containsExactlyInAnyOrder(Outcome.PASS,
                Outcome.REGRESSION, Outcome.PASS);
        assertThat(result.text(300)).contains(
                "REGRESSION  " + cell(3, "1").name() + ": Output throughput 451.2 ± 11.2 tok/s (limit: at least 500).");
        assertThat(result.failed(LENIENT)).isTrue();
        Element failure = (Element) valid(GateJunit.of(result, LENIENT)).getElementsByTagName("failure").item(0);
        assertThat(((Element) failure.getParentNode()).getAttribute("name"))
                .isEqualTo("output_throughput at least 500");
    }

    private static Document valid(byte[] xml) throws SAXException, IOException, ParserConfigurationException {
        SchemaFactory schemas = SchemaFactory.newInstance(XMLConstants.W3C_XML_SCHEMA_NS_URI);
        schemas.newSchema(GateResultTest.class.getResource("junit.xsd")).newValidator()
                .validate(new StreamSource(new ByteArrayInputStream(xml)));
        return DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(new ByteArrayInputStream(xml));
    }

    @Test
    void junitHasACaseACheck() throws SAXException, IOException, ParserConfigurationException {
        byte[] xml = GateJunit.of(gate(cell(3, "2"), cell(3, "1"), "output_throughput=3%", "memory_peak_total=10%"),
                LENIENT);
        Document document = valid(xml);
        Element suite = (Element) document.getElementsByTagName("testsuite").item(0);
        assertThat(List.of(suite.getAttribute("tests"), suite.getAttribute("failures"), suite.getAttribute("skipped")))
                .containsExactly("2", "1", "0");
        Element failure = (Element) document.getElementsByTagName("failure").item(0);
        assertThat(failure.getAttribute("type")).isEqualTo("REGRESSION");
        assertThat(((Element) failure.getParentNode()).getAttribute("name"))
                .startsWith("output_throughput within 3% of 2026-11-21_141503_quick#2");
    }

    @Test
    void junitSkipsUndecidedUnlessStrict() throws SAXException, IOException, ParserConfigurationException {
        GateResult unsure = gate(noisy("2"), noisy("1"), "output_throughput=3%");
        assertThat(valid(GateJunit.of(unsure, LENIENT)).getElementsByTagName("skipped").getLength()).isEqualTo(1);
        assertThat(valid(GateJunit.of(unsure, STRICT)).getElementsByTagName("failure").getLength()).isEqualTo(1);
    }

    @Property(tries = 200)
    void anyTextIsEscaped(@ForAll String name, @ForAll String sentence)
            throws SAXException, IOException, ParserConfigurationException {
        GateResult result = new GateResult(Outcome.REGRESSION,
                List.of(new GateResult.Check("b<&\"" + name, "c]]>" + name, "m", "m=3%", "n" + name, 1.0, 2.0, 1.0, 1.0,
                        null, null, null, null, Outcome.REGRESSION, null, sentence)),
                List.of(sentence), List.of(), List.of());
        Document document = valid(GateJunit.of(result, LENIENT));
        assertThat(new String(GateJunit.of(result, LENIENT), StandardCharsets.UTF_8)).doesNotContain("b<&");
        assertThat(((Element) document.getElementsByTagName("testcase").item(0)).getAttribute("classname"))
                .startsWith("c]]>");
    }
}
