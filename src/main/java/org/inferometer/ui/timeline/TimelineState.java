package org.inferometer.ui.timeline;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import org.inferometer.record.ExperimentRecord;
import org.inferometer.record.MemoryOwner;
import org.inferometer.report.timeline.RequestFilter;
import org.inferometer.report.timeline.RequestFilter.FilterRule;
import org.inferometer.report.timeline.RequestFilter.RequestCriterion;
import org.inferometer.results.bundle.SavedLook.RequestRule;
import org.inferometer.results.bundle.SavedLook.TimelineLook;
import org.inferometer.scheduling.LaneId;
import org.jspecify.annotations.Nullable;

/// Takes down how the Timeline looks, and brings it back when its run is built. Belongs to the UI thread.
public final class TimelineState {
    private static final String STATUS = "status";
    private static final String LANE = "lane";
    private static final String SLOW = "slow";
    private final TimelineViewModel model;
    private Optional<Awaited> awaited = Optional.empty();

    /// What a timeline shows once it is built.
    ///
    /// @param compared the run below, or null
    private record Awaited(RunChoice run, @Nullable RunChoice compared, TimeWindow window, TimelineLook look) {}

    public TimelineState(TimelineViewModel model) {
        this.model = model;
        model.stage().addListener((observed, before, now) -> {
            if (now == TimelineViewModel.LoadState.READY) {
                built();
            }
        });
    }

    /// How it looks; as it opens while no timeline is shown.
    public TimelineLook look() {
        TimelineSheet sheet = model.sheet().get();
        if (sheet == null) {
            return TimelineLook.NONE;
        }
        TimelineDisplay display = model.display().get();
        RunChoice compared = model.compared().get();
        return new TimelineLook(compared == null ? null : model.runs().indexOf(compared),
                sheet.filter().rules().stream().map(TimelineState::written).toList(),
                display.hidden().stream().map(MemoryOwner::id).sorted().toList(), display.wholePool());
    }

    /// Shows a run as it was taken down.
    public void open(ExperimentRecord record, int run, TimeWindow window, TimelineLook look) {
        List<RunChoice> runs = RunChoice.all(record);
        if (runs.isEmpty()) {
            return;
        }
        RunChoice compared = look.compared() != null && look.compared() >= 0 && look.compared() < runs.size()
                ? runs.get(look.compared()) : null;
        awaited = Optional.of(new Awaited(runs.get(run >= 0 && run < runs.size() ? run : 0), compared, window, look));
        model.open(record, run);
        model.compared().set(compared);
    }

    private void built() {
        Awaited wanted = awaited.orElse(null);
        if (wanted == null || !wanted.run.equals(model.run().get())) {
            awaited = Optional.empty();
            return;
        }
        if (wanted.compared != null && model.compared().get() == null) {
            // The run below is built next.
            return;
        }
        awaited = Optional.empty();
        EnumSet<MemoryOwner> hidden = EnumSet.noneOf(MemoryOwner.class);
        Arrays.stream(MemoryOwner.values()).filter(owner -> wanted.look.hiddenMemory().contains(owner.id()))
                .forEach(hidden::add);
        model.display().set(new TimelineDisplay(hidden, wanted.look.wholePool()));
        model.visible().look(wanted.window);
        List<FilterRule> rules = new ArrayList<>();
        wanted.look.rules().forEach(rule -> read(rule).ifPresent(rules::add));
        if (!rules.isEmpty()) {
            model.filter(new RequestFilter(rules));
        }
    }

    private static RequestRule written(FilterRule rule) {
        return switch (rule.criterion()) {
            case RequestCriterion.EndedAs(String status) -> new RequestRule(STATUS, status, rule.keeps());
            case RequestCriterion.OnLane(LaneId lane) ->
                new RequestRule(LANE, Integer.toString(lane.index()), rule.keeps());
            case RequestCriterion.Slow() -> new RequestRule(SLOW, "", rule.keeps());
        };
    }

    /// Empty for a rule that this version does not know.
    private static Optional<FilterRule> read(RequestRule rule) {
        return switch (rule.criterion()) {
            case STATUS -> Optional.of(new FilterRule(new RequestCriterion.EndedAs(rule.value()), rule.keeps()));
            case LANE -> rule.value().matches("[0-9]{1,6}")
                    ? Optional.of(new FilterRule(
                            new RequestCriterion.OnLane(new LaneId(Integer.parseInt(rule.value()))), rule.keeps()))
                    : Optional.empty();
            case SLOW -> Optional.of(new FilterRule(new RequestCriterion.Slow(), rule.keeps()));
            default -> Optional.empty();
        };
    }
}
