package org.inferometer.ui.results;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import javafx.collections.ListChangeListener;
import org.inferometer.record.RunStatus;
import org.inferometer.record.Verdict;
import org.inferometer.report.document.ReportFormat;
import org.inferometer.report.document.ReportOutline;
import org.inferometer.report.document.Reports;
import org.inferometer.results.ResultNotes;
import org.inferometer.ui.fx.BackgroundWork;
import org.inferometer.ui.fx.Notifier;
import org.inferometer.ui.fx.UndoStack;
import org.inferometer.ui.results.ResultFilter.ResultFacet;
import org.inferometer.ui.twin.Experiments;
import org.inferometer.ui.twin.InlineUi;
import org.inferometer.ui.twin.LibraryTwin;
import org.inferometer.units.SystemClock;
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
        results.filter().search().set("tiny-int4 invalid");
        assertThat(results.rows()).extracting(row -> row.folder().getFileName().toString()).containsExactly("new");
        results.filter().search().set("damaged");
        assertThat(results.rows()).extracting(row -> row.folder().getFileName().toString()).containsExactly("torn");
        results.filter().search().set("nothing like this");
        assertThat(results.filterHidesAll()).isTrue();
        assertThat(results.count().get()).isEqualTo("0 of 4 experiments match");
        results.filter().clear();
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
        damaged.filter().search().set("nothing like this");
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
    void folderTellsWhereAResultComesFrom(@TempDir Path elsewhere) {
        LibraryTwin other = new LibraryTwin(elsewhere);
        add(other, "lent", RunStatus.COMPLETE, Verdict.Grade.VALID, DAY);
        List<ResultRow.Origin> origins = new ArrayList<>();
        for (Path each : List.of(own.folder().resolve("old"), samples.folder().resolve("h200"),
                elsewhere.resolve("lent"))) {
            results.open(each);
            origins.add(results.opened().get().origin());
        }
        assertThat(origins).containsExactly(ResultRow.Origin.OWN, ResultRow.Origin.SAMPLE, ResultRow.Origin.ELSEWHERE);
    }

    @Test
    void aReportIsWrittenInTheFormatOfItsFile(@TempDir Path folder) throws IOException {
        results.open(own.folder().resolve("old"));
        Reports.Report report = new ReportSubject.Result(results.opened().get().record()).in(own.tools().reports(),
                ReportOutline.USUAL);
        report.write(ReportFormat.MD, folder.resolve("r.md"));
        assertThat(Files.readString(folder.resolve("r.md"))).startsWith("# ");
        report.write(ReportFormat.HTML, folder.resolve("r.html"));
        assertThat(Files.readString(folder.resolve("r.html"))).startsWith("<!");
    }

    @Test
    void figuresThatWereNotRecordedAreNotZero() {
        assertThat(results.rows().get(2).bestTokensPerSecond()).isEmpty();
        assertThat(results.rows().get(0).bestTokensPerSecond()).hasValue(1043);
        assertThat(HeadlineFigures.text(java.util.Optional.empty())).isEqualTo("not recorded");
    }

    @Test
    void facetsNarrowTheList() throws IOException {
        ResultNotes.of("", true, "h200", "").write(own.folder().resolve("new"));
        results.refresh();
        assertThat(ResultFilter.counts(ResultFacet.VERDICT, results.all()))
                .isEqualTo(Map.of("Valid", 2, "Invalid", 1, "No verdict", 1));
        ResultFilter filter = results.filter();
        filter.chosen().add(new ResultFilter.Choice(ResultFacet.VERDICT, "Valid"));
        assertThat(names()).containsExactly("old", "h200");
        filter.chosen().add(new ResultFilter.Choice(ResultFacet.VERDICT, "Invalid"));
        filter.chosen().add(new ResultFilter.Choice(ResultFacet.ORIGIN, "Measured here"));
        assertThat(names()).containsExactly("new", "old");
        filter.chosen().add(new ResultFilter.Choice(ResultFacet.TAG, "h200"));
        assertThat(names()).containsExactly("new");
        filter.samplesOnly();
        assertThat(names()).containsExactly("h200");
        filter.clear();
        filter.starredOnly().set(true);
        assertThat(names()).containsExactly("new");
    }

    @Test
    void theOpenResultHasTheNameOfTheList() {
        results.open(results.rows().get(0));
        assertThat(results.openedName().get()).isEqualTo(results.rows().get(0).name());
        results.note(results.rows().get(0), ResultNotes.of("driver 580", false, "", ""), failure -> {});
        assertThat(results.openedName().get()).isEqualTo("driver 580").isEqualTo(results.rows().get(0).name());
        results.close();
        assertThat(results.openedName().get()).isEmpty();
    }

    @Test
    void aDiscardedResultComesBackByUndo() {
        List<String> said = new ArrayList<>();
        UndoStack undo = new UndoStack();
        ResultActions actions = new ResultActions(results, keeping(said), undo, new SystemClock(), pane -> {});
        results.refresh();
        Path folder = results.rows().getFirst().folder();
        actions.discard(folder.resolveSibling("never-written"));
        assertThat(said).containsExactly("Nothing was measured, so there is nothing to discard.");
        actions.discard(folder);
        assertThat(folder).doesNotExist();
        undo.undo();
        assertThat(folder).isDirectory();
        undo.redo();
        assertThat(folder).doesNotExist();
    }

    @Test
    void deletedResultsComeBackByUndo() {
        UndoStack undo = new UndoStack();
        List<String> said = new ArrayList<>();
        ResultActions actions = new ResultActions(results, keeping(said), undo, new SystemClock(), pane -> {});
        results.open(results.rows().get(0));
        actions.delete(List.of(results.rows().get(0), results.rows().get(3)));
        assertThat(names()).containsExactly("old", "torn", "h200");
        assertThat(results.opened().get()).isNull();
        undo.undo();
        assertThat(names()).containsExactly("new", "old", "torn", "h200");
        undo.redo();
        assertThat(names()).containsExactly("old", "torn", "h200");
        String deleted = "1 result deleted. Ctrl+Z brings it back; it stays in the trash for 30 days.";
        assertThat(said).containsExactly(deleted, deleted);
        undo.undo();
        assertThat(names()).containsExactly("new", "old", "torn", "h200");
        assertThat(undo.toUndo().get()).isEmpty();
        assertThat(said).containsExactly(deleted, deleted);
    }

    @Test
    void starsNamesAndNotesComeBackByUndo() {
        UndoStack undo = new UndoStack();
        List<String> said = new ArrayList<>();
        ResultActions actions = new ResultActions(results, keeping(said), undo, new SystemClock(), pane -> {});
        ResultNotes first = ResultNotes.of("", true, "", "");
        actions.note(results.rows().get(0), first);
        assertThat(undo.toUndo().get()).isEqualTo("change of notes and tags");
        actions.star(List.of(results.rows().get(0), results.rows().get(1)));
        assertThat(notes()).isEqualTo(List.of(first, first));
        ResultNotes named = ResultNotes.of("driver 580", true, "h200 night", "cold");
        actions.note(results.rows().get(0), named);
        assertThat(undo.toUndo().get()).isEqualTo("new name of a result");
        assertThat(notes()).isEqualTo(List.of(named, first));
        undo.undo();
        assertThat(notes()).isEqualTo(List.of(first, first));
        undo.undo();
        assertThat(notes()).isEqualTo(List.of(first, ResultNotes.NONE));
        undo.undo();
        assertThat(notes()).isEqualTo(List.of(ResultNotes.NONE, ResultNotes.NONE));
        undo.redo();
        undo.redo();
        undo.redo();
        assertThat(notes()).isEqualTo(List.of(named, first));
        assertThat(said).isEmpty();
    }

    private List<ResultNotes> notes() {
        return results.rows().stream().limit(2).map(ResultRow::notes).toList();
    }

    @Test
    void notesOfADeletedResultMakeNoFolder() {
        UndoStack undo = new UndoStack();
        List<String> said = new ArrayList<>();
        ResultActions actions = new ResultActions(results, keeping(said), undo, new SystemClock(), pane -> {});
        ResultRow row = results.rows().get(0);
        actions.delete(List.of(row));
        said.clear();
        actions.note(row, ResultNotes.of("late", false, "", ""));
        assertThat(said).containsExactly("The notes are not saved: there is no result new any more.");
        assertThat(row.folder()).doesNotExist();
    }

    @Test
    void resultDeletedBeforeAFailureComesBackByUndo() throws IOException {
        UndoStack undo = new UndoStack();
        List<String> said = new ArrayList<>();
        ResultActions actions = new ResultActions(results, keeping(said), undo, new SystemClock(), pane -> {});
        ResultRow gone = results.rows().get(1);
        Files.move(gone.folder(), gone.folder().resolveSibling("elsewhere"));
        actions.delete(List.of(results.rows().get(0), gone));
        assertThat(said).hasSize(2);
        assertThat(said.getFirst()).startsWith("1 result deleted.");
        assertThat(said.getLast()).startsWith("Not deleted:");
        undo.undo();
        assertThat(names()).contains("new");
    }

    @Test
    void deletionDoneAgainIsOneStep() {
        List<Runnable> waiting = new ArrayList<>();
        ResultsViewModel slow = new ResultsViewModel(own.tools(), new BackgroundWork(waiting::add, new InlineUi()));
        UndoStack undo = new UndoStack();
        List<String> said = new ArrayList<>();
        ResultActions actions = new ResultActions(slow, keeping(said), undo, new SystemClock(), pane -> {});
        slow.refresh();
        run(waiting);
        actions.delete(List.of(slow.rows().get(0)));
        run(waiting);
        undo.undo();
        run(waiting);
        undo.redo();
        run(waiting);
        undo.undo();
        run(waiting);
        assertThat(undo.toUndo().get()).isEmpty();
        assertThat(slow.rows()).hasSize(4);
        assertThat(said).hasSize(2).allMatch(sentence -> sentence.startsWith("1 result deleted."));
    }

    private static void run(List<Runnable> waiting) {
        while (!waiting.isEmpty()) {
            waiting.removeFirst().run();
        }
    }

    private static Notifier keeping(List<String> said) {
        return new Notifier() {
            @Override
            public void done(String sentence) {
                said.add(sentence);
            }

            @Override
            public void problem(String sentence) {
                said.add(sentence);
            }
        };
    }

    private List<String> names() {
        return results.rows().stream().map(row -> row.folder().getFileName().toString()).toList();
    }
}
