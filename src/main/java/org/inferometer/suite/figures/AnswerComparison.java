package org.inferometer.suite.figures;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.stream.Collectors;
import org.inferometer.record.ExperimentRecord;
import org.inferometer.record.RequestOutcome;
import org.inferometer.record.RunEvent.RequestText;
import org.inferometer.record.RunRecord;
import org.inferometer.workload.RequestId;
import org.jspecify.annotations.Nullable;

/// How answers agree with their reference. White space at both ends of an answer does not count.
///
/// @param asked prompts of the reference
/// @param compared answers that ended well, over all runs
/// @param exact of them, those that equal the reference
/// @param medianAgreement of all compared, median share of the reference before the first difference: 1 for an exact answer; null if
/// none was compared
/// @param differences the first of those that differ
public record AnswerComparison(@JsonProperty("asked") int asked, @JsonProperty("compared") int compared,
        @JsonProperty("exact") int exact, @JsonProperty("medianAgreement") @Nullable Double medianAgreement,
        @JsonProperty("differences") List<Difference> differences) {
    private static final int SHOWN = 100;

    /// An answer that differs.
    ///
    /// @param at character of the reference where it first differs, from 0
    public record Difference(@JsonProperty("prompt") String prompt, @JsonProperty("expected") String expected,
            @JsonProperty("answer") String answer, @JsonProperty("at") int at) {}

    /// Compares the recorded answers of measured requests that ended well.
    public static AnswerComparison of(AnswerReference reference, List<ExperimentRecord> records) {
        List<Double> agreements = new ArrayList<>();
        List<Difference> differences = new ArrayList<>();
        int exact = 0;
        for (ExperimentRecord record : records) {
            for (RunRecord run : record.runs()) {
                for (RequestText text : texts(run)) {
                    String expected = reference.answers().get(text.prompt());
                    if (expected == null) {
                        continue;
                    }
                    String wanted = expected.strip();
                    String answer = text.answer().strip();
                    if (wanted.equals(answer)) {
                        exact++;
                        agreements.add(1.0);
                    } else {
                        int at = firstDifference(wanted, answer);
                        agreements.add(wanted.isEmpty() ? 0 : Math.min(1.0, at / (double) wanted.length()));
                        if (differences.size() < SHOWN) {
                            differences.add(new Difference(text.prompt(), wanted, answer, at));
                        }
                    }
                }
            }
        }
        OptionalDouble median = median(agreements);
        return new AnswerComparison(reference.answers().size(), agreements.size(), exact,
                median.isPresent() ? median.getAsDouble() : null, List.copyOf(differences));
    }

    private static List<RequestText> texts(RunRecord run) {
        Set<RequestId> measured =
                run.observations().requests().stream().filter(request -> request.ok() && !request.warmUp())
                        .map(RequestOutcome::id).collect(Collectors.toSet());
        return run.observations().events().stream().filter(RequestText.class::isInstance).map(RequestText.class::cast)
                .filter(text -> measured.contains(text.request())).toList();
    }

    private static int firstDifference(String expected, String answer) {
        int at = 0;
        while (at < expected.length() && at < answer.length() && expected.charAt(at) == answer.charAt(at)) {
            at++;
        }
        return at;
    }

    private static OptionalDouble median(List<Double> values) {
        List<Double> sorted = values.stream().sorted().toList();
        int n = sorted.size();
        return n == 0 ? OptionalDouble.empty() : OptionalDouble.of((sorted.get((n - 1) / 2) + sorted.get(n / 2)) / 2);
    }

    /// "12 of 20 answers equal their reference; median agreement 83.0 % of its characters."
    public String sentence() {
        Double agreement = medianAgreement;
        return agreement == null ? "No answer could be compared with its reference."
                : exact + " of " + compared + " answers equal their reference; median agreement "
                        + String.format(Locale.ROOT, "%.1f", agreement * 100) + " % of its characters.";
    }
}
