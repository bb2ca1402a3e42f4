package org.inferometer.report.compare;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.inferometer.record.MeasuredQuality;
import org.inferometer.record.RunRecord;
import org.inferometer.units.CommandAdvice;
import org.inferometer.units.LetterCase;
import org.jspecify.annotations.Nullable;

/// What is known of the predictions where two sides of one model differ in precision: a faster engine may predict worse.
final class PairQuality {
    private static final String WIDEST = "BF16";

    private PairQuality() {}

    /// "INT4" of an engine's runs; empty where they differ or do not say.
    static String precision(List<RunRecord> runs) {
        List<String> named =
                runs.stream().map(run -> LetterCase.upper(run.manifest().system().precision())).distinct().toList();
        return named.size() == 1 ? named.getFirst() : "";
    }

    /// The quality that all runs of an engine have; absent where they differ or do not say.
    static @Nullable MeasuredQuality measured(List<RunRecord> runs) {
        List<MeasuredQuality> known =
                runs.stream().map(run -> run.manifest().system().quality()).filter(Objects::nonNull).toList();
        return known.size() == runs.size() && known.stream().distinct().count() == 1 ? known.getFirst() : null;
    }

    /// The sides whose quality matters: none where both have one precision, or different models.
    private static List<ComparedSide> narrowed(ComparedSide base, ComparedSide candidate) {
        String before = base.origin().precision();
        String after = candidate.origin().precision();
        boolean differ = !before.isEmpty() && !after.isEmpty() && !before.equals(after)
                && base.model().equals(candidate.model());
        return differ ? Stream.of(base, candidate).filter(side -> !side.origin().precision().equals(WIDEST)).toList()
                : List.of();
    }

    /// For a headline: "INT4 has 1.012× the perplexity of m-bf16.", or that it was not measured; empty where no precision differs.
    static Optional<String> clause(ComparedSide base, ComparedSide candidate) {
        return sentences(base, candidate, ".", known -> ".");
    }

    /// For a table: also divergence, agreement and text; empty where no precision differs.
    static Optional<String> note(ComparedSide base, ComparedSide candidate) {
        return sentences(base, candidate, "; a faster engine may predict worse " + CommandAdvice.QUALITY.words() + ".",
                known -> ", a KL divergence of " + QualityText.number("%.4f", known.divergence().mean())
                        + " nats a token and the same likeliest token for "
                        + QualityText.number("%.1f", 100 * known.topAgreement().mean()) + " % of " + known.tokens()
                        + " tokens of " + known.text() + ".");
    }

    private static Optional<String> sentences(ComparedSide base, ComparedSide candidate, String advice,
            Function<MeasuredQuality, String> more) {
        List<String> sentences = new ArrayList<>();
        List<String> unknown = new ArrayList<>();
        for (ComparedSide side : narrowed(base, candidate)) {
            String precision = side.origin().precision();
            MeasuredQuality known = side.origin().quality();
            if (known == null) {
                unknown.add(precision);
            } else {
                sentences.add(
                        precision + " has " + QualityText.number("%.3f", Math.exp(known.logLikelihoodLoss().mean()))
                                + "× the perplexity of " + known.reference() + more.apply(known));
            }
        }
        if (!unknown.isEmpty()) {
            sentences.add(notMeasured(String.join(", ", unknown)) + advice);
        }
        return sentences.isEmpty() ? Optional.empty() : Optional.of(String.join(" ", sentences));
    }

    /// For the headline of several pairs: the precisions whose quality was not measured; empty for none.
    static String unknown(List<ResultComparison.Pair> pairs) {
        String precisions = pairs.stream().filter(ResultComparison.Pair::ranked)
                .flatMap(pair -> narrowed(pair.baseSide(), pair.candidateSide()).stream())
                .filter(side -> side.origin().quality() == null).map(side -> side.origin().precision()).distinct()
                .collect(Collectors.joining(", "));
        return precisions.isEmpty() ? "" : " " + notMeasured(precisions) + ".";
    }

    private static String notMeasured(String precisions) {
        return "The quality of " + precisions + " was not measured";
    }
}
