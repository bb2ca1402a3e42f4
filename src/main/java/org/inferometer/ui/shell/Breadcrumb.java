package org.inferometer.ui.shell;

import static org.inferometer.ui.fx.Messages.text;

import org.inferometer.ui.bench.BenchState;
import org.inferometer.ui.bench.BenchViewModel;
import org.inferometer.ui.results.ComparisonViewModel;
import org.inferometer.ui.results.ResultsViewModel;
import org.inferometer.ui.timeline.TimelineViewModel;

/// The place that the top bar names: the view and what is open in it.
record Breadcrumb(BenchViewModel bench, ResultsViewModel results, ComparisonViewModel comparison,
        TimelineViewModel timeline) {
    String of(NavigationRail.View shown) {
        return switch (shown) {
            case BENCH -> text(switch (bench.state().get()) {
                case BenchState.Editing() -> "place.bench.editing";
                case BenchState.Refused refused -> "place.bench.editing";
                case BenchState.Running running -> "place.bench.running";
                case BenchState.Finished finished -> "place.bench.finished";
            });
            case RESULTS -> {
                String opened = results.openedName().get();
                String compared = comparison.title().get();
                yield !compared.isEmpty() ? text("place.result", compared) : opened.isEmpty() ? text("view.results")
                        : text("place.result", opened);
            }
            case ENGINES -> text("view.engines");
            case SUITES -> text("view.suites");
            case DEVICES -> text("view.devices");
            case REPORT -> text("view.report");
            case TIMELINE -> timeline.experiment().get().isEmpty() ? text("view.timeline")
                    : text("place.timeline", results.nameOf(timeline.experiment().get()).orElse(timeline.name()));
        };
    }
}
