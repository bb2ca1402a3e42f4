package org.inferometer.suite.figures;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import org.inferometer.record.ExperimentRecord;
import org.inferometer.record.RequestOutcome;
import org.inferometer.record.RunEvent;
import org.inferometer.record.RunObservations;
import org.inferometer.record.RunRecord;
import org.inferometer.results.ResultLibrary;
import org.inferometer.results.SampleRecords;
import org.inferometer.suite.figures.AnswerComparison.Difference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AnswerComparisonTest {
    @TempDir
    Path folder;

    private AnswerReference reference(String... lines) throws IOException {
        return AnswerReference.read(Files.write(folder.resolve("a.reference.jsonl"), List.of(lines)));
    }

    /// A record of one run whose first measured requests have these texts, and its warm-up requests the last.
    private ExperimentRecord answered(List<String[]> texts) throws IOException {
        Path result = folder.resolve("results/a");
        SampleRecords.writeExperiment(result, 1);
        ExperimentRecord record = new ResultLibrary(result.getParent()).open(result);
        RunRecord run = record.runs().getFirst();
        List<RequestOutcome> requests = run.observations().requests();
        List<RunEvent> events = new ArrayList<>();
        List<RequestOutcome> measured = requests.stream().filter(request -> request.ok() && !request.warmUp()).toList();
        for (int i = 0; i < texts.size(); i++) {
            events.add(new RunEvent.RequestText(0, measured.get(i).id(), texts.get(i)[0], texts.get(i)[1]));
        }
        requests.stream().filter(request -> request.warmUp() || !request.ok()).forEach(request -> events
                .add(new RunEvent.RequestText(0, request.id(), texts.getLast()[0], texts.getLast()[1])));
        RunObservations seen = run.observations();
        return new ExperimentRecord(record.folder(), record.manifest(),
                List.of(new RunRecord(run.folderName(), run.manifest(),
                        new RunObservations(seen.requests(), seen.steps(), seen.telemetry(), seen.setup(), events),
                        run.notes())),
                record.notes());
    }

    @Test
    void answersAreComparedToTheirFirstDifference() throws IOException {
        AnswerReference reference = reference("{\"prompt\":\"a\",\"answer\":\"one two\"}", "",
                "{\"prompt\":\"b\",\"answer\":\"12345678\"}", "{\"prompt\":\"c\",\"answer\":\"x\"}");
        AnswerComparison comparison = AnswerComparison.of(reference, List.of(answered(
                List.of(new String[]{"b", "12340000"}, new String[]{"other", "y"}, new String[]{"a", " one two\n"}))));

        assertThat(comparison).isEqualTo(
                new AnswerComparison(3, 2, 1, 0.75, List.of(new Difference("b", "12345678", "12340000", 4))));
        assertThat(comparison.sentence())
                .isEqualTo("1 of 2 answers equal their reference; median agreement 75.0 % of its characters.");
        assertThat(AnswerComparison.of(reference, List.of()).sentence())
                .isEqualTo("No answer could be compared with its reference.");
    }

    /// "12345678" and more than it agree on all of the reference, but are not equal.
    @Test
    void longerAnswersAreNotExact() throws IOException {
        AnswerComparison comparison = AnswerComparison.of(reference("{\"prompt\":\"a\",\"answer\":\"one\"}"),
                List.of(answered(List.<String[]>of(new String[]{"a", "one two"}))));

        assertThat(comparison.exact()).isZero();
        assertThat(comparison.medianAgreement()).isEqualTo(1);
        assertThat(comparison.differences()).containsExactly(new Difference("a", "one", "one two", 3));
    }

    @Test
    void largeFilesAreRefusedUnread() throws IOException {
        Path file = folder.resolve("large.reference.jsonl");
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
            channel.write(ByteBuffer.wrap(new byte[1]), 64L << 20);
        }
        assertThatThrownBy(() -> AnswerReference.read(file))
                .hasMessage(file + ": The file is larger than 64 MiB. Split it.");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|',
            value = {"[1,2]|There is no \"prompt\" text", "{\"prompt\":\"a\"}|There is no \"answer\" text",
                    "{\"prompt\":7,\"answer\":\"b\"}|There is no \"prompt\" text", "{\"prompt\"|Not valid JSON",
                    "'  '|The file has no prompt."})
    void brokenFilesAreOneSentence(String line, String fault) {
        assertThatThrownBy(() -> reference(line)).isInstanceOf(IOException.class)
                .hasMessageContaining("a.reference.jsonl").hasMessageContaining(fault).hasMessageNotContaining("\n");
        assertThatThrownBy(
                () -> reference("{\"prompt\":\"a\",\"answer\":\"b\"}", "{\"prompt\":\"a\",\"answer\":\"c\"}"))
                .hasMessageContaining("The prompt stands twice.");
    }
}
