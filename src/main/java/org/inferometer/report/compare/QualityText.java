package org.inferometer.report.compare;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.inferometer.finding.Advice;
import org.inferometer.record.MeasuredQuality;
import org.inferometer.record.MeasuredQuality.TokenMean;
import org.inferometer.record.RunRecord;
import org.inferometer.report.FigureText;
import org.inferometer.units.LetterCase;
import org.inferometer.wording.AdvisedText;
import org.jspecify.annotations.Nullable;

/// The quality of predictions in words and cells of tables: where engines of one model differ in precision, a faster one may predict worse.
public final class QualityText {
    private static final String WIDEST = "BF16";

    private QualityText() {}

    /// Perplexity as a ratio to the reference's; its interval is that of the mean loss.
    static String perplexityRatio(ComparedCell cell) {
        return quality(cell).map(known -> {
            TokenMean loss = known.logLikelihoodLoss();
            Double half = loss.halfWidth();
            String ratio = number("%.3f", Math.exp(loss.mean()));
            return half == null ? ratio : ratio + " [" + number("%.3f", Math.exp(loss.mean() - half)) + ", "
                    + number("%.3f", Math.exp(loss.mean() + half)) + "]";
        }).orElse(FigureText.NOT_APPLICABLE);
    }

    /// Mean divergence from the reference, in nats a token.
    static String divergence(ComparedCell cell) {
        return quality(cell).map(known -> spread("%.4f", known.divergence(), 1)).orElse(FigureText.NOT_APPLICABLE);
    }

    /// Share of equal likeliest tokens, in percent.
    static String agreement(ComparedCell cell) {
        return quality(cell).map(known -> spread("%.1f", known.topAgreement(), 100)).orElse(FigureText.NOT_APPLICABLE);
    }

    /// By what the quality of cells was judged, or which were not; empty for no cells.
    public static Optional<AdvisedText> note(List<ComparedCell> cells) {
        List<String> unknown =
                cells.stream().filter(cell -> quality(cell).isEmpty()).map(QualityText::precision).distinct().toList();
        if (cells.isEmpty()) {
            return Optional.empty();
        }
        if (!unknown.isEmpty()) {
            return Optional.of(new AdvisedText("Quality of " + String.join(", ", unknown)
                    + " was not measured; a faster engine may predict worse ", Advice.Action.QUALITY, "."));
        }
        MeasuredQuality first = quality(cells.getFirst()).orElseThrow();
        boolean alike = cells.stream().allMatch(cell -> quality(cell).orElseThrow().isJudgedAs(first));
        return Optional.of(AdvisedText.plain(alike
                ? "Quality against " + first.reference() + " on " + first.tokens() + " tokens of " + first.text()
                        + "; KL divergence in nats a token."
                : "The engines' quality was measured on different texts or references and cannot be compared."));
    }

    /// "INT4 has 1.012× the perplexity of m-bf16.", or that it was not measured; empty for no cells.
    public static Optional<String> clause(List<ComparedCell> cells) {
        return cells.stream().findFirst().map(cell -> quality(cell)
                .map(known -> perplexity(precision(cell), known) + ".").orElse(notMeasured(precision(cell)) + "."));
    }

    private static Optional<MeasuredQuality> quality(ComparedCell cell) {
        return Optional.ofNullable(cell.summary().quality());
    }

    private static String precision(ComparedCell cell) {
        return LetterCase.upper(cell.precision());
    }

    private static String spread(String format, TokenMean mean, double factor) {
        Double half = mean.halfWidth();
        String middle = number(format, factor * mean.mean());
        return half == null ? middle : middle + " ±" + number(format, factor * half);
    }

    private static String number(String format, double value) {
        return String.format(Locale.ROOT, format, value);
    }

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
                && Objects.equals(base.model(), candidate.model());
        return differ ? Stream.of(base, candidate).filter(side -> !side.origin().precision().equals(WIDEST)).toList()
                : List.of();
    }

    /// For a headline: "INT4 has 1.012× the perplexity of m-bf16.", or that it was not measured; empty where no precision differs.
    static Optional<String> clause(ComparedSide base, ComparedSide candidate) {
        return sentences(base, candidate, ".", known -> ".");
    }

    /// For a table: also divergence, agreement and text; empty where no precision differs.
    static Optional<AdvisedText> note(ComparedSide base, ComparedSide candidate) {
        boolean measured = narrowed(base, candidate).stream().allMatch(side -> side.origin().quality() != null);
        return sentences(base, candidate, "; a faster engine may predict worse ",
                known -> ", a KL divergence of " + number("%.4f", known.divergence().mean())
                        + " nats a token and the same likeliest token for "
                        + number("%.1f", 100 * known.topAgreement().mean()) + " % of " + known.tokens() + " tokens of "
                        + known.text() + ".")
                .map(text -> measured ? AdvisedText.plain(text) : new AdvisedText(text, Advice.Action.QUALITY, "."));
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
                sentences.add(perplexity(precision, known) + more.apply(known));
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

    private static String perplexity(String precision, MeasuredQuality known) {
        return precision + " has " + number("%.3f", Math.exp(known.logLikelihoodLoss().mean())) + "× the perplexity of "
                + known.reference();
    }

    private static String notMeasured(String precisions) {
        return "The quality of " + precisions + " was not measured";
    }
}
