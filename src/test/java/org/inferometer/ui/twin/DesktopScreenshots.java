package org.inferometer.ui.twin;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import javafx.animation.PauseTransition;
import javafx.application.Platform;
import javafx.event.Event;
import javafx.scene.Node;
import javafx.scene.Scene;
import javafx.scene.control.Button;
import javafx.scene.control.ComboBox;
import javafx.scene.control.MenuButton;
import javafx.scene.control.ScrollPane;
import javafx.scene.control.TabPane;
import javafx.scene.control.ToggleButton;
import javafx.scene.image.WritableImage;
import javafx.scene.input.KeyCode;
import javafx.scene.input.KeyEvent;
import javafx.stage.Stage;
import javafx.stage.Window;
import javafx.util.Duration;
import org.inferometer.record.ExperimentRecord;
import org.inferometer.record.RunStatus;
import org.inferometer.record.Verdict;
import org.inferometer.report.charts.ChartRenderer.Shade;
import org.inferometer.report.timeline.RequestFilter;
import org.inferometer.scheduling.SchedulerRegistry;
import org.inferometer.ui.chart.ChartDrawing;
import org.inferometer.ui.designer.DesignerViewModel;
import org.inferometer.ui.designer.SchedulerChoice;
import org.inferometer.ui.fx.BackgroundWork;
import org.inferometer.ui.fx.JavaFxThread;
import org.inferometer.ui.fx.TickThread;
import org.inferometer.ui.shell.DesktopServices;
import org.inferometer.ui.shell.DesktopWindow;
import org.inferometer.ui.theme.Appearance;
import org.inferometer.ui.timeline.TimeWindow;
import org.inferometer.ui.timeline.TimelineDisplay;
import org.inferometer.ui.timeline.TimelineMark;
import org.inferometer.ui.timeline.TimelineSheet;
import org.inferometer.ui.timeline.TimelineViewModel;

/// Renders every screen in both shades and several sizes, for people to look at: `DesktopScreenshots FOLDER`.
public final class DesktopScreenshots {
    private static final List<int[]> ALL_SIZES =
            List.of(new int[]{1280, 800}, new int[]{1920, 1080}, new int[]{1000, 1000});
    private static final double LARGEST_WINDOW = 1000;
    private static final String TIMELINE_ALONE = "timeline";
    private static final Duration SETTLES = Duration.millis(700);
    private final Path folder;
    private final Deque<Runnable> steps = new ArrayDeque<>();
    private final CountDownLatch done = new CountDownLatch(1);
    private final ChartDrawing.Composer composer;

    private DesktopScreenshots(Path folder, ChartDrawing.Composer composer) {
        this.folder = folder;
        this.composer = composer;
    }

    /// Writes the pictures and ends. Arguments: folder, number of sizes, and "timeline" or folders of results for these screens alone.
    public static void main(String[] arguments) throws Exception {
        Path folder = Path.of(arguments.length > 0 ? arguments[0] : "target/screenshots");
        Files.createDirectories(folder);
        DesktopScreenshots shots = new DesktopScreenshots(folder, ScreenshotComposer.best());
        Platform.setImplicitExit(false);
        Platform.startup(() -> {
            for (int[] size : ALL_SIZES.subList(0,
                    arguments.length > 1 ? Integer.parseInt(arguments[1]) : ALL_SIZES.size())) {
                for (Shade shade : Shade.values()) {
                    if (arguments.length == 3 && arguments[2].equals(TIMELINE_ALONE)) {
                        shots.timelineAlone(size[0], size[1], shade);
                    } else if (arguments.length > 2) {
                        shots.opened(size[0], size[1], shade, List.of(arguments).subList(2, arguments.length));
                    } else {
                        shots.session(size[0], size[1], shade);
                    }
                }
            }
            shots.next();
        });
        shots.done.await();
        Platform.exit();
    }

    /// The first screen of given results, and the timeline of their first run.
    private void opened(int width, int height, Shade shade, List<String> results) {
        Screen[] screen = new Screen[1];
        String suffix = width + "x" + height + "-" + shade.name().toLowerCase(java.util.Locale.ROOT);
        steps.add(() -> screen[0] = new Screen(folder.resolve("workspace-" + suffix), width, height, shade, composer));
        for (String result : results) {
            Path opened = Path.of(result);
            steps.add(() -> screen[0].window.openResult(opened));
            steps.add(() -> {});
            steps.add(() -> shoot(screen[0].scene, opened.getFileName() + "-" + suffix));
            steps.add(() -> screen[0].window.timeline().cancel());
            steps.add(() -> screen[0].window.showTimeline());
            steps.add(() -> {});
            steps.add(() -> shoot(screen[0].scene, opened.getFileName() + "-timeline-" + suffix));
            steps.add(() -> screen[0].window.showReport());
            for (int wait = 0; wait < 6; wait++) {
                steps.add(() -> {});
            }
            steps.add(() -> shoot(screen[0].scene, opened.getFileName() + "-report-" + suffix));
        }
        steps.add(() -> screen[0].end());
    }

    private void timelineAlone(int width, int height, Shade shade) {
        Screen[] screen = new Screen[1];
        String suffix = width + "x" + height + "-" + shade.name().toLowerCase(java.util.Locale.ROOT);
        steps.add(() -> screen[0] = new Screen(folder.resolve("workspace-" + suffix), width, height, shade, composer));
        timeline(screen, suffix);
        steps.add(() -> screen[0].end());
    }

    private void session(int width, int height, Shade shade) {
        Screen[] screen = new Screen[1];
        String suffix = width + "x" + height + "-" + shade.name().toLowerCase(java.util.Locale.ROOT);
        steps.add(() -> screen[0] = new Screen(folder.resolve("workspace-" + suffix), width, height, shade, composer));
        steps.add(() -> shoot(screen[0].scene, "1-welcome-" + suffix));
        steps.add(() -> ((MenuButton) screen[0].scene.lookup("#designer-add-target")).getItems().getFirst().fire());
        steps.add(() -> shoot(screen[0].scene, "2-designer-target-" + suffix));
        steps.add(() -> ((Button) screen[0].scene.lookup("#target-1-remove")).fire());
        steps.add(() -> {
            DesignerViewModel designer = screen[0].window.bench().designer();
            designer.schedulers().all().forEach(choice -> choice.selected().set(true));
            SchedulerChoice parallel = designer.schedulers().all().stream()
                    .filter(choice -> choice.key().equals("parallel")).findFirst().orElseThrow();
            SchedulerChoice second = designer.schedulers().duplicate(parallel);
            second.options().get(3).text().set("3");
            screen[0].window.bench().designer().workload().requests().text().set("many");
            screen[0].window.bench().designer().check();
        });
        steps.add(() -> shoot(screen[0].scene, "2-designer-" + suffix));
        steps.add(() -> scrollDown(screen[0].scene, "#designer"));
        steps.add(() -> shoot(screen[0].scene, "2-designer-below-" + suffix));
        steps.add(() -> {
            screen[0].window.bench().designer().workload().requests().text().set("25, 50, 100");
            ((ScrollPane) screen[0].scene.lookup("#designer .scroll-pane")).setVvalue(0);
            ((ToggleButton) screen[0].scene.lookup("#scheduler-parallel-2-options")).setSelected(false);
            ((ToggleButton) screen[0].scene.lookup("#scheduler-disaggregated-options")).setSelected(true);
        });
        steps.add(() -> scrollDown(screen[0].scene, "#designer"));
        steps.add(() -> shoot(screen[0].scene, "2-designer-lanes-" + suffix));
        steps.add(() -> screen[0].window.bench().runQuick());
        steps.add(() -> {});
        steps.add(() -> shoot(screen[0].scene, "3-live-loading-" + suffix));
        steps.add(() -> screen[0].service.goOn());
        steps.add(() -> {});
        steps.add(() -> shoot(screen[0].scene, "3-live-" + suffix));
        charts(screen, suffix);
        steps.add(() -> screen[0].service.goOn());
        steps.add(() -> {});
        steps.add(() -> shoot(screen[0].scene, "4-result-" + suffix));
        results(screen, suffix);
        comparison(screen, suffix);
        steps.add(() -> {
            screen[0].window.notifier().done("Saved report.html");
            screen[0].window.results().close();
            screen[0].window.results().filter().search().set("nothing like this");
        });
        steps.add(() -> shoot(screen[0].scene, "9-none-match-" + suffix));
        timeline(screen, suffix);
        steps.add(() -> screen[0].window.showDevices());
        steps.add(() -> {});
        steps.add(() -> shoot(screen[0].scene, "14-devices-" + suffix));
        steps.add(() -> screen[0].end());
    }

    /// Crosshair, zoom, one chart over the window, and its table.
    private void charts(Screen[] screen, String suffix) {
        String chart = "#live-throughput-chart";
        steps.add(() -> press(screen, chart, KeyCode.RIGHT, true));
        steps.add(() -> press(screen, chart, KeyCode.RIGHT, true));
        steps.add(() -> shoot(screen[0].scene, "3-live-crosshair-" + suffix));
        steps.add(() -> press(screen, chart, KeyCode.PLUS, false));
        steps.add(() -> press(screen, chart, KeyCode.PLUS, false));
        steps.add(() -> shoot(screen[0].scene, "3-live-zoomed-" + suffix));
        steps.add(() -> press(screen, chart, KeyCode.F, false));
        steps.add(() -> shoot(screen[0].scene, "3-live-maximised-" + suffix));
        steps.add(() -> press(screen, chart, KeyCode.T, true));
        steps.add(() -> shoot(screen[0].scene, "3-live-table-" + suffix));
        steps.add(() -> press(screen, chart, KeyCode.T, true));
        steps.add(() -> press(screen, chart, KeyCode.ESCAPE, false));
        steps.add(() -> press(screen, chart, KeyCode.ESCAPE, false));
        steps.add(() -> press(screen, chart, KeyCode.END, false));
    }

    private static void press(Screen[] screen, String id, KeyCode key, boolean control) {
        Event.fireEvent(screen[0].scene.lookup(id),
                new KeyEvent(KeyEvent.KEY_PRESSED, "", "", key, false, control, false, false));
    }

    private void results(Screen[] screen, String suffix) {
        steps.add(() -> screen[0].window.showResults());
        steps.add(() -> shoot(screen[0].scene, "5-results-" + suffix));
        steps.add(() -> screen[0].window.openResult(screen[0].library.folder().resolve("2026-11-20_091500_engines")));
        steps.add(() -> shoot(screen[0].scene, "6-detail-" + suffix));
        steps.add(() -> ((TabPane) screen[0].scene.lookup("#detail-tabs")).getSelectionModel().select(1));
        steps.add(() -> {});
        steps.add(() -> shoot(screen[0].scene, "7-detail-charts-" + suffix));
        steps.add(() -> press(screen, "#detail-plane-chart", KeyCode.RIGHT, false));
        steps.add(() -> press(screen, "#detail-plane-chart", KeyCode.RIGHT, false));
        steps.add(() -> shoot(screen[0].scene, "7-detail-crosshair-" + suffix));
        steps.add(() -> screen[0].window.openResult(screen[0].library.folder().resolve("sweep")));
        steps.add(() -> {});
        steps.add(() -> shoot(screen[0].scene, "6-detail-sweep-" + suffix));
        steps.add(() -> screen[0].window.openResult(screen[0].library.folder().resolve("b")));
        steps.add(() -> shoot(screen[0].scene, "6-detail-stopped-" + suffix));
        steps.add(() -> ((TabPane) screen[0].scene.lookup("#detail-tabs")).getSelectionModel().select(2));
        steps.add(() -> shoot(screen[0].scene, "8-detail-runs-" + suffix));
    }

    /// Two cells of one result, then all of them against the first.
    private void comparison(Screen[] screen, String suffix) {
        steps.add(() -> screen[0].window.openResult(screen[0].library.folder().resolve("paired")));
        steps.add(() -> ((Button) screen[0].scene.lookup("#detail-compare")).fire());
        steps.add(() -> {
            ComboBox<?> base = (ComboBox<?>) screen[0].scene.lookup("#comparison-base");
            ComboBox<?> candidate = (ComboBox<?>) screen[0].scene.lookup("#comparison-candidate");
            base.getSelectionModel().select(candidate.getSelectionModel().getSelectedIndex());
        });
        steps.add(() -> {});
        steps.add(() -> ((ComboBox<?>) screen[0].scene.lookup("#comparison-base-part")).getSelectionModel().select(1));
        steps.add(() -> {});
        steps.add(() -> shoot(screen[0].scene, "8-compare-" + suffix));
        steps.add(() -> ((ScrollPane) screen[0].scene.lookup("#comparison-scroll")).setVvalue(0.5));
        steps.add(() -> shoot(screen[0].scene, "8-compare-below-" + suffix));
        steps.add(() -> ((Button) screen[0].scene.lookup("#comparison-close")).fire());
    }

    private void timeline(Screen[] screen, String suffix) {
        steps.add(() -> screen[0].window.openResult(screen[0].schedulers.folder()));
        steps.add(() -> shoot(screen[0].scene, "6-detail-schedulers-" + suffix));
        steps.add(() -> screen[0].window.results().close());
        steps.add(() -> screen[0].window.showTimeline());
        steps.add(() -> {});
        steps.add(() -> shoot(screen[0].scene, "10-timeline-latest-" + suffix));
        for (int run = 0; run < Experiments.SCHEDULERS.schedulers().size(); run++) {
            int shown = run;
            steps.add(() -> screen[0].window.timeline().open(screen[0].schedulers, shown));
            steps.add(() -> shoot(screen[0].scene,
                    "11-timeline-" + Experiments.SCHEDULERS.schedulers().get(shown).name() + "-" + suffix));
        }
        steps.add(() -> {
            screen[0].window.timeline().zoom(0.25);
            screen[0].window.timeline().stepBy(1);
            screen[0].window.timeline().stepBy(1);
            screen[0].window.timeline().zoom(0.3);
        });
        steps.add(() -> shoot(screen[0].scene, "12-timeline-step-" + suffix));
        steps.add(() -> {
            TimelineViewModel timeline = screen[0].window.timeline();
            timeline.showAll();
            timeline.pin(new TimelineMark.OfValue(0, TimelineSheet.SheetRowKind.MEMORY, 0, 505_000_000));
        });
        steps.add(() -> ((ToggleButton) screen[0].scene.lookup("#timeline-events-toggle")).setSelected(false));
        steps.add(() -> shoot(screen[0].scene, "12-timeline-memory-" + suffix));
        steps.add(() -> ((MenuButton) screen[0].scene.lookup("#timeline-image")).getItems().getFirst().fire());
        steps.add(() -> {});
        steps.add(() -> {
            Scene dialog = Window.getWindows().getLast().getScene();
            if (dialog.lookup("#chart-export-pane") != null) {
                shoot(dialog, "12-timeline-export-" + suffix);
                dialog.getWindow().hide();
            }
        });
        steps.add(() -> {
            TimelineViewModel timeline = screen[0].window.timeline();
            timeline.display().set(TimelineDisplay.ALL.withWholePool(true));
        });
        steps.add(() -> shoot(screen[0].scene, "12-timeline-memory-all-" + suffix));
        steps.add(() -> ((ToggleButton) screen[0].scene.lookup("#timeline-events-toggle")).setSelected(true));
        steps.add(() -> screen[0].window.timeline().showRequest(0, 14));
        steps.add(() -> shoot(screen[0].scene, "13-timeline-request-" + suffix));
        steps.add(() -> screen[0].window.timeline().filter(RequestFilter.NONE
                .with(new RequestFilter.FilterRule(new RequestFilter.RequestCriterion.Slow(), true))));
        steps.add(() -> screen[0].window.timeline().showAll());
        steps.add(() -> shoot(screen[0].scene, "13-timeline-filter-" + suffix));
        steps.add(() -> {
            TimelineViewModel timeline = screen[0].window.timeline();
            timeline.compared().set(timeline.runs().getFirst());
        });
        steps.add(() -> {
            TimelineViewModel timeline = screen[0].window.timeline();
            timeline.showAll();
            timeline.measure(new TimeWindow(40_000_000, 110_000_000));
        });
        steps.add(() -> shoot(screen[0].scene, "14-timeline-two-" + suffix));
    }

    private void next() {
        Runnable step = steps.poll();
        if (step == null) {
            done.countDown();
            return;
        }
        try {
            step.run();
        } catch (RuntimeException e) {
            done.countDown();
            throw e;
        }
        PauseTransition pause = new PauseTransition(SETTLES);
        pause.setOnFinished(event -> next());
        pause.play();
    }

    private static void scrollDown(Scene scene, String id) {
        Node node = scene.lookup(id + " .scroll-pane");
        if (node instanceof ScrollPane pane) {
            pane.setVvalue(1);
        }
    }

    private void shoot(Scene scene, String name) {
        scene.snapshot(null);
        WritableImage image = scene.snapshot(null);
        try {
            Files.write(folder.resolve(name + ".png"), PngBytes.of(image));
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    private static final class Screen {
        private final LibraryTwin library;
        private final ExperimentRecord schedulers;
        private final ScriptedBenchmark service;
        private final TickThread pump = new TickThread(new JavaFxThread());
        private final java.util.concurrent.ExecutorService background = BackgroundWork.daemonThreads();
        private final DesktopWindow window;
        private final Scene scene;
        private final Stage stage = new Stage();

        private Screen(Path made, int width, int height, Shade shade, ChartDrawing.Composer composer) {
            library = new LibraryTwin(made.resolve("results"));
            schedulers = Experiments.virtual(made.resolve("results").resolve("schedulers"));
            service = new ScriptedBenchmark(library, 2, true);
            LibraryTwin samples = new LibraryTwin(made.resolve("samples"));
            fill(library, samples);
            library.add(schedulers);
            library.add(Experiments.paired(library.folder().resolve("paired"), "paired"));
            DesktopServices services =
                    DesktopTwin.services(DesktopTwin.designer(service, SchedulerRegistry.standard().descriptions()),
                            library, samples, composer);
            Appearance appearance = new Appearance(shade);
            window = new DesktopWindow(services,
                    new DesktopWindow.WindowContext(new BackgroundWork(background, new JavaFxThread()), pump,
                            appearance, new FileDialogsTwin(made), (heading, detail, action, instead) -> true,
                            () -> {}));
            scene = new Scene(window.createView(), width, height);
            appearance.dress(scene);
            // The headless screen is 1000 pixels wide and high; larger scenes are laid out by their snapshots alone.
            boolean headless = "Headless".equals(System.getProperty("glass.platform"));
            if (!headless || (width <= LARGEST_WINDOW && height <= LARGEST_WINDOW)) {
                stage.setScene(scene);
                stage.show();
            }
        }

        private void end() {
            window.dispose();
            stage.hide();
            pump.close();
            background.shutdown();
        }
    }

    static void fill(LibraryTwin library, LibraryTwin samples) {
        Instant day = Instant.parse("2026-11-20T09:15:00Z");
        library.add(Experiments.record(library.folder().resolve("2026-11-20_091500_engines"),
                Experiments.manifest("2026-11-20_091500_engines", DesignedSpecs.repeated("engines", 3),
                        RunStatus.COMPLETE, Verdict.Grade.VALID, day),
                List.of("The last line of run-2/tokens.bin was torn and left out.")));
        library.add(
                Experiments
                        .record(library.folder().resolve("b"),
                                Experiments.manifest("2026-11-19_170211_bench", DesignedSpecs.repeated("bench", 1),
                                        RunStatus.CANCELLED, Verdict.Grade.INVALID, day.minusSeconds(70_000)),
                                List.of()));
        library.add(Experiments.record(
                library.folder().resolve("c"), Experiments.manifest("2026-11-18_080000_bench",
                        DesignedSpecs.repeated("bench", 2), RunStatus.INTERRUPTED, null, day.minusSeconds(190_000)),
                List.of()));
        library.add(
                Experiments.record(
                        library.folder().resolve("sweep"), Experiments.manifest("2026-11-18_100000_sweep",
                                Experiments.SWEEP, RunStatus.COMPLETE, Verdict.Grade.VALID, day.minusSeconds(180_000)),
                        List.of()));
        library.addDamaged("2026-11-17_broken");
        samples.add(
                Experiments
                        .record(samples.folder().resolve("s"),
                                Experiments.manifest("2026-10-01_120000_h200", DesignedSpecs.repeated("schedulers", 3),
                                        RunStatus.COMPLETE, Verdict.Grade.VALID, day.minusSeconds(4_000_000)),
                                List.of()));
    }
}
