package org.inferometer.report.compare;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.Stream;
import javax.xml.stream.XMLOutputFactory;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamWriter;
import org.inferometer.measurement.comparison.MarginCheck.Outcome;
import org.inferometer.report.compare.GateResult.Check;
import org.inferometer.report.compare.GateResult.Tolerance;

/// Writes the outcome of a gate as JUnit XML: one test case per check. A regression and a check that was not judged are failures, an undecided
/// check is skipped. Elements and attributes are those that Ant, Jenkins and GitLab share.
public final class GateJunit {
    private GateJunit() {}

    /// The document as UTF-8.
    ///
    /// @param tolerance which checks are failures; others that did not pass are skipped
    public static byte[] of(GateResult result, Tolerance tolerance) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try {
            XMLStreamWriter xml =
                    XMLOutputFactory.newFactory().createXMLStreamWriter(bytes, StandardCharsets.UTF_8.name());
            xml.writeStartDocument(StandardCharsets.UTF_8.name(), "1.0");
            xml.writeStartElement("testsuites");
            suite(xml, result, tolerance);
            xml.writeEndElement();
            xml.writeEndDocument();
            xml.close();
        } catch (XMLStreamException e) {
            throw new IllegalStateException("XML in memory cannot be written.", e);
        }
        return bytes.toByteArray();
    }

    private static void suite(XMLStreamWriter xml, GateResult result, Tolerance tolerance) throws XMLStreamException {
        List<Check> checks = result.checks();
        long failures = checks.stream().filter(check -> tolerance.fails(check.outcome())).count();
        long skipped = checks.stream().filter(check -> skipped(check, tolerance)).count();
        xml.writeStartElement("testsuite");
        attribute(xml, "name", "inferometer gate");
        attribute(xml, "tests", Integer.toString(checks.size()));
        attribute(xml, "failures", Long.toString(failures));
        attribute(xml, "errors", "0");
        attribute(xml, "skipped", Long.toString(skipped));
        attribute(xml, "time", "0");
        for (Check check : checks) {
            testCase(xml, check, tolerance);
        }
        xml.writeStartElement("system-out");
        xml.writeCharacters(valid(String.join("\n",
                Stream.of(result.remarks(), result.differences(), result.cautions()).flatMap(List::stream).toList())));
        xml.writeEndElement();
        xml.writeEndElement();
    }

    private static void testCase(XMLStreamWriter xml, Check check, Tolerance tolerance) throws XMLStreamException {
        xml.writeStartElement("testcase");
        attribute(xml, "classname", check.candidate());
        attribute(xml, "name", check.name());
        attribute(xml, "time", "0");
        if (tolerance.fails(check.outcome())) {
            xml.writeStartElement("failure");
            attribute(xml, "message", check.sentence());
            attribute(xml, "type", GateResult.label(check.outcome()));
            xml.writeCharacters(valid(check.sentence()));
            xml.writeEndElement();
        } else if (skipped(check, tolerance)) {
            xml.writeEmptyElement("skipped");
            attribute(xml, "message", GateResult.label(check.outcome()) + ": " + check.sentence());
        }
        xml.writeEndElement();
    }

    private static boolean skipped(Check check, Tolerance tolerance) {
        return check.outcome() != Outcome.PASS && !tolerance.fails(check.outcome());
    }

    private static void attribute(XMLStreamWriter xml, String name, String value) throws XMLStreamException {
        xml.writeAttribute(name, valid(value));
    }

    /// Characters that XML 1.0 cannot hold even when escaped become a question mark.
    private static String valid(String text) {
        StringBuilder valid = new StringBuilder(text.length());
        text.codePoints().map(
                c -> c == '\t' || c == '\n' || (c >= 0x20 && c < 0xd800) || (c >= 0xe000 && c <= 0xfffd) || c >= 0x10000
                        ? c : '?')
                .forEach(valid::appendCodePoint);
        return valid.toString();
    }
}
