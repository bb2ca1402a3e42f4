package org.inferometer.ui.report;

import static org.inferometer.ui.fx.Messages.text;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import javafx.beans.InvalidationListener;
import javafx.beans.Observable;
import javafx.beans.property.BooleanProperty;
import javafx.beans.property.ReadOnlyBooleanProperty;
import javafx.beans.property.ReadOnlyObjectProperty;
import javafx.beans.property.ReadOnlyObjectWrapper;
import javafx.beans.property.ReadOnlyStringProperty;
import javafx.beans.property.ReadOnlyStringWrapper;
import javafx.beans.property.SimpleBooleanProperty;
import javafx.beans.property.SimpleStringProperty;
import javafx.beans.property.StringProperty;
import javafx.collections.FXCollections;
import javafx.collections.ObservableList;
import org.inferometer.chart.PdfPagePictures;
import org.inferometer.report.document.ReportFormat;
import org.inferometer.report.document.ReportOutline;
import org.inferometer.report.document.ReportOutline.ReportSection;
import org.inferometer.report.document.Reports;
import org.inferometer.ui.fx.BackgroundWork;
import org.inferometer.ui.fx.ErrorText;
import org.inferometer.ui.fx.LatestWork;
import org.inferometer.ui.fx.Notifier;
import org.inferometer.ui.fx.WindowWork;
import org.inferometer.ui.results.ReportSubject;
import org.jspecify.annotations.Nullable;

/// A report in the making: its sections, texts and pages. Belongs to the UI thread; pages and files are made in the background,
/// one preview at a time.
public final class ReportViewModel {
    /// Units of the screen to a point of the preview.
    private static final double UNITS_PER_POINT = 1.25;
    private static final int MOST_PAGES = 24;
    /// Pages with four times the pixels, on screens of twice the density: 150 MB.
    private static final int MOST_DENSE_PAGES = 12;
    private final Reports reports;
    private final BackgroundWork work;
    private final LatestWork preview;
    private final Notifier notifier;
    private final ReportTexts texts = new ReportTexts(new SimpleStringProperty(""), new SimpleStringProperty(""),
            new SimpleStringProperty(""), new SimpleStringProperty(""));
    private final BooleanProperty shareSafe = new SimpleBooleanProperty(true);
    private final ObservableList<Choice> sections =
            FXCollections.observableArrayList(choice -> new Observable[]{choice.included()});
    private final ReadOnlyObjectWrapper<@Nullable ReportSubject> subject = new ReadOnlyObjectWrapper<>();
    private final ReadOnlyObjectWrapper<@Nullable PdfPagePictures> pages = new ReadOnlyObjectWrapper<>();
    private final ReadOnlyStringWrapper problem = new ReadOnlyStringWrapper("");
    private double pixelsPerUnit = 1;
    private boolean showing;
    private boolean outdated = true;

    /// A section and whether the report has it.
    public record Choice(ReportSection section, BooleanProperty included) {}

    /// What the author writes.
    ///
    /// @param title empty for the usual one
    /// @param notes a paragraph a line
    public record ReportTexts(StringProperty title, StringProperty author, StringProperty date, StringProperty notes) {}

    public ReportViewModel(Reports reports, BackgroundWork work, Notifier notifier) {
        this.reports = reports;
        this.work = work;
        this.preview = new LatestWork(work);
        this.notifier = notifier;
        for (ReportSection section : ReportSection.values()) {
            sections.add(new Choice(section, new SimpleBooleanProperty(true)));
        }
        InvalidationListener changed = observed -> refresh();
        for (StringProperty each : List.of(texts.title, texts.author, texts.date, texts.notes)) {
            each.addListener((observed, before, now) -> refresh());
        }
        shareSafe.addListener((observed, before, now) -> refresh());
        sections.addListener(changed);
        preview.running().addListener((observed, before, now) -> {
            if (!now && outdated) {
                refresh();
            }
        });
    }

    /// Changes what the report is about.
    public void choose(Optional<ReportSubject> chosen) {
        ReportSubject now = chosen.orElse(null);
        if (now == null || !now.equals(subject.get())) {
            subject.set(now);
            pages.set(null);
            refresh();
        }
    }

    /// Draws pages only while the view is shown; a hidden view holds none.
    public void setShowing(boolean shown) {
        if (showing != shown) {
            showing = shown;
            if (shown) {
                refresh();
            } else {
                preview.cancel();
                pages.set(null);
                outdated = true;
            }
        }
    }

    /// Moves a section to another place.
    public void move(int from, int to) {
        if (from != to && from >= 0 && from < sections.size() && to >= 0 && to < sections.size()) {
            sections.add(to, sections.remove(from));
        }
    }

    /// Ends the drawing of the preview; the last pages stay.
    public void cancel() {
        outdated = false;
        preview.cancel();
    }

    private ReportOutline outline() {
        return new ReportOutline(texts.title.get().strip(), texts.author.get().strip(), texts.date.get().strip(),
                sections.stream().filter(choice -> choice.included().get()).map(Choice::section).toList(),
                texts.notes.get());
    }

    private Reports chosenReports() {
        return shareSafe.get() ? reports : reports.exact();
    }

    /// The density of the screen, by which pages are sharp.
    void drawFor(double density) {
        double bounded = Math.clamp(density, 1, 2);
        if (bounded != pixelsPerUnit) {
            pixelsPerUnit = bounded;
            refresh();
        }
    }

    /// Pixels to a unit of the screen, in each direction.
    double pixelsPerUnit() {
        return pixelsPerUnit;
    }

    /// Draws the pages again; while pages are drawn, once more after them.
    private void refresh() {
        ReportSubject about = subject.get();
        outdated = true;
        if (!showing || about == null || preview.running().get()) {
            return;
        }
        outdated = false;
        ReportOutline outline = outline();
        Reports chosen = chosenReports();
        double scale = UNITS_PER_POINT * pixelsPerUnit;
        int most = pixelsPerUnit > 1 ? MOST_DENSE_PAGES : MOST_PAGES;
        preview.run(WindowWork.REPORT_PREVIEW,
                () -> PdfPagePictures.of(about.in(chosen, outline).bytes(ReportFormat.PDF), scale, most), drawn -> {
                    problem.set("");
                    pages.set(subject.get() == about && showing ? drawn : null);
                }, failure -> problem.set(text("report.no-preview", ErrorText.sentence(failure))));
    }

    /// Writes the report in the background.
    public void export(ReportFormat format, Path file) {
        ReportSubject about = subject.get();
        if (about != null) {
            ReportOutline outline = outline();
            Reports chosen = chosenReports();
            work.run(WindowWork.REPORT, () -> {
                about.in(chosen, outline).write(format, file);
                return file;
            }, written -> notifier.done(text("notice.saved", written)),
                    failure -> notifier.problem(text("notice.not-saved", file, ErrorText.sentence(failure))));
        }
    }

    /// What the author writes.
    public ReportTexts texts() {
        return texts;
    }

    /// Whether host, user and paths are left out.
    public BooleanProperty shareSafe() {
        return shareSafe;
    }

    /// All sections, in the order of the report.
    public ObservableList<Choice> sections() {
        return sections;
    }

    /// What the report is about, or null.
    public ReadOnlyObjectProperty<@Nullable ReportSubject> subject() {
        return subject.getReadOnlyProperty();
    }

    /// The pages, or null.
    public ReadOnlyObjectProperty<@Nullable PdfPagePictures> pages() {
        return pages.getReadOnlyProperty();
    }

    /// Whether pages are being drawn.
    public ReadOnlyBooleanProperty drawing() {
        return preview.running();
    }

    /// Why there are no pages, or empty.
    public ReadOnlyStringProperty problem() {
        return problem.getReadOnlyProperty();
    }
}
