package org.inferometer.ui.results;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import javafx.collections.ListChangeListener;
import org.inferometer.record.RunStatus;
import org.inferometer.record.Verdict;
import org.inferometer.report.document.ReportFormat;
import org.inferometer.ui.fx.BackgroundWork;
import org.inferometer.ui.twin.Experiments;
import org.inferometer.ui.twin.InlineUi;
import org.inferometer.ui.twin.LibraryTwin;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ResultsViewModelTest {
    private static final Instant DAY = Instant.parse("2026-11-20T09:15:00Z");
    private final LibraryTwin own;
    private final LibraryTwin samples;
    private final ResultsViewModel results;

    ResultsViewModelTest(@TempDir Path folder) {
        own = new LibraryTwin(folder.resolve("results"));
        samples = new LibraryTwin(folder.resolve("samples"));
        results = new ResultsViewModel(own.tools(), new InlineUi().work());
    }

    @BeforeEach
    void fill() {
        add(own, "old", RunStatus.COMPLETE, Verdict.Grade.VALID, DAY.minusSeconds(9000));
        add(own, "new", RunStatus.CANCELLED, Verdict.Grade.INVALID, DAY);
        own.addDamaged("torn");
        add(samples, "h200", RunStatus.COMPLETE, Verdict.Grade.VALID, DAY.plusSeconds(1));
        results.refresh();
    }

    private static void add(LibraryTwin library, String id, RunStatus status, Verdict.Grade grade, Instant when) {
        library.add(Experiments.record(library.folder().resolve(id),
                Experiments.manifest(id, Experiments.QUICK, status, grade, when), List.of()));
    }

    @Test
    void ownResultsComeFirstNewestFirstAndDamagedOnesAreListed() {
        assertThat(results.rows()).extracting(row -> row.folder().getFileName().toString()).containsExactly("new",
                "old", "torn", "h200");
        assertThat(results.count().get()).isEqualTo("4 experiments");
        assertThat(results.newest())
                .hasValueSatisfying(row -> assertThat(row.folder()).isEqualTo(own.folder().resolve("new")));
    }

    @Test
    void searchingNeedsEveryWord() {
        results.search().set("tiny-int4 invalid");
        assertThat(results.rows()).extracting(row -> row.folder().getFileName().toString()).containsExactly("new");
        results.search().set("damaged");
        assertThat(results.rows()).extracting(row -> row.folder().getFileName().toString()).containsExactly("torn");
        results.search().set("nothing like this");
        assertThat(results.filterHidesAll()).isTrue();
        assertThat(results.count().get()).isEqualTo("0 of 4 experiments match");
        results.clearFilter();
        assertThat(results.rows()).hasSize(4);
    }

    @Test
    void aDamagedResultSaysWhatIsWrong() {
        results.open(results.rows().get(2));
        assertThat(results.opened().get()).isNull();
        assertThat(results.problem().get()).startsWith("experiment.json");
        results.open(results.rows().get(0));
        assertThat(results.problem().get()).isEmpty();
        assertThat(results.opened().get().record().manifest().id()).isEqualTo("new");
    }

    @Test
    void aResultThatOpensSlowlyDoesNotOvertakeWhatWasChosenAfterIt() {
        List<Runnable> waiting = new ArrayList<>();
        ResultsViewModel slow = new ResultsViewModel(own.tools(), new BackgroundWork(waiting::add, new InlineUi()));
        slow.open(results.rows().get(0));
        assertThat(slow.opening().get()).isTrue();
        slow.open(results.rows().get(2));
        waiting.forEach(Runnable::run);
        assertThat(slow.opened().get()).isNull();
        assertThat(slow.opening().get()).isFalse();
        assertThat(slow.problem().get()).startsWith("experiment.json");
    }

    @Test
    void whereThereIsNothingTheCountSaysSo() {
        ResultsViewModel empty = new ResultsViewModel(
                new LibraryTwin(own.folder().resolve("nothing")).tools(own.folder().resolve("nowhere")),
                new InlineUi().work());
        empty.refresh();
        assertThat(empty.count().get()).isEqualTo("0 experiments");
    }

    @Test
    void aRefreshThatFindsTheSameLeavesTheRowsAlone() {
        List<ResultRow> before = List.copyOf(results.rows());
        List<Object> changes = new ArrayList<>();
        results.rows().addListener((ListChangeListener<ResultRow>) changes::add);
        results.refresh();
        assertThat(changes).isEmpty();
        assertThat(results.rows()).isEqualTo(before);
    }

    @Test
    void theNewestIsOneThatCanBeReadWhateverIsSearchedFor() {
        LibraryTwin torn = new LibraryTwin(own.folder().resolveSibling("torn"));
        torn.addDamaged("torn");
        ResultsViewModel damaged = new ResultsViewModel(torn.tools(samples.folder()), new InlineUi().work());
        damaged.refresh();
        damaged.search().set("nothing like this");
        assertThat(damaged.newest())
                .hasValueSatisfying(row -> assertThat(row.folder()).isEqualTo(samples.folder().resolve("h200")));
    }

    @Test
    void folderIsKnownByItsNameWhereItIsListedAndNoOtherIsCalledSo() {
        assertThat(results.knownByName(own.folder().resolve("old"))).isTrue();
        assertThat(results.knownByName(samples.folder().resolve("h200").toAbsolutePath())).isTrue();
        assertThat(results.knownByName(Path.of("elsewhere", "old"))).isFalse();
        assertThat(results.knownByName(Path.of("elsewhere", "gone"))).isFalse();
        add(samples, "old", RunStatus.COMPLETE, Verdict.Grade.VALID, DAY);
        results.refresh();
        assertThat(results.knownByName(own.folder().resolve("old"))).isFalse();
    }

    @Test
    void aFileIsOpenedByItsFolder() {
        results.open(own.folder().resolve("old").resolve("experiment.json"));
        assertThat(results.opened().get().record().manifest().id()).isEqualTo("old");
        results.open(Path.of("elsewhere"));
        assertThat(results.opened().get()).isNull();
        assertThat(results.problem().get()).contains("no such result");
    }

    @Test
    void aReportIsWrittenInTheFormatOfItsFile(@TempDir Path folder) throws IOException {
        results.open(own.folder().resolve("old"));
        own.tools().saveReport(results.opened().get().record(), ReportFormat.MD, folder.resolve("r.md"));
        assertThat(Files.readString(folder.resolve("r.md"))).startsWith("# ");
        own.tools().saveReport(results.opened().get().record(), ReportFormat.HTML, folder.resolve("r.html"));
        assertThat(Files.readString(folder.resolve("r.html"))).startsWith("<!");
    }

    @Test
    void figuresThatWereNotRecordedAreNotZero() {
        assertThat(results.rows().get(2).bestTokensPerSecond()).isEmpty();
        assertThat(results.rows().get(0).bestTokensPerSecond()).hasValue(1043);
        assertThat(HeadlineFigures.text(java.util.Optional.empty())).isEqualTo("not recorded");
    }
}
