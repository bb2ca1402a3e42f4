package org.inferometer.ui.timeline;

import static org.inferometer.ui.fx.Messages.text;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
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
import org.inferometer.report.timeline.RequestFilter;
import org.inferometer.report.timeline.RunTimeline;
import org.inferometer.report.timeline.RunTimelineRequest;
import org.inferometer.report.timeline.RunTimelineTrack;
import org.inferometer.ui.fx.BackgroundWork;
import org.inferometer.ui.fx.ErrorText;
import org.inferometer.ui.fx.WindowWork;
import org.jspecify.annotations.Nullable;

/// State of the Timeline view: shown runs, visible window, hovered and pinned marks. Belongs to the UI thread.
///
/// Timelines are built in the background; [#cancel] stops the build.
public final class TimelineViewModel {
    private final TimelineBuilder builds;
    private final BackgroundWork work;
    private final ReadOnlyObjectWrapper<LoadState> stage = new ReadOnlyObjectWrapper<>(LoadState.EMPTY);
    private final ReadOnlyDoubleWrapper progress = new ReadOnlyDoubleWrapper();
    private final ReadOnlyStringWrapper problem = new ReadOnlyStringWrapper("");
    private final ReadOnlyStringWrapper note = new ReadOnlyStringWrapper("");
    private final ReadOnlyStringWrapper experiment = new ReadOnlyStringWrapper("");
    private String name = "";
    private final ObservableList<RunChoice> runs = FXCollections.observableArrayList();
    private final ObjectProperty<@Nullable RunChoice> run = new SimpleObjectProperty<>();
    private final ObjectProperty<@Nullable RunChoice> compared = new SimpleObjectProperty<>();
    private final ReadOnlyObjectWrapper<@Nullable TimelineSheet> sheet = new ReadOnlyObjectWrapper<>();
    private final ReadOnlyObjectWrapper<TimeWindow> window = new ReadOnlyObjectWrapper<>(new TimeWindow(0, 1));
    private final ReadOnlyObjectWrapper<@Nullable TimelineMark> hovered = new ReadOnlyObjectWrapper<>();
    private final ReadOnlyObjectWrapper<@Nullable TimelineMark> pinned = new ReadOnlyObjectWrapper<>();
    private final ReadOnlyObjectWrapper<@Nullable TimeWindow> stretch = new ReadOnlyObjectWrapper<>();
    private final ReadOnlyObjectWrapper<TimelineDetails> details = new ReadOnlyObjectWrapper<>(TimelineDetails.NONE);
    private final ObjectProperty<TimelineDisplay> display = new SimpleObjectProperty<>(TimelineDisplay.ALL);
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
        builds = new TimelineBuilder(work);
        run.addListener((observed, before, now) -> rebuild());
        compared.addListener((observed, before, now) -> rebuild());
        display.addListener((observed, before, now) -> describe());
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
        experiment.set(record.manifest().id());
        runs.setAll(RunChoice.all(record));
        compared.set(null);
        run.set(runs.isEmpty() ? null : runs.get(place >= 0 && place < runs.size() ? place : 0));
        choosing = false;
        rebuild();
    }

    /// Whether a run of this experiment is shown or being built.
    public boolean shows(ExperimentRecord record) {
        RunChoice chosen = run.get();
        return chosen != null && record.runs().stream().anyMatch(candidate -> candidate == chosen.run());
    }

    /// Cancels the build.
    public void cancel() {
        builds.cancel();
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
        builds.cancel();
        awaitedRequest = OptionalInt.empty();
        RunChoice first = run.get();
        release();
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
        builds.start(chosen, kept, new TimelineBuilder.BuildListener() {
            @Override
            public void at(double share) {
                if (stage.get() == LoadState.BUILDING) {
                    progress.set(share);
                }
            }

            @Override
            public void done(TimelineSheet made) {
                show(made);
            }

            @Override
            public void failed(Throwable failure) {
                sheet.set(null);
                problem.set(text("timeline.unbuilt", ErrorText.sentence(failure)));
                stage.set(LoadState.FAILED);
            }
        });
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
        TimeWindow kept = window.get();
        sheet.set(made);
        if (!sameRun) {
            display.set(TimelineDisplay.of(made, display.get().wholePool()));
        }
        boolean moved = before != null && !kept.equals(firstWindow(before));
        window.set(sameRun && moved ? kept.panned(0, made.all()) : firstWindow(made));
        progress.set(1);
        stage.set(LoadState.READY);
        showAwaitedRequest();
    }

    /// The measured phase; loading and warm-up are to the left.
    private static TimeWindow firstWindow(TimelineSheet made) {
        return made.all().from() < 0 && made.all().to() > TimeWindow.SHORTEST
                ? new TimeWindow(-Math.min(-made.all().from(), made.all().to() / 50), made.all().to()) : made.all();
    }

    /// Shows other requests, in the background; what was marked is released.
    public void filter(RequestFilter wanted) {
        withSheet(known -> work.run(WindowWork.TIMELINE, () -> known.filtered(wanted), made -> {
            if (sheet.get() == known) {
                release();
                sheet.set(made);
            }
        }, failure -> problem.set(text("timeline.unbuilt", ErrorText.sentence(failure)))));
    }

    /// Shows the whole time range.
    public void showAll() {
        withSheet(known -> window.set(known.all()));
    }

    /// Shows a time range, within the run.
    public void look(TimeWindow wanted) {
        withSheet(known -> {
            TimeWindow all = known.all();
            window.set(new TimeWindow(wanted.from(), Math.max(wanted.to(), wanted.from() + TimeWindow.SHORTEST))
                    .panned(0, all));
        });
    }

    /// Zooms around an instant: in below 1, out above.
    public void zoom(double factor, long at) {
        withSheet(known -> window.set(window.get().zoomed(factor, at, known.all())));
    }

    /// Zooms around the middle.
    public void zoom(double factor) {
        zoom(factor, window.get().from() + window.get().length() / 2);
    }

    /// Moves by a share of the window.
    public void pan(double share) {
        withSheet(known -> window.set(window.get().panned(Math.round(share * window.get().length()), known.all())));
    }

    /// Shows the next (1) or previous (-1) phase, from the middle of the window.
    public void nextPhase(int direction) {
        withSheet(known -> {
            RunTimelineTrack phases = known.panels().getFirst().phases();
            int now = phases.nearest(known.runNanos(0, window.get().from() + window.get().length() / 2));
            int wanted = now + direction;
            if (now >= 0 && wanted >= 0 && wanted < phases.size() && phases.end(wanted) > phases.start(wanted)) {
                look(new TimeWindow(known.sheetNanos(0, phases.start(wanted)),
                        known.sheetNanos(0, phases.end(wanted))));
            }
        });
    }

    /// Sets the hovered mark.
    public void hover(@Nullable TimelineMark mark) {
        hovered.set(mark);
        describe();
    }

    /// Pins a mark; null releases it.
    public void pin(@Nullable TimelineMark mark) {
        pinned.set(mark);
        stretch.set(null);
        describe();
    }

    /// Measures a time range; null ends it.
    public void measure(@Nullable TimeWindow measured) {
        stretch.set(measured);
        describe();
    }

    /// Releases all marks and the measured range.
    public void release() {
        hovered.set(null);
        stretch.set(null);
        pin(null);
    }

    /// Pins the next (1) or previous (-1) step on the lane; the first in the window when none is pinned.
    public void stepBy(int direction) {
        withSheet(known -> new StepNavigator(known).along(pinned.get(), window.get(), direction)
                .ifPresent(step -> reach(known, step)));
    }

    /// Pins the step at the same time on the next (1) or previous (-1) lane.
    public void laneBy(int direction) {
        withSheet(known -> new StepNavigator(known).across(pinned.get(), window.get(), direction)
                .ifPresent(step -> reach(known, step)));
    }

    private void reach(TimelineSheet known, TimelineMark.OfStep step) {
        pin(step);
        TimeWindow when = new StepNavigator(known).extent(step);
        window.set(window.get().showing(when.from(), when.to(), known.all()));
    }

    /// Zooms to the pinned or hovered mark.
    public void zoomToMark() {
        withSheet(known -> extent(known).ifPresent(around -> {
            long margin = Math.max(1, around.length() / 2);
            look(new TimeWindow(around.from() - margin, around.to() + margin));
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
            pin(new TimelineMark.OfRequest(panel, item));
            zoomToMark();
        }));
    }

    private Optional<TimeWindow> extent(TimelineSheet known) {
        TimelineMark mark = shownMark();
        return switch (mark) {
            case null -> Optional.empty();
            case TimelineMark.OfValue ignored -> Optional.empty();
            case TimelineMark.OfStep step -> Optional.of(new StepNavigator(known).extent(step));
            case TimelineMark.OfRequest request -> {
                RunTimelineRequest shown = known.panels().get(request.panel()).request(request.item());
                long from = known.sheetNanos(request.panel(), shown.startNanos());
                yield Optional.of(
                        new TimeWindow(from, Math.max(from + 1, known.sheetNanos(request.panel(), shown.endNanos()))));
            }
        };
    }

    /// The pinned mark, else the hovered one.
    public @Nullable TimelineMark shownMark() {
        return pinned.get() != null ? pinned.get() : hovered.get();
    }

    private void describe() {
        TimelineSheet known = sheet.get();
        if (known == null) {
            details.set(TimelineDetails.NONE);
            return;
        }
        TimeWindow measured = stretch.get();
        details.set(measured != null ? TimelineDetails.ofStretch(known, measured) : detailsOf(known, shownMark()));
    }

    private TimelineDetails detailsOf(TimelineSheet known, @Nullable TimelineMark mark) {
        TimelineDetails made = switch (mark) {
            case null -> TimelineDetails.NONE;
            case TimelineMark.OfValue value -> ValueDetails.of(known.panels().get(value.panel()), value, display.get());
            case TimelineMark.OfStep step -> {
                RunTimeline timeline = known.panels().get(step.panel());
                yield TimelineDetails.ofStep(timeline,
                        timeline.step(new StepNavigator(known).track(step).item(step.span())));
            }
            case TimelineMark.OfRequest request -> {
                RunTimeline timeline = known.panels().get(request.panel());
                yield TimelineDetails.ofRequest(timeline, timeline.request(request.item()));
            }
        };
        return mark == null || known.panels().size() == 1 ? made : made.inRun(known.titles().get(mark.panel()));
    }

    private void withSheet(Consumer<TimelineSheet> action) {
        TimelineSheet known = sheet.get();
        if (known != null && stage.get() == LoadState.READY) {
            action.accept(known);
        }
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

    /// The visible time range.
    public ReadOnlyObjectProperty<TimeWindow> window() {
        return window.getReadOnlyProperty();
    }

    /// The hovered mark, or null.
    public ReadOnlyObjectProperty<@Nullable TimelineMark> hovered() {
        return hovered.getReadOnlyProperty();
    }

    /// The pinned mark, or null.
    public ReadOnlyObjectProperty<@Nullable TimelineMark> pinned() {
        return pinned.getReadOnlyProperty();
    }

    /// The measured range, or null.
    public ReadOnlyObjectProperty<@Nullable TimeWindow> stretch() {
        return stretch.getReadOnlyProperty();
    }

    /// The details to show.
    public ReadOnlyObjectProperty<TimelineDetails> details() {
        return details.getReadOnlyProperty();
    }
}
