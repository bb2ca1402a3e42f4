package org.inferometer.ui.shell;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import javafx.scene.Node;
import javafx.scene.control.ComboBox;
import javafx.scene.control.Label;
import javafx.scene.control.TableView;
import javafx.scene.input.Clipboard;
import javafx.scene.input.KeyCode;
import javafx.stage.Stage;
import org.inferometer.measurement.definitions.Definition;
import org.inferometer.record.RunStatus;
import org.inferometer.record.Verdict;
import org.inferometer.ui.results.ResultExport;
import org.inferometer.ui.twin.CssFaults;
import org.inferometer.ui.twin.DesignedSpecs;
import org.inferometer.ui.twin.DesktopTwin;
import org.inferometer.ui.twin.Experiments;
import org.inferometer.ui.twin.FileDialogsTwin;
import org.inferometer.ui.twin.LibraryTwin;
import org.inferometer.ui.twin.PlainComposer;
import org.inferometer.ui.twin.ScriptedBenchmark;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.testfx.api.FxRobot;
import org.testfx.api.FxToolkit;
import org.testfx.util.WaitForAsyncUtils;

/// Results brought in, held against each other, read under other rules and written out, as a person does it.
class ExchangeAndComparisonTest {
    private static final Instant DAY = Instant.parse("2026-11-20T09:15:00Z");

    @TempDir
    Path folder;

    private final FxRobot robot = new FxRobot();
    private final CssFaults cssFaults = new CssFaults();
    private FileDialogsTwin dialogs;
    private Desktop desktop;

    @BeforeEach
    void open() throws Exception {
        Stage stage = FxToolkit.registerPrimaryStage();
        LibraryTwin library = new LibraryTwin(folder.resolve("results"));
        library.add(Experiments.virtual(folder.resolve("results").resolve("schedulers")));
        for (String id : List.of("before", "after")) {
            library.add(
                    Experiments
                            .record(folder.resolve("results").resolve(id),
                                    Experiments.manifest(id, DesignedSpecs.repeated("engines", 3), RunStatus.COMPLETE,
                                            Verdict.Grade.VALID, id.equals("before") ? DAY : DAY.plusSeconds(60)),
                                    List.of()));
        }
        DesktopServices services = DesktopTwin.services(new ScriptedBenchmark(library, 0), library,
                new LibraryTwin(folder.resolve("samples")), new PlainComposer());
        dialogs = new FileDialogsTwin(folder);
        onFx(() -> {
            cssFaults.listen();
            desktop = new Desktop(services, stage, dialogs);
            desktop.show();
            return null;
        });
        robot.push(KeyCode.CONTROL, KeyCode.DIGIT2);
        until(() -> !desktop.window().results().rows().isEmpty());
    }

    @AfterEach
    void close() throws Exception {
        onFx(() -> {
            desktop.end();
            cssFaults.stop();
            return null;
        });
        FxToolkit.cleanupStages();
    }

    @Test
    void aFileOfAnotherToolIsImportedWithKeysAndABrokenOneIsNamed() throws Exception {
        dialogs.answerOpen(
                ResultExport.write(Experiments.virtual(folder), "vllm", folder.resolve("files")).files().getFirst());
        robot.push(KeyCode.CONTROL, KeyCode.I);
        until(() -> node("#result-detail") != null);
        assertThat(label("#detail-title")).isEqualTo("imported-vllm");
        until(() -> robot.lookup("#result-detail .section-card .label").queryAllAs(Label.class).stream()
                .map(Label::getText)
                .anyMatch("Imported from vLLM. The conditions of a verdict were not measured."::equals));
        until(() -> desktop.window().results().rows().size() == 4);
        dialogs.answerOpen(Files.writeString(folder.resolve("broken.json"), "{"));
        robot.clickOn("#results-import");
        until(() -> label("#results-problem").startsWith(folder.resolve("broken.json") + ":"));
        assertThat(cssFaults.all()).isEmpty();
    }

    @Test
    void twoChosenResultsAreComparedAndJudgedAndTheCommandIsCopied() throws Exception {
        onFx(() -> {
            TableView<?> table = robot.lookup("#results-table").queryAs(TableView.class);
            table.requestFocus();
            table.getSelectionModel().clearSelection();
            table.getSelectionModel().selectIndices(1, 2);
            return null;
        });
        robot.push(KeyCode.CONTROL, KeyCode.M);
        until(() -> node("#gate-verdict") != null);
        assertThat(label("#gate-verdict")).isEqualTo("Passed");
        assertThat(label("#breadcrumb")).isEqualTo("Results › after against before, 4 pairs of cells");
        assertThat(robot.lookup(".pair-verdict").queryAll()).hasSize(4);
        onFx(() -> {
            ComboBox<?> part = robot.lookup("#comparison-base-part").queryAs(ComboBox.class);
            part.getSelectionModel().select(4);
            return null;
        });
        until(() -> node("#gate-verdict") != null && label("#gate-verdict").equals("Failed"));
        robot.clickOn("#comparison-swap");
        until(() -> robot.lookup(".pair-verdict").queryAll().size() == 1);
        robot.clickOn("#theme-toggle");
        robot.clickOn("#comparison-copy");
        onFx(() -> {
            assertThat(Clipboard.getSystemClipboard().getString())
                    .startsWith("./inferometer compare after before#4\n./inferometer gate after before#4 --margin ");
            return null;
        });
        robot.clickOn("#theme-toggle");
        Path bundle = folder.resolve("seen.inferometer");
        dialogs.typeOnSave("seen.inferometer");
        robot.push(KeyCode.CONTROL, KeyCode.SHIFT, KeyCode.S);
        until(() -> Files.exists(bundle));
        robot.clickOn("#comparison-close");
        until(() -> node("#comparison") == null);
        dialogs.answerOpen(bundle);
        robot.push(KeyCode.CONTROL, KeyCode.O);
        until(() -> robot.lookup(".pair-verdict").queryAll().size() == 1);
        until(() -> robot.lookup("These 2 results are already in the list; they are shown.").tryQuery().isPresent());
        robot.push(KeyCode.CONTROL, KeyCode.DIGIT7);
        until(() -> robot.lookup("#report-pages .image-view").queryAll().size() > 1);
        assertThat(label("#breadcrumb")).isEqualTo("Report");
        assertThat(robot.lookup("#report-export-csv").queryButton().isDisabled()).isTrue();
        robot.clickOn("#report-section-charts");
        dialogs.typeOnSave("report.pdf");
        robot.clickOn("#report-export-pdf");
        until(() -> Files.exists(folder.resolve("report.pdf")));
        robot.push(KeyCode.CONTROL, KeyCode.DIGIT2);
        assertThat(label("#gate-verdict")).isEqualTo("Failed");
        robot.clickOn("#comparison-copy");
        onFx(() -> {
            assertThat(Clipboard.getSystemClipboard().getString()).startsWith("./inferometer compare after before#4\n");
            return null;
        });
        assertThat(cssFaults.all()).isEmpty();
    }

    @Test
    void baselineAndPinsAreComparedByKeys() throws Exception {
        select(2);
        robot.push(KeyCode.B);
        select(1);
        robot.push(KeyCode.P);
        assertThat(label("#results-pinned")).isEqualTo("Baseline: engines · 1 pinned");
        select(1);
        robot.push(KeyCode.CONTROL, KeyCode.M);
        until(() -> node("#gate-verdict") != null);
        assertThat(label("#breadcrumb")).isEqualTo("Results › after against before, 4 pairs of cells");
        robot.push(KeyCode.B);
        until(() -> label("#breadcrumb").equals("Results › before against after, 4 pairs of cells"));
        robot.clickOn("#comparison-close");
        until(() -> node("#comparison") == null);
        robot.clickOn("#results-clear-pinned");
        until(() -> !node("#results-pinned").getParent().isVisible());
        robot.push(KeyCode.CONTROL, KeyCode.Z);
        until(() -> label("#results-pinned").equals("Baseline: engines · 1 pinned"));
    }

    private void select(int row) throws Exception {
        onFx(() -> {
            TableView<?> table = robot.lookup("#results-table").queryAs(TableView.class);
            table.requestFocus();
            table.getSelectionModel().clearSelection();
            table.getSelectionModel().select(row);
            return null;
        });
    }

    @Test
    void openResultIsComparedReadUnderOtherRulesAndExported() throws Exception {
        onFx(() -> {
            desktop.window().results().open(folder.resolve("results").resolve("schedulers"));
            return null;
        });
        until(() -> node("#result-detail") != null);
        robot.clickOn("#detail-compare");
        until(() -> node("#comparison-hint") != null);
        assertThat(label("#comparison-hint")).isEqualTo("Choose a base and a candidate.");
        robot.clickOn("#comparison-close");
        until(() -> node("#result-detail") != null);
        robot.clickOn("#detail-tab-definitions");
        until(() -> node("#definition-table") != null);
        onFx(() -> {
            @SuppressWarnings("unchecked") ComboBox<Definition> tool =
                    robot.lookup("#definition-tool").queryAs(ComboBox.class);
            tool.setValue(Definition.GUIDELLM);
            return null;
        });
        until(() -> robot.lookup("#definition-table").queryAs(TableView.class).getColumns().size() == 6);
        assertThat(robot.lookup("#definition-rules .definition-rule").queryAll()).isNotEmpty();
        robot.clickOn("#detail-export");
        until(() -> node("#export-guidellm") != null);
        robot.clickOn("#export-guidellm");
        until(() -> Files.exists(folder.resolve("export").resolve("run-0-guidellm.json")));
        robot.clickOn("#theme-toggle");
        robot.clickOn("#theme-toggle");
        assertThat(cssFaults.all()).isEmpty();
    }

    private Node node(String query) {
        return robot.lookup(query).tryQuery().orElse(null);
    }

    private String label(String query) {
        return robot.lookup(query).queryAs(Label.class).getText();
    }

    private static void until(Callable<Boolean> condition) throws Exception {
        WaitForAsyncUtils.waitFor(20, TimeUnit.SECONDS, () -> WaitForAsyncUtils.asyncFx(condition).get());
        WaitForAsyncUtils.waitForFxEvents();
    }

    private static <T> void onFx(Callable<T> action) throws Exception {
        WaitForAsyncUtils.asyncFx(action).get(30, TimeUnit.SECONDS);
    }
}
