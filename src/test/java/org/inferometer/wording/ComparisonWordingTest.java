package org.inferometer.wording;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.inferometer.finding.NotJudged;
import org.inferometer.finding.PairCaution;
import org.inferometer.finding.PairCaution.TwoExperiments;
import org.inferometer.finding.PairContrast;
import org.inferometer.finding.PairContrast.Common;
import org.inferometer.finding.PairContrast.SettingChange;
import org.inferometer.finding.SideDifference;
import org.inferometer.finding.SideDifference.OfProperty;
import org.inferometer.finding.SideDifference.Property;
import org.junit.jupiter.api.Test;

class ComparisonWordingTest {
    private static final SideDifference SEEDS = new SideDifference.UnsharedSeeds(2, 3);
    private static final SideDifference DEVICE = new OfProperty(Property.DEVICE, "CPU, 2 cores", null);

    @Test
    void differencesNameBothSides() {
        assertThat(Stream.of(new OfProperty(Property.MODEL, "tiny", "large"), DEVICE,
                new OfProperty(Property.DEVICE, null, "CPU, 2 cores"), new OfProperty(Property.MODEL, null, null),
                new SideDifference.UnknownRequests(false, true), new SideDifference.UnknownRequests(true, true), SEEDS,
                new SideDifference.UnsharedSeeds(0, 1), new SideDifference.OtherDraws("short", "chat"),
                new SideDifference.OtherLengths(SideDifference.Length.ANSWER, 40, 20),
                new SideDifference.OtherLengths(SideDifference.Length.PROMPT, 64, 70.26))
                .map(ComparisonWording::sentence)).containsExactly("Model differs: tiny (base), large (candidate).",
                        "Device is not known of the candidate (base: CPU, 2 cores).",
                        "Device is not known of the base (candidate: CPU, 2 cores).",
                        "Model is not known on either side.", "Requests are not known of the candidate.",
                        "Requests are not known on either side.", "Requests differ: 2 of 3 seeds shared.",
                        "Requests differ: 0 of 1 seed shared.",
                        "Workloads differ: short and chat draw different requests from the same seeds.",
                        "Lengths of answers differ: 40.0 tokens a request (base), 20.0 (candidate).",
                        "Lengths of prompts differ: 64.0 tokens a request (base), 70.3 (candidate).");
    }

    @Test
    void reasonsAreNamedOnce() {
        assertThat(ComparisonWording.notRanked(List.of(SEEDS, new SideDifference.UnsharedSeeds(1, 3), DEVICE), true))
                .hasToString("Not ranked: requests differ, device is not known of the candidate, a run is INVALID.");
    }

    @Test
    void contrastNamesSettingsDifferencesAndWhatIsSame() {
        assertThat(ComparisonWording.sentence(new PairContrast(List.of(new SettingChange("precision", "FP8", "INT4")),
                List.of(SEEDS, DEVICE), List.of(Common.MODEL, Common.DEFINITIONS)))).isEqualTo(
                        "Differs: precision FP8 → INT4; drawn requests. Not known: device. Same: model, definitions.");
        assertThat(ComparisonWording.sentence(new PairContrast(List.of(), List.of(), List.of(Common.SEEDS))))
                .isEqualTo("Differs: no setting. Same: seeds.");
    }

    @Test
    void twoExperimentsSayTheirDistance() {
        assertThat(Stream
                .of(TwoExperiments.of(Duration.ofMinutes(51 * 60 + 30), List.of("a"), false),
                        TwoExperiments.of(null, List.of("a", "b", "c", "d", "e", "f"), true),
                        TwoExperiments.of(Duration.ofSeconds(61), List.of(), true))
                .map(ComparisonWordingTest::sentence))
                .containsExactly(
                        "Two experiments, 2 d 3 h apart: the intervals do not contain the variation between "
                                + "experiments. Measure both sides in one (run --against), or learn the variation "
                                + "(selfcheck --aa).",
                        "Two experiments, distance in time not known: the intervals contain the variation between "
                                + "experiments (selfcheck --aa), but not for a, b, c, d and 2 more.",
                        "Two experiments, 1 min apart: the intervals contain the variation between experiments "
                                + "(selfcheck --aa).");
    }

    private static String sentence(PairCaution caution) {
        return ComparisonWording.sentence(caution, name -> "<" + name + ">", Voice.COMMAND_LINE);
    }

    @Test
    void invalidSidesAreNamed() {
        assertThat(sentence(new PairCaution.InvalidRun("b#1")))
                .isEqualTo("<b#1> has an INVALID run: do not use its figures.");
        assertThat(sentence(new PairCaution.InvalidResult("b", "every run is valid", "b#1"))).isEqualTo(
                "<b> is INVALID as a whole: not met: every run is valid. The runs of <b#1> are not INVALID.");
    }

    @Test
    void cautionsOfSeveralPairsAreOneIfTheyDifferInTimeAlone() {
        TwoExperiments soon = TwoExperiments.of(Duration.ofMinutes(3), List.of("a"), false);
        TwoExperiments late = TwoExperiments.of(Duration.ofMinutes(51 * 60), List.of("a"), false);
        assertThat(late.with(soon)).map(ComparisonWordingTest::sentence).get().asString()
                .startsWith("Two experiments, 3 min to 2 d 3 h apart: ");
        assertThat(soon.with(TwoExperiments.of(Duration.ofMinutes(3), List.of("b"), false))).isEmpty();
        assertThat(soon.with(TwoExperiments.of(null, List.of("a"), false))).isEmpty();
    }

    @Test
    void reasonsOfChecksAreClauses() {
        assertThat(Stream.of(NotJudged.values()).map(ComparisonWording::clause)).containsExactly("a run is INVALID",
                "each side needs 2 runs or more, 3 with the same seeds to pair");
    }
}
