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
import org.inferometer.measurement.Margin;
import org.inferometer.measurement.MarginCheck.Outcome;
import org.inferometer.record.ExperimentRecord;
import org.inferometer.record.Verdict;
import org.inferometer.report.FindingsTest;
import org.inferometer.results.SampleRecords;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.xml.sax.SAXException;

/// Cell 2 of the sample is 30 % faster than cell 1; runs spread by 1 %.
class GateResultTest {
    private static ComparedSide cell(int runs, String part) {
        ExperimentRecord record = FindingsTest.record(SampleRecords.experiment(Path.of("x"), runs));
        return ComparedSide.part(record, part).orElseThrow();
    }

    private static GateResult gate(ComparedSide base, ComparedSide candidate, String... margins) {
        return GateResult.of(List.of(base), List.of(candidate), Stream.of(margins).map(Margin::parse).toList());
    }

    @Test
    void slowerBeyondTheMarginIsARegression() {
        GateResult result = gate(cell(3, "2"), cell(3, "1"), "output_throughput=3%", "memory_peak_total=10%");
        assertThat(result.outcome()).isEqualTo(Outcome.REGRESSION);
        assertThat(result.failed(false)).isTrue();
        assertThat(result.text(200)).startsWith(
                "REGRESSION: 1 of 2 checks passed.\n  REGRESSION  2026-11-21_141503_quick#1 (tiny-fp8 · naive · short): "
                        + "Output throughput 586.6 to 451.2 tok/s, 23.1 % worse (margin 3%).");
    }

    @Test
    void fasterPasses() {
        GateResult result = gate(cell(3, "1"), cell(3, "2"), "output_throughput=3%", "e2e_p95=20ms");
        assertThat(result.outcome()).isEqualTo(Outcome.PASS);
        assertThat(result.failed(true)).isFalse();
    }

    @Test
    void undecidedFailsOnlyWhenStrict() {
        GateResult result = gate(cell(1, "2"), cell(1, "1"), "output_throughput=3%");
        assertThat(result.outcome()).isEqualTo(Outcome.CANNOT_TELL);
        assertThat(result.failed(false)).isFalse();
        assertThat(result.failed(true)).isTrue();
        assertThat(result.text(200)).startsWith("UNDECIDED: 0 of 1 checks passed.")
                .contains("Undecided: each side needs 2 runs or more.");
    }

    @Test
    void invalidRunsAreUndecided() {
        ComparedSide one = cell(3, "2");
        ComparedSide invalid = new ComparedSide(one.name(), one.label(), one.cell(), one.model(), one.figures(),
                one.workloads(), one.machine(), List.of(Verdict.Grade.VALID, Verdict.Grade.INVALID));
        assertThat(gate(invalid, cell(3, "1"), "output_throughput=3%").outcome()).isEqualTo(Outcome.CANNOT_TELL);
    }

    @Test
    void figureMissingOnOneSideIsRemarked() {
        GateResult result = gate(cell(3, "1"), cell(3, "2"), "energy_per_token=3%", "output_throughput=3%");
        assertThat(result.checks()).hasSize(1);
        assertThat(result.remarks())
                .containsExactly(cell(3, "2").name() + ": Energy per token is missing on one side, not judged.");
        assertThat(result.failed(false)).isFalse();
        assertThat(result.failed(true)).isTrue();
    }

    private static Document valid(byte[] xml) throws SAXException, IOException, ParserConfigurationException {
        SchemaFactory schemas = SchemaFactory.newInstance(XMLConstants.W3C_XML_SCHEMA_NS_URI);
        schemas.newSchema(GateResultTest.class.getResource("junit.xsd")).newValidator()
                .validate(new StreamSource(new ByteArrayInputStream(xml)));
        return DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(new ByteArrayInputStream(xml));
    }

    @Test
    void junitHasACaseACheck() throws SAXException, IOException, ParserConfigurationException {
        byte[] xml =
                GateJunit.of(gate(cell(3, "2"), cell(3, "1"), "output_throughput=3%", "memory_peak_total=10%"), false);
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
        GateResult unsure = gate(cell(1, "2"), cell(1, "1"), "output_throughput=3%");
        assertThat(valid(GateJunit.of(unsure, false)).getElementsByTagName("skipped").getLength()).isEqualTo(1);
        assertThat(valid(GateJunit.of(unsure, true)).getElementsByTagName("failure").getLength()).isEqualTo(1);
    }

    @Property(tries = 200)
    void anyTextIsEscaped(@ForAll String name, @ForAll String sentence)
            throws SAXException, IOException, ParserConfigurationException {
        GateResult result =
                new GateResult(
                        Outcome.REGRESSION, List.of(new GateResult.Check("b<&\"" + name, "c]]>" + name, "m", "m=3%", 1,
                                2, 1, 1, null, null, null, null, Outcome.REGRESSION, sentence)),
                        List.of(sentence), List.of());
        Document document = valid(GateJunit.of(result, false));
        assertThat(new String(GateJunit.of(result, false), StandardCharsets.UTF_8)).doesNotContain("b<&");
        assertThat(((Element) document.getElementsByTagName("testcase").item(0)).getAttribute("classname"))
                .startsWith("c]]>");
    }
}
