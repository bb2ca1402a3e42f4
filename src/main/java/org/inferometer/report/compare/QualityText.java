package org.inferometer.report.compare;

import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.inferometer.record.MeasuredQuality;
import org.inferometer.record.MeasuredQuality.TokenMean;
import org.inferometer.report.FigureText;
import org.inferometer.units.CommandAdvice;
import org.inferometer.units.LetterCase;

/// The quality of cells in words and cells of tables.
public final class QualityText {
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
    public static Optional<String> note(List<ComparedCell> cells) {
        List<String> unknown =
                cells.stream().filter(cell -> quality(cell).isEmpty()).map(QualityText::precision).distinct().toList();
        if (cells.isEmpty()) {
            return Optional.empty();
        }
        if (!unknown.isEmpty()) {
            return Optional.of("Quality of " + String.join(", ", unknown)
                    + " was not measured; a faster engine may predict worse " + CommandAdvice.QUALITY.words() + ".");
        }
        MeasuredQuality first = quality(cells.getFirst()).orElseThrow();
        boolean alike = cells.stream().allMatch(cell -> quality(cell).orElseThrow().isJudgedAs(first));
        return Optional.of(alike
                ? "Quality against " + first.reference() + " on " + first.tokens() + " tokens of " + first.text()
                        + "; KL divergence in nats a token."
                : "The engines' quality was measured on different texts or references and cannot be compared.");
    }

    /// "INT4 has 1.012× the perplexity of m-bf16.", or that it was not measured; empty for no cells.
    public static Optional<String> clause(List<ComparedCell> cells) {
        return cells.stream().findFirst().map(cell -> quality(cell)
                .map(known -> precision(cell) + " has " + number("%.3f", Math.exp(known.logLikelihoodLoss().mean()))
                        + "× the perplexity of " + known.reference() + ".")
                .orElse("The quality of " + precision(cell) + " was not measured."));
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

    static String number(String format, double value) {
        return String.format(Locale.ROOT, format, value);
    }
}
