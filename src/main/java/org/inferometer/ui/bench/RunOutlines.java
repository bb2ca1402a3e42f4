package org.inferometer.ui.bench;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.inferometer.record.ExperimentManifest;
import org.inferometer.record.ExperimentManifest.CellSummary;
import org.inferometer.record.ExperimentManifest.ExperimentOutcome;
import org.inferometer.record.Phase;
import org.inferometer.record.RunPlan;
import org.inferometer.report.charts.ChartData.SeriesStyle;
import org.inferometer.report.charts.SeriesStyles;
import org.inferometer.report.compare.ComparedCell;
import org.inferometer.run.WorkerFrame;
import org.jspecify.annotations.Nullable;

/// The finished runs of an experiment that stay in the live charts: the last run of each of the four newest cells.
///
/// Not thread-safe; [LiveRecorder] guards it.
final class RunOutlines {
    private static final int MOST_CELLS = 4;
    private static final int KEPT_FRAMES = 240;
    private final Map<Integer, CellSummary> cells = new LinkedHashMap<>();
    private final Map<Integer, Ended> ended = new LinkedHashMap<>();
    private @Nullable ExperimentManifest manifest;
    private Map<Integer, String> names = Map.of();
    private Map<Integer, SeriesStyle> styles = Map.of();

    /// @param frames thinned, those of the measured phase and before
    private record Ended(int run, long measureStartNanos, List<WorkerFrame.Live> frames) {}

    /// Forgets everything and takes the cells of a plan.
    void begin(ExperimentManifest planned) {
        manifest = planned;
        cells.clear();
        ended.clear();
        planned.plan().forEach(plan -> cells.putIfAbsent(plan.index().cell(), summary(plan, "")));
        refresh();
    }

    /// Adds the cell of a run; a search adds cells one by one.
    void add(RunPlan plan) {
        if (cells.putIfAbsent(plan.index().cell(), summary(plan, "")) == null) {
            refresh();
        }
    }

    /// Keeps an ended run in place of an earlier one of its cell.
    ///
    /// @param precision of the engine that ran
    void end(RunPlan plan, String precision, long measureStartNanos, List<WorkerFrame.Live> frames) {
        if (!summary(plan, precision).equals(cells.put(plan.index().cell(), summary(plan, precision)))) {
            refresh();
        }
        ended.remove(plan.index().cell());
        ended.put(plan.index().cell(),
                new Ended(plan.index().run(), measureStartNanos, FrameTrack.thinned(frames, KEPT_FRAMES)));
        if (ended.size() > MOST_CELLS) {
            ended.remove(ended.keySet().iterator().next());
        }
    }

    /// The finished runs, oldest first.
    ///
    /// @param current the cell that runs; -1 before the first
    /// @param except the run that is shown itself
    List<RunOutline> beside(int current, int except) {
        List<RunOutline> outlines = new ArrayList<>();
        ended.forEach((cell, run) -> {
            if (run.run() != except) {
                outlines.add(new RunOutline(name(cell), against(cell, current), unlike(style(cell).faint(), outlines),
                        run.measureStartNanos(), run.frames()));
            }
        });
        return outlines;
    }

    /// What distinguishes a cell from all others.
    String name(int cell) {
        return names.getOrDefault(cell, "");
    }

    /// The style of a cell in all charts.
    SeriesStyle style(int cell) {
        return styles.getOrDefault(cell, SeriesStyle.solid(0));
    }

    private void refresh() {
        List<CellSummary> all = List.copyOf(cells.values());
        names = names(all);
        List<ComparedCell> compared = compared(all);
        SeriesStyles looks = new SeriesStyles(compared);
        Map<Integer, SeriesStyle> byCell = new LinkedHashMap<>();
        compared.forEach(cell -> byCell.put(cell.summary().cellIndex(), looks.of(cell)));
        styles = byCell;
    }

    /// What distinguishes a cell from the one that runs: "naive".
    private String against(int cell, int current) {
        CellSummary one = cells.get(cell);
        CellSummary other = cells.get(current);
        return one == null ? ""
                : Optional
                        .ofNullable(names(other == null || other == one ? List.of(one) : List.of(one, other)).get(cell))
                        .orElse("");
    }

    /// Lines of cells that differ in load alone would look alike: such a one takes the next free hue.
    private static SeriesStyle unlike(SeriesStyle style, List<RunOutline> others) {
        SeriesStyle own = style;
        while (looksLikeOne(own, others)) {
            own = new SeriesStyle((own.colour() + 1) % SeriesStyles.SLOTS, own.dash(), own.marker(), own.strength());
        }
        return own;
    }

    private static boolean looksLikeOne(SeriesStyle style, List<RunOutline> others) {
        return others.stream()
                .anyMatch(other -> other.style().colour() == style.colour() && other.style().dash() == style.dash());
    }

    private Map<Integer, String> names(List<CellSummary> some) {
        Map<Integer, String> names = new LinkedHashMap<>();
        compared(some).forEach(cell -> names.put(cell.summary().cellIndex(), cell.label()));
        return names;
    }

    private List<ComparedCell> compared(List<CellSummary> some) {
        ExperimentManifest planned = manifest;
        return planned == null ? List.of() : ComparedCell.of(List
                .of(planned.withOutcome(new ExperimentOutcome(planned.status(), "", some, planned.verdict()), null)));
    }

    private static CellSummary summary(RunPlan plan, String precision) {
        return new CellSummary(plan.index().cell(), plan.cell(), plan.cell().subject().model().orElse(""), precision, 0,
                List.of());
    }

    /// A finished run behind the current one.
    ///
    /// @param name what distinguishes its cell from all others: "tiny-fp8 · naive"
    /// @param against what distinguishes it from the current cell: "naive"
    /// @param measureStartNanos since the run's anchor
    /// @param frames thinned, oldest first
    record RunOutline(String name, String against, SeriesStyle style, long measureStartNanos,
            List<WorkerFrame.Live> frames) {

        /// The run as a snapshot of its last frame, so that a figure of it is made as that of the current run.
        LiveSnapshot atItsEnd(LiveSnapshot now) {
            return now.with(Phase.MEASURE, measureStartNanos, frames.isEmpty() ? null : frames.getLast(), frames);
        }
    }
}
