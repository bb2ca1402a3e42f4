package org.inferometer.report.compare;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;
import org.inferometer.record.ExperimentManifest;
import org.inferometer.record.ExperimentManifest.CellSummary;
import org.inferometer.record.ExperimentManifest.ExperimentOutcome;
import org.inferometer.record.ExperimentRecord;
import org.inferometer.record.RunManifest;
import org.inferometer.record.RunRecord;
import org.inferometer.record.RunStatus;
import org.inferometer.record.Verdict;
import org.inferometer.record.Verdict.Requirement;
import org.inferometer.report.charts.SweptCells;
import org.inferometer.report.compare.Findings.InvalidCells;
import org.inferometer.results.SampleRecords;
import org.junit.jupiter.api.Test;

/// Cells 0 to 2 are naive at 2, 4 and 8 req/s, cells 3 to 5 continuous.
class InvalidCellsTest {
    private static final Requirement SERVED = Requirement.SERVED_AS_ASKED;
    private static final Requirement ALL = Requirement.ALL_RUNS_VALID;

    /// @param invalid indices of cells
    /// @param broken the condition that their runs break
    private static ExperimentRecord record(List<Integer> invalid, Requirement broken, Requirement ofExperiment)
            throws Exception {
        return record(invalid, cell -> List.of(broken), 3, ofExperiment);
    }

    /// @param broken the conditions that the runs of a cell break
    /// @param ofRuns INVALID runs of a cell, of three
    private static ExperimentRecord record(List<Integer> invalid, IntFunction<List<Requirement>> broken, int ofRuns,
            Requirement ofExperiment) throws Exception {
        List<CellSummary> cells = new ArrayList<>();
        for (ComparedCell each : SweptCells.of(List.of("tiny-int4"), List.of("naive", "continuous"),
                SweptCells.rates(2, 4, 8))) {
            CellSummary cell = each.summary();
            cells.add(new CellSummary(cell.cellIndex(), cell.cell(), cell.model(), cell.precision(), 3,
                    invalid.contains(cell.cellIndex()) ? ofRuns : 0, cell.figures()));
        }
        Verdict verdict = new Verdict(Verdict.Grade.INVALID, List.of(new Verdict.Condition(ofExperiment,
                ofExperiment.name(), Verdict.State.BROKEN, "3 of 18 invalid", "Lower the rate.")));
        ExperimentManifest bare = SweptCells.manifest(cells);
        ExperimentManifest manifest =
                bare.withOutcome(new ExperimentOutcome(RunStatus.COMPLETE, "", cells, verdict), null);
        List<RunRecord> runs = FindingsTest.record(SampleRecords.experiment(Path.of("x"), 3)).runs().stream()
                .filter(run -> invalid.contains(run.manifest().plan().index().cell()))
                .filter(run -> run.manifest().plan().index().repetition() < ofRuns)
                .map(run -> new RunRecord(run.folderName(),
                        run.manifest()
                                .ended(new RunManifest.RunOutcome(RunStatus.COMPLETE, "", 0,
                                        verdict(broken.apply(run.manifest().plan().index().cell())))),
                        run.observations(), List.of()))
                .toList();
        return new ExperimentRecord(Path.of("x"), manifest, runs, List.of());
    }

    private static Verdict verdict(List<Requirement> broken) {
        return new Verdict(Verdict.Grade.INVALID, broken.stream().map(each -> new Verdict.Condition(each, each.name(),
                Verdict.State.BROKEN, "offered 8.0/s, served 4.0/s", "Lower the rate.")).toList());
    }

    private static String sentence(ExperimentRecord record) {
        return new InvalidCells(record, ComparedCell.of(List.of(record.manifest()))).sentence().orElse("");
    }

    @Test
    void onlyMostRunsWithoutAnotherFaultAreSaturated() throws Exception {
        assertThat(sentence(
                record(List.of(2, 3), cell -> List.of(cell == 2 ? SERVED : Requirement.PUNCTUAL_SENDS), 3, ALL)))
                .isEqualTo("Invalid: naive is saturated at 8 req/s; for other reasons continuous at 2 req/s.");
        assertThat(sentence(record(List.of(2), cell -> List.of(SERVED, Requirement.NO_THROTTLING), 3, ALL)))
                .isEqualTo("Invalid: naive at 8 req/s.");
        assertThat(sentence(
                record(List.of(2), cell -> List.of(SERVED, Requirement.NO_FAILURES, Requirement.STEADY_TTFT), 3, ALL)))
                .isEqualTo("Invalid: naive is saturated at 8 req/s.");
        assertThat(sentence(record(List.of(2), cell -> List.of(SERVED), 1, ALL)))
                .isEqualTo("Invalid: naive at 8 req/s.");
    }

    private static String sentence(Requirement broken, Integer... invalid) throws Exception {
        ExperimentRecord record = record(List.of(invalid), broken, ALL);
        return sentence(record);
    }

    @Test
    void fewAreNamedAndManyCounted() throws Exception {
        assertThat(sentence(SERVED)).isEmpty();
        assertThat(sentence(SERVED, 2)).isEqualTo("Invalid: naive is saturated at 8 req/s.");
        assertThat(sentence(SERVED, 1, 2)).isEqualTo("Invalid: naive is saturated from 4 req/s.");
        assertThat(sentence(SERVED, 0, 2))
                .isEqualTo("Invalid: naive is saturated at 2 req/s, naive is saturated at 8 req/s.");
        assertThat(sentence(Requirement.STEADY_TTFT, 1, 3))
                .isEqualTo("Invalid: naive at 4 req/s, continuous at 2 req/s.");
        assertThat(sentence(Requirement.STEADY_TTFT, 0, 1, 2, 3)).isEqualTo("Invalid: 4 of 6 cells.");
    }

    @Test
    void validLoadsKeepTheirAnswer() throws Exception {
        List<String> findings = Findings.of(record(List.of(2), SERVED, ALL));
        assertThat(findings.getFirst()).isEqualTo("Invalid: naive is saturated at 8 req/s. At 4 req/s,"
                + " continuous against naive: 1.27× the output throughput."
                + " From 2 to 4 req/s: output throughput 1.30× to 1.27×, TTFT P50 1.15× to 1.14× longer. 3 runs each.");
        assertThat(findings.get(1)).isEqualTo("Invalid: 3 of 3 runs do not meet \"SERVED_AS_ASKED\""
                + " (offered 8.0/s, served 4.0/s). Lower the rate.");
    }

    @Test
    void nothingIsRankedWhereRunsAreMissing() throws Exception {
        assertThat(Findings.of(record(List.of(2), SERVED, Requirement.ALL_RUNS_ENDED)).getFirst())
                .startsWith("Invalid: 3 of 3 runs do not meet ");
    }
}
