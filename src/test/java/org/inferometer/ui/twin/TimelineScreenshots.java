package org.inferometer.ui.twin;

import java.util.Deque;
import java.util.function.BiConsumer;
import javafx.scene.Scene;
import javafx.scene.control.MenuButton;
import javafx.scene.control.ToggleButton;
import javafx.stage.Window;
import org.inferometer.report.timeline.RequestFilter;
import org.inferometer.ui.timeline.TimeWindow;
import org.inferometer.ui.timeline.TimelineDisplay;
import org.inferometer.ui.timeline.TimelineMarks.TimelineMark;
import org.inferometer.ui.timeline.TimelineSheet;
import org.inferometer.ui.timeline.TimelineViewModel;

/// Steps of [DesktopScreenshots] through the Timeline: a run of each scheduler, a step, memory, a request, a filter, two runs.
///
/// @param camera takes a scene and its name without size and theme
record TimelineScreenshots(DesktopScreen[] screen, Deque<Runnable> steps, BiConsumer<Scene, String> camera) {
    void all() {
        steps.add(() -> screen[0].window().openResult(screen[0].schedulers().folder()));
        steps.add(() -> shoot("6-detail-schedulers"));
        steps.add(() -> screen[0].window().results().close());
        steps.add(() -> screen[0].window().showTimeline());
        steps.add(() -> {});
        steps.add(() -> shoot("10-timeline-latest"));
        for (int run = 0; run < Experiments.SCHEDULERS.schedulers().size(); run++) {
            int shown = run;
            steps.add(() -> screen[0].window().timeline().open(screen[0].schedulers(), shown));
            steps.add(() -> shoot("11-timeline-" + Experiments.SCHEDULERS.schedulers().get(shown).name()));
        }
        steps.add(() -> {
            screen[0].window().timeline().visible().zoom(0.25);
            screen[0].window().timeline().stepBy(1);
            screen[0].window().timeline().stepBy(1);
            screen[0].window().timeline().visible().zoom(0.3);
        });
        steps.add(() -> shoot("12-timeline-step"));
        steps.add(() -> {
            TimelineViewModel timeline = screen[0].window().timeline();
            timeline.visible().showAll();
            timeline.marks().pin(new TimelineMark.OfValue(0, TimelineSheet.SheetRowKind.MEMORY, 0, 505_000_000));
        });
        steps.add(() -> ((ToggleButton) screen[0].scene().lookup("#timeline-events-toggle")).setSelected(false));
        steps.add(() -> shoot("12-timeline-memory"));
        steps.add(() -> ((MenuButton) screen[0].scene().lookup("#timeline-image")).getItems().getFirst().fire());
        steps.add(() -> {});
        steps.add(() -> {
            Scene dialog = Window.getWindows().getLast().getScene();
            if (dialog.lookup("#chart-export-pane") != null) {
                camera.accept(dialog, "12-timeline-export");
                dialog.getWindow().hide();
            }
        });
        steps.add(() -> {
            TimelineViewModel timeline = screen[0].window().timeline();
            timeline.display().set(TimelineDisplay.ALL.withWholePool(true));
        });
        steps.add(() -> shoot("12-timeline-memory-all"));
        steps.add(() -> ((ToggleButton) screen[0].scene().lookup("#timeline-events-toggle")).setSelected(true));
        steps.add(() -> screen[0].window().timeline().showRequest(0, 14));
        steps.add(() -> shoot("13-timeline-request"));
        steps.add(() -> screen[0].window().timeline().filter(RequestFilter.NONE
                .with(new RequestFilter.FilterRule(new RequestFilter.RequestCriterion.Slow(), true))));
        steps.add(() -> screen[0].window().timeline().visible().showAll());
        steps.add(() -> shoot("13-timeline-filter"));
        steps.add(() -> {
            TimelineViewModel timeline = screen[0].window().timeline();
            timeline.compared().set(timeline.runs().getFirst());
        });
        steps.add(() -> {
            TimelineViewModel timeline = screen[0].window().timeline();
            timeline.visible().showAll();
            timeline.marks().measure(new TimeWindow(40_000_000, 110_000_000));
        });
        steps.add(() -> shoot("14-timeline-two"));
    }

    private void shoot(String name) {
        camera.accept(screen[0].scene(), name);
    }
}
