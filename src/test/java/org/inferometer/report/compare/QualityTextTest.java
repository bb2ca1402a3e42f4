package org.inferometer.report.compare;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import org.inferometer.experiment.ServiceObjective;
import org.inferometer.record.MeasuredQuality;
import org.inferometer.record.MeasuredQuality.TokenMean;
import org.inferometer.results.SampleRecords;
import org.inferometer.wording.AdvisedText;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/// A comparison of precisions never names speed alone.
class QualityTextTest {
    private static final MeasuredQuality KNOWN = new MeasuredQuality("m-bf16", "notes.txt", "ab", 999, 512, 256, 12,
            new TokenMean(Math.log(1.012), 0.004), new TokenMean(0.0213, null), new TokenMean(0.917, null));

    /// Cell 2 is 30 % faster than cell 1.
    private static ComparedSide side(String cell, String precision, @Nullable MeasuredQuality quality) {
        ComparedSide side =
                ComparedSide.part(FindingsTest.record(SampleRecords.experiment(Path.of("x"), 3)), cell).orElseThrow();
        return new ComparedSide(side.name(), side.label(), side.cell(), side.model(), side.figures(), side.workloads(),
                side.machine(), side.grades(), new ComparedSide.Origin("x", new ComparedSide.Part.CellPart(1), null,
                        new ComparedSide.Server.None(), ServiceObjective.NONE, "", null, 0, precision, quality),
                List.of());
    }

    private static ResultComparison compared(ComparedSide base, ComparedSide... candidates) {
        return ResultComparison.of(List.of(base), List.of(List.of(candidates)), false, KnownVariation.NONE);
    }

    @Test
    void headlineSaysThatQualityWasNotMeasured() {
        ResultComparison one = compared(side("1", "BF16", null), side("2", "INT4", null));
        assertThat(one.headline().toString()).contains("1.30× faster")
                .endsWith(" The quality of INT4 was not measured.");
        assertThat(one.pairs().getFirst().notes()).map(AdvisedText::toString).startsWith(
                "The quality of INT4 was not measured; a faster engine may predict worse (see engines quality).");
        assertThat(compared(side("1", "FP8", null), side("2", "INT4", null)).headline().toString())
                .endsWith(" The quality of FP8, INT4 was not measured.");
        assertThat(compared(side("1", "BF16", null), side("2", "INT4", null), side("2", "FP8", KNOWN)).headline()
                .toString()).startsWith("Speed: better in 2 of 2 pairs.")
                .endsWith(" The quality of INT4 was not measured.");
    }

    @Test
    void measuredQualityStandsBesideSpeed() {
        ResultComparison one = compared(side("1", "FP8", null), side("2", "INT4", KNOWN));
        assertThat(one.headline().toString())
                .endsWith(" INT4 has 1.012× the perplexity of m-bf16. The quality of FP8 was not measured.");
        assertThat(QualityText.note(side("1", "BF16", null), side("2", "INT4", KNOWN))).contains(AdvisedText
                .plain("INT4 has 1.012× the perplexity of m-bf16, a KL divergence of 0.0213 nats a token and the "
                        + "same likeliest token for 91.7 % of 999 tokens of notes.txt."));
    }

    @Test
    void equalOrUnknownPrecisionsNeedNoQuality() {
        for (String precision : List.of("INT4", "")) {
            assertThat(QualityText.clause(side("1", precision, null), side("2", "INT4", null))).isEmpty();
        }
        assertThat(compared(side("1", "INT4", null), side("2", "INT4", null)).headline().toString())
                .doesNotContain("quality");
    }
}
