package org.inferometer.ui.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.inferometer.record.ExperimentRecord;
import org.inferometer.record.ExperimentRecord.ReaderNote;
import org.inferometer.report.document.ReportFormat;
import org.inferometer.report.document.ReportOutline.ReportSection;
import org.inferometer.results.SampleRecords;
import org.inferometer.ui.fx.Notifier;
import org.inferometer.ui.results.ReportSubject;
import org.inferometer.ui.twin.InlineUi;
import org.inferometer.ui.twin.LibraryTwin;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ReportViewModelTest {
    @TempDir
    Path folder;
    private final List<String> said = new ArrayList<>();
    private ReportViewModel model;
    private ReportSubject subject;

    @BeforeEach
    void start() throws IOException {
        LibraryTwin own = new LibraryTwin(folder.resolve("results"));
        model = new ReportViewModel(own.tools().reports(), new InlineUi().work(), new Notifier() {
            @Override
            public void done(String sentence) {
                said.add(sentence);
            }

            @Override
            public void problem(String sentence) {
                said.add("problem: " + sentence);
            }
        });
        Path result = folder.resolve("results").resolve("one");
        SampleRecords.writeExperiment(result, 1);
        ExperimentRecord read = own.tools().open(result);
        subject = new ReportSubject.Result(new ExperimentRecord(read.folder(), read.manifest(), read.runs(),
                List.of(new ReaderNote(null, "Read from /home/anna/x."))));
    }

    private void only(ReportSection... sections) {
        model.sections().forEach(choice -> choice.included().set(List.of(sections).contains(choice.section())));
    }

    @Test
    void pagesFollowTheSectionsWhileTheViewIsShown() {
        model.choose(Optional.of(subject));
        assertThat(model.pages().get()).isNull();
        model.setShowing(true);
        int all = model.pages().get().count();
        model.setShowing(false);
        assertThat(model.pages().get()).isNull();
        only(ReportSection.REPRODUCE);
        model.setShowing(true);
        int fewer = model.pages().get().count();
        assertThat(all).isGreaterThan(fewer);
        assertThat(model.pages().get().pages().getFirst().width()).isEqualTo(744);
        model.sections().stream().filter(choice -> choice.section() == ReportSection.TABLES)
                .forEach(choice -> choice.included().set(true));
        assertThat(model.pages().get().count()).isGreaterThan(fewer);
    }

    @Test
    void filesHaveTheOrderTextsAndNamesThatWereChosen() throws IOException {
        model.choose(Optional.of(subject));
        only(ReportSection.NOTES, ReportSection.ENVIRONMENT, ReportSection.REPRODUCE);
        model.move(7, 0);
        model.texts().title().set("Chunks of 512");
        model.texts().author().set("Ada");
        model.texts().date().set("2026-11-23");
        model.texts().notes().set("First line.\n\nSecond line.");
        Path file = folder.resolve("x.md");
        model.export(ReportFormat.MD, file);
        assertThat(said).containsExactly("Saved " + file);
        String text = Files.readString(file);
        assertThat(text).startsWith("# Chunks of 512\n\nAda · 2026-11-23\n").doesNotContain("## Tables", "anna");
        List<String> order = List.of("## Notes\n", "First line.", "Second line.", "## Notes of the runs",
                "- Read from x.", "## Environment", "## Reproduce");
        assertThat(order.stream().map(text::indexOf).toList()).doesNotContain(-1).isSorted();
        model.shareSafe().set(false);
        model.export(ReportFormat.MD, file);
        assertThat(Files.readString(file)).contains("- Read from /home/anna/x.");
    }

    @Test
    void unwritableFilesAreOneSentence() throws IOException {
        model.choose(Optional.of(subject));
        Path blocked = Files.writeString(folder.resolve("file"), "").resolve("x.html");
        model.export(ReportFormat.HTML, blocked);
        assertThat(said).singleElement().asString().startsWith("problem: " + blocked + " was not written: ");
    }
}
