package org.inferometer.report.compare;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.inferometer.finding.SideDifference.Length;
import org.inferometer.finding.SideDifference.OtherLengths;
import org.inferometer.measurement.CellFigures;
import org.inferometer.measurement.Metrics;
import org.inferometer.record.CellFigure;
import org.inferometer.record.Metric;

/// Whether the same requests became other work: a server that stops early does half of it. Such sides are never ranked.
final class OtherWork {
    /// The share by which the tokens of a request may differ.
    private static final double SHARE = 0.05;

    private OtherWork() {}

    /// The mean lengths, as counted by each side, that are too far apart. Not known where a request did not end ok.
    static List<OtherLengths> of(List<CellFigure> base, List<CellFigure> candidate) {
        List<OtherLengths> lengths = new ArrayList<>();
        for (Length length : Length.values()) {
            double before = tokensARequest(base, length);
            double after = tokensARequest(candidate, length);
            if (before > 0 && after > 0 && Math.abs(after - before) > SHARE * before) {
                lengths.add(new OtherLengths(length, before, after));
            }
        }
        return List.copyOf(lengths);
    }

    /// Whether a cell did other work than another one.
    static boolean differs(ComparedCell base, ComparedCell candidate) {
        return !of(base.summary().figures(), candidate.summary().figures()).isEmpty();
    }

    /// "answers of full have 40.0 tokens, of half 20.0."; empty where all cells did the same work as the first.
    static Optional<String> among(List<ComparedCell> cells) {
        return cells.stream().skip(1).filter(cell -> differs(cells.getFirst(), cell)).findFirst().map(cell -> {
            OtherLengths lengths = of(cells.getFirst().summary().figures(), cell.summary().figures()).getFirst();
            return String.format(Locale.ROOT, "%s of %s have %.1f tokens, of %s %.1f.", switch (lengths.length()) {
                case ANSWER -> "answers";
                case PROMPT -> "prompts";
            }, cells.getFirst().name(), lengths.base(), cell.name(), lengths.candidate());
        });
    }

    private static double tokensARequest(List<CellFigure> figures, Length length) {
        Metric tokens = switch (length) {
            case ANSWER -> Metrics.OUTPUT_TOKENS;
            case PROMPT -> Metrics.PROMPT_TOKENS;
        };
        // Tokens are those of all requests, so all must have ended ok.
        double requests = CellFigures.find(figures, Metrics.REQUESTS_OK)
                .filter(figure -> figure.n() == Math.round(figure.mean() * figure.runs())).map(CellFigure::mean)
                .orElse(0.0);
        return requests == 0 ? 0 : CellFigures.find(figures, tokens).map(CellFigure::mean).orElse(0.0) / requests;
    }
}
