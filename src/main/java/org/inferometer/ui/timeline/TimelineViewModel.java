package org.inferometer.ui.timeline;

import static org.inferometer.ui.fx.Messages.text;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.CancellationException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import javafx.beans.property.ObjectProperty;
import javafx.beans.property.ReadOnlyDoubleProperty;
import javafx.beans.property.ReadOnlyDoubleWrapper;
import javafx.beans.property.ReadOnlyObjectProperty;
import javafx.beans.property.ReadOnlyObjectWrapper;
import javafx.beans.property.ReadOnlyStringProperty;
import javafx.beans.property.ReadOnlyStringWrapper;
import javafx.beans.property.SimpleObjectProperty;
import javafx.collections.FXCollections;
import javafx.collections.ObservableList;
import org.inferometer.record.ExperimentRecord;
import org.inferometer.record.RunRecord;
import org.inferometer.report.timeline.RequestFilter;
import org.inferometer.report.timeline.RunTimeline;
import org.inferometer.ui.fx.BackgroundWork;
import org.inferometer.ui.fx.ErrorText;
import org.inferometer.ui.fx.WindowWork;
import org.inferometer.ui.timeline.TimelineMarks.TimelineMark;
import org.jspecify.annotations.Nullable;

/// State of the Timeline view: its runs and the timeline that is built of them. Belongs to the UI thread.
///
/// Timelines are built in the background; [#cancel] stops the build.
public final class TimelineViewModel {
    private static final double REPORT_SHARE = 0.02;
    private final BackgroundWork work;
    private final AtomicLong builds = new AtomicLong();
    private final ReadOnlyObjectWrapper<LoadState> stage = new ReadOnlyObjectWrapper<>(LoadState.EMPTY);
    private final ReadOnlyDoubleWrapper progress = new ReadOnlyDoubleWrapper();
    private final ReadOnlyStringWrapper problem = new ReadOnlyStringWrapper("");
    private final ReadOnlyStringWrapper note = new ReadOnlyStringWrapper("");
    private final ReadOnlyStringWrapper experiment = new ReadOnlyStringWrapper("");
    private String name = "";
    private Optional<Path> folder = Optional.empty();
    private final ObservableList<RunChoice> runs = FXCollections.observableArrayList();
    private final ObjectProperty<@Nullable RunChoice> run = new SimpleObjectProperty<>();
    private final ObjectProperty<@Nullable RunChoice> compared = new SimpleObjectProperty<>();
    private final ReadOnlyObjectWrapper<@Nullable TimelineSheet> sheet = new ReadOnlyObjectWrapper<>();
    private final ObjectProperty<TimelineDisplay> display = new SimpleObjectProperty<>(TimelineDisplay.ALL);
    private final VisibleWindow visible = new VisibleWindow(this::shownSheet, this::pinnedRange);
    private final TimelineMarks marks = new TimelineMarks(() -> Optional.ofNullable(sheet.get()), display);
    private boolean choosing;
    private OptionalInt awaitedRequest = OptionalInt.empty();

    /// What the view shows.
    public enum LoadState {
        /// No run is open.
        EMPTY,
        /// A timeline is being built.
        BUILDING,
        /// The timeline is shown.
        READY,
        /// The build failed.
        FAILED
    }

    /// @param work builds timelines
    public TimelineViewModel(BackgroundWork work) {
        this.work = work;
        run.addListener((observed, before, now) -> rebuild());
        compared.addListener((observed, before, now) -> rebuild());
    }

    /// Shows a request of a run: pinned, and over the width of the window.
    ///
    /// @param request its id in the run
    public void open(ExperimentRecord record, int place, int request) {
        RunChoice chosen = run.get();
        if (chosen == null || chosen.run() != record.runs().get(place)) {
            open(record, place);
        }
        awaitedRequest = OptionalInt.of(request);
        showAwaitedRequest();
    }

    private void showAwaitedRequest() {
        if (stage.get() == LoadState.READY && awaitedRequest.isPresent()) {
            int request = awaitedRequest.getAsInt();
            awaitedRequest = OptionalInt.empty();
            showRequest(0, request);
        }
    }

    /// Shows a run of an experiment; the first when the index is out of range.
    public void open(ExperimentRecord record, int place) {
        choosing = true;
        name = record.manifest().name();
        folder = Optional.of(record.folder());
        experiment.set(record.manifest().id());
        runs.setAll(RunChoice.all(record));
        compared.set(null);
        run.set(runs.isEmpty() ? null : runs.get(place >= 0 && place < runs.size() ? place : 0));
        choosing = false;
        rebuild();
    }

    /// Cancels the build.
    public void cancel() {
        builds.incrementAndGet();
        choosing = true;
        run.set(null);
        compared.set(null);
        choosing = false;
        sheet.set(null);
        stage.set(LoadState.EMPTY);
    }

    private void rebuild() {
        if (choosing) {
            return;
        }
        long mine = builds.incrementAndGet();
        awaitedRequest = OptionalInt.empty();
        RunChoice first = run.get();
        marks.release();
        problem.set("");
        if (first == null) {
            sheet.set(null);
            problem.set(
                    runs.isEmpty() && !experiment.get().isEmpty() ? text("timeline.no-runs", experiment.get()) : "");
            stage.set(LoadState.EMPTY);
            return;
        }
        List<RunChoice> chosen = new ArrayList<>(List.of(first));
        RunChoice second = compared.get();
        if (second != null && !second.equals(first)) {
            chosen.add(second);
        }
        List<RunTimeline> kept = sheet.get() == null ? List.of() : sheet.get().panels();
        progress.set(0);
        stage.set(LoadState.BUILDING);
        work.run(WindowWork.TIMELINE, () -> build(mine, chosen, kept), made -> ifNewest(mine, () -> show(made)),
                failure -> ifNewest(mine, () -> {
                    sheet.set(null);
                    problem.set(text("timeline.unbuilt", ErrorText.sentence(failure)));
                    stage.set(LoadState.FAILED);
                }));
    }

    private void ifNewest(long build, Runnable action) {
        if (build == builds.get()) {
            action.run();
        }
    }

    /// Builds a sheet in the background; a later build cancels it.
    ///
    /// @param kept timelines that can be reused
    private TimelineSheet build(long mine, List<RunChoice> chosen, List<RunTimeline> kept) {
        List<RunTimeline> panels = new ArrayList<>();
        double[] reported = {0};
        for (int i = 0; i < chosen.size(); i++) {
            int before = i;
            RunRecord wanted = chosen.get(i).run();
            Optional<RunTimeline> known = kept.stream().filter(timeline -> timeline.run() == wanted).findFirst();
            panels.add(known.orElseGet(() -> RunTimeline.of(wanted, share -> {
                if (mine != builds.get()) {
                    throw new CancellationException();
                }
                double whole = (before + share) / chosen.size();
                if (whole >= reported[0] + REPORT_SHARE || whole == 1) {
                    reported[0] = whole;
                    // What was queued before the end may come after it.
                    work.ui().later(
                            () -> ifNewest(mine, () -> progress.set(stage.get() == LoadState.BUILDING ? whole : 1)));
                }
            })));
        }
        return new TimelineSheet(panels, chosen.stream().map(RunChoice::label).toList());
    }

    private void show(TimelineSheet made) {
        note.set(made.panels().stream().allMatch(TimelineSheet::keepsSteps) ? "" : text("timeline.no-steps"));
        if (made.isBlank()) {
            sheet.set(null);
            problem.set(text("timeline.blank"));
            stage.set(LoadState.EMPTY);
            return;
        }
        TimelineSheet before = sheet.get();
        boolean sameRun = before != null && before.panels().getFirst() == made.panels().getFirst();
        sheet.set(made);
        if (!sameRun) {
            display.set(TimelineDisplay.of(made, display.get().wholePool()));
        }
        visible.open(made, sameRun ? Optional.ofNullable(before) : Optional.empty());
        progress.set(1);
        stage.set(LoadState.READY);
        showAwaitedRequest();
    }

    /// Shows other requests, in the background; what was marked is released.
    public void filter(RequestFilter wanted) {
        withSheet(known -> work.run(WindowWork.TIMELINE, () -> known.filtered(wanted), made -> {
            if (sheet.get() == known) {
                marks.release();
                sheet.set(made);
            }
        }, failure -> problem.set(text("timeline.unbuilt", ErrorText.sentence(failure)))));
    }

    /// Pins the next (1) or previous (-1) step on the lane; the first in the window when none is pinned.
    public void stepBy(int direction) {
        withSheet(known -> known.stepAlong(marks.pinned().get(), visible.window().get(), direction)
                .ifPresent(step -> reach(known, step)));
    }

    /// Pins the step at the same time on the next (1) or previous (-1) lane.
    public void laneBy(int direction) {
        withSheet(known -> known.stepAcross(marks.pinned().get(), visible.window().get(), direction)
                .ifPresent(step -> reach(known, step)));
    }

    private void reach(TimelineSheet known, TimelineMark.OfStep step) {
        marks.pin(step);
        visible.reveal(known.extent(step));
    }

    /// Zooms to the pinned or hovered mark.
    public void zoomToMark() {
        withSheet(known -> marks.extent(known).ifPresent(around -> {
            long margin = Math.max(1, around.length() / 2);
            visible.look(new TimeWindow(around.from() - margin, around.to() + margin));
        }));
    }

    /// Pins a request and zooms to it; a filter that may hide it ends.
    public void showRequest(int panel, int request) {
        withSheet(known -> {
            if (known.hiddenRequests() > 0) {
                sheet.set(known.filtered(RequestFilter.NONE));
            }
        });
        withSheet(known -> known.panels().get(panel).requestItem(request).ifPresent(item -> {
            marks.pin(new TimelineMark.OfRequest(panel, item));
            zoomToMark();
        }));
    }

    private void withSheet(Consumer<TimelineSheet> action) {
        shownSheet().ifPresent(action);
    }

    private Optional<TimelineSheet> shownSheet() {
        return stage.get() == LoadState.READY ? Optional.ofNullable(sheet.get()) : Optional.empty();
    }

    private Optional<TimeWindow> pinnedRange() {
        return marks.pinned().get() == null ? Optional.empty() : shownSheet().flatMap(marks::extent);
    }

    /// The visible time range.
    public VisibleWindow visible() {
        return visible;
    }

    /// What is hovered, pinned and measured.
    public TimelineMarks marks() {
        return marks;
    }

    /// What the view shows.
    public ReadOnlyObjectProperty<LoadState> stage() {
        return stage.getReadOnlyProperty();
    }

    /// Progress of the build, 0 to 1.
    public ReadOnlyDoubleProperty progress() {
        return progress.getReadOnlyProperty();
    }

    /// The error, or empty.
    public ReadOnlyStringProperty problem() {
        return problem.getReadOnlyProperty();
    }

    /// What the shown records lack, or empty.
    public ReadOnlyStringProperty note() {
        return note.getReadOnlyProperty();
    }

    /// Id of the open experiment, or empty.
    public ReadOnlyStringProperty experiment() {
        return experiment.getReadOnlyProperty();
    }

    /// Name of the open experiment, or empty.
    public String name() {
        return name;
    }

    /// Folder of the open experiment.
    public Optional<Path> folder() {
        return folder;
    }

    /// The runs of the open experiment.
    public ObservableList<RunChoice> runs() {
        return runs;
    }

    /// The shown run; setting another one builds its timeline.
    public ObjectProperty<@Nullable RunChoice> run() {
        return run;
    }

    /// The run shown below for comparison, or null.
    public ObjectProperty<@Nullable RunChoice> compared() {
        return compared;
    }

    /// What the rows of values show.
    public ObjectProperty<TimelineDisplay> display() {
        return display;
    }

    /// The built timeline, or null.
    public ReadOnlyObjectProperty<@Nullable TimelineSheet> sheet() {
        return sheet.getReadOnlyProperty();
    }
}
