package org.inferometer.ui.twin;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import javafx.animation.PauseTransition;
import javafx.application.Platform;
import javafx.event.Event;
import javafx.scene.Node;
import javafx.scene.Scene;
import javafx.scene.control.Button;
import javafx.scene.control.ComboBox;
import javafx.scene.control.Menu;
import javafx.scene.control.MenuButton;
import javafx.scene.control.ScrollPane;
import javafx.scene.control.TabPane;
import javafx.scene.control.ToggleButton;
import javafx.scene.image.WritableImage;
import javafx.scene.input.KeyCode;
import javafx.scene.input.KeyEvent;
import javafx.scene.layout.Pane;
import javafx.stage.Window;
import javafx.util.Duration;
import org.inferometer.quantising.EngineKind;
import org.inferometer.report.charts.ChartRenderer.Shade;
import org.inferometer.ui.bench.LiveMode;
import org.inferometer.ui.chart.ChartDrawing;
import org.inferometer.ui.designer.DesignerViewModel;
import org.inferometer.ui.designer.SchedulerChoice;
import org.jspecify.annotations.Nullable;

/// Walks every view in both themes and several sizes. Writes a picture of each for people to look at, and lists the faults of their
/// layout: `DesktopScreenshots [FOLDER [SIZES [timeline | RESULT...]]]`. Sizes are a number, or a part of the pictures' names:
/// `1366x768-dark`, `text150`.
public final class DesktopScreenshots {
    private static final List<Look> ALL_LOOKS = List.of(new Look(1280, 720, 100), new Look(1366, 768, 100),
            new Look(1920, 1080, 100), new Look(1920, 1080, 150), new Look(1280, 800, 100), new Look(1280, 800, 150));
    private static final String TIMELINE_ALONE = "timeline";
    private static final int BROKEN = 2;
    /// The headless screen has 1000 pixels; the menu of the bell leaves it in a wider window.
    private static final int WIDEST_SHOWN = 1366;
    private static final Duration SETTLES = Duration.millis(450);
    private static final Duration LOOKS_AGAIN = Duration.millis(15);
    private final Path folder;
    private final Deque<Runnable> steps = new ArrayDeque<>();
    private final CountDownLatch done = new CountDownLatch(1);
    private final ChartDrawing.Composer composer;
    private final Camera camera;
    private final boolean patient;
    private @Nullable DesktopScreen open;
    private volatile @Nullable RuntimeException failure;

    /// A size of the window and of its texts.
    ///
    /// @param textPercent size of texts
    public record Look(int width, int height, int textPercent) {
        private String suffix(Shade shade) {
            return width + "x" + height + (textPercent == 100 ? "" : "-text" + textPercent) + "-"
                    + shade.name().toLowerCase(Locale.ROOT);
        }
    }

    /// Is called with each view.
    public interface Camera {
        /// @param name of the view, its size and theme
        void shoot(Scene scene, String name);
    }

    /// @param patient whether every view settles before it is shown, animations included
    private DesktopScreenshots(Path folder, ChartDrawing.Composer composer, Camera camera, boolean patient) {
        this.folder = folder;
        this.composer = composer;
        this.camera = camera;
        this.patient = patient;
    }

    /// Writes the pictures and ends; with 1 if a layout has a fault, with 2 if the walk broke or no size was chosen. Arguments: folder,
    /// sizes, and "timeline" or folders of results for these screens alone.
    public static void main(String[] arguments) throws Exception {
        Path folder = Path.of(arguments.length > 0 ? arguments[0] : "target/screenshots");
        Files.createDirectories(folder);
        Set<String> faults = new LinkedHashSet<>();
        DesktopScreenshots shots = new DesktopScreenshots(folder, ScreenshotComposer.best(), (scene, name) -> {
            write(scene, folder.resolve(name + ".png"));
            LayoutFaults.of(scene.getRoot()).stream().filter(faults::add)
                    .forEach(fault -> System.out.println(name + ": " + fault));
        }, true);
        // Background work and pulses fail on their own threads.
        Thread.setDefaultUncaughtExceptionHandler((thread, broke) -> shots.fail(broke));
        Platform.setImplicitExit(false);
        Platform.startup(() -> {
            String sizes = arguments.length > 1 ? arguments[1] : String.valueOf(ALL_LOOKS.size());
            for (Look look : ALL_LOOKS) {
                for (Shade shade : Shade.values()) {
                    if (!isChosen(look, shade, sizes)) {
                        continue;
                    }
                    if (arguments.length == 3 && arguments[2].equals(TIMELINE_ALONE)) {
                        shots.timelineAlone(look, shade);
                    } else if (arguments.length > 2) {
                        shots.opened(look, shade, List.of(arguments).subList(2, arguments.length));
                    } else {
                        shots.empty(look, shade);
                        shots.session(look, shade);
                    }
                }
            }
            if (shots.steps.isEmpty()) {
                shots.fail(new IllegalArgumentException("No size of the pictures is " + sizes + "."));
            } else {
                shots.next();
            }
        });
        shots.done.await();
        if (shots.failure != null) {
            shots.failure.printStackTrace();
        }
        Platform.exit();
        System.exit(shots.failure != null ? BROKEN : faults.isEmpty() ? 0 : 1);
    }

    private static boolean isChosen(Look look, Shade shade, String sizes) {
        return sizes.matches("[0-9]+") ? ALL_LOOKS.indexOf(look) < Integer.parseInt(sizes)
                : look.suffix(shade).contains(sizes);
    }

    /// Walks every view in one window and returns when all were shown. Not on the JavaFX thread, which runs already.
    ///
    /// @param folder for the results that are shown
    /// @throws RuntimeException of a step or of the camera
    public static void walk(Path folder, Look look, Shade shade, Camera camera) throws InterruptedException {
        DesktopScreenshots walk = new DesktopScreenshots(folder, new PlainComposer(), camera, false);
        Platform.runLater(() -> {
            walk.empty(look, shade);
            walk.session(look, shade);
            walk.next();
        });
        walk.done.await();
        if (walk.failure != null) {
            throw walk.failure;
        }
    }

    /// The first screen of given results, and the timeline of their first run.
    private void opened(Look look, Shade shade, List<String> results) {
        DesktopScreen[] screen = new DesktopScreen[1];
        String suffix = look.suffix(shade);
        steps.add(() -> open =
                screen[0] = new DesktopScreen(folder.resolve("workspace-" + suffix), look, shade, composer));
        for (String result : results) {
            Path opened = Path.of(result);
            steps.add(() -> screen[0].window().openResult(opened));
            steps.add(() -> {});
            steps.add(() -> shoot(screen[0].scene(), opened.getFileName() + "-" + suffix));
            steps.add(() -> screen[0].window().timeline().cancel());
            steps.add(() -> screen[0].window().showTimeline());
            steps.add(() -> {});
            steps.add(() -> shoot(screen[0].scene(), opened.getFileName() + "-timeline-" + suffix));
            steps.add(() -> screen[0].window().showReport());
            for (int wait = 0; wait < 6; wait++) {
                steps.add(() -> {});
            }
            steps.add(() -> shoot(screen[0].scene(), opened.getFileName() + "-report-" + suffix));
        }
        steps.add(() -> screen[0].end());
    }

    private void timelineAlone(Look look, Shade shade) {
        DesktopScreen[] screen = new DesktopScreen[1];
        String suffix = look.suffix(shade);
        steps.add(() -> open =
                screen[0] = new DesktopScreen(folder.resolve("workspace-" + suffix), look, shade, composer));
        new TimelineScreenshots(screen, steps, (scene, name) -> shoot(scene, name + "-" + suffix)).all();
        steps.add(() -> screen[0].end());
    }

    /// A workspace in which nothing was measured, without samples.
    private void empty(Look look, Shade shade) {
        DesktopScreen[] screen = new DesktopScreen[1];
        String suffix = look.suffix(shade);
        steps.add(
                () -> open = screen[0] = DesktopScreen.empty(folder.resolve("empty-" + suffix), look, shade, composer));
        steps.add(() -> shoot(screen[0].scene(), "0-empty-bench-" + suffix));
        steps.add(() -> screen[0].window().showResults());
        steps.add(() -> shoot(screen[0].scene(), "0-empty-results-" + suffix));
        steps.add(() -> screen[0].window().showTimeline());
        steps.add(() -> shoot(screen[0].scene(), "0-empty-timeline-" + suffix));
        steps.add(() -> screen[0].window().showReport());
        steps.add(() -> shoot(screen[0].scene(), "0-empty-report-" + suffix));
        steps.add(() -> screen[0].end());
    }

    private void session(Look look, Shade shade) {
        DesktopScreen[] screen = new DesktopScreen[1];
        String suffix = look.suffix(shade);
        steps.add(() -> open =
                screen[0] = new DesktopScreen(folder.resolve("workspace-" + suffix), look, shade, composer));
        steps.add(() -> shoot(screen[0].scene(), "1-welcome-" + suffix));
        steps.add(() -> ((MenuButton) screen[0].scene().lookup("#designer-add-target")).getItems().getFirst().fire());
        steps.add(() -> shoot(screen[0].scene(), "2-designer-target-" + suffix));
        steps.add(() -> ((Button) screen[0].scene().lookup("#target-1-remove")).fire());
        steps.add(() -> {
            DesignerViewModel designer = screen[0].window().bench().designer();
            designer.schedulers().all().forEach(choice -> choice.selected().set(true));
            SchedulerChoice parallel = designer.schedulers().all().stream()
                    .filter(choice -> choice.key().equals("parallel")).findFirst().orElseThrow();
            SchedulerChoice second = designer.schedulers().duplicate(parallel);
            second.options().get(3).text().set("3");
            screen[0].window().bench().designer().workload().requests().text().set("many");
            screen[0].window().bench().designer().check();
        });
        steps.add(() -> shoot(screen[0].scene(), "2-designer-" + suffix));
        steps.add(() -> scrollDown(screen[0].scene(), "#designer"));
        steps.add(() -> shoot(screen[0].scene(), "2-designer-below-" + suffix));
        steps.add(() -> {
            screen[0].window().bench().designer().workload().requests().text().set("25, 50, 100");
            ((ScrollPane) screen[0].scene().lookup("#designer .scroll-pane")).setVvalue(0);
            ((ToggleButton) screen[0].scene().lookup("#scheduler-parallel-2-options")).setSelected(false);
            ((ToggleButton) screen[0].scene().lookup("#scheduler-disaggregated-options")).setSelected(true);
        });
        steps.add(() -> scrollDown(screen[0].scene(), "#designer"));
        steps.add(() -> shoot(screen[0].scene(), "2-designer-lanes-" + suffix));
        live(screen, suffix);
        results(screen, suffix);
        comparison(screen, suffix);
        imported(screen, suffix);
        steps.add(() -> {
            screen[0].window().notifier().done("Saved report.html");
            screen[0].window().results().close();
            screen[0].window().results().filter().search().set("nothing like this");
        });
        steps.add(() -> shoot(screen[0].scene(), "9-none-match-" + suffix));
        new TimelineScreenshots(screen, steps, (scene, name) -> shoot(scene, name + "-" + suffix)).all();
        engines(screen, suffix);
        suites(screen, suffix);
        steps.add(() -> screen[0].window().showDevices());
        steps.add(() -> {});
        steps.add(() -> shoot(screen[0].scene(), "14-devices-" + suffix));
        if (patient) {
            // Menus and dialogs need a window that is shown.
            DialogScreenshots dialogs =
                    new DialogScreenshots(screen, steps, (scene, name) -> shoot(scene, name + "-" + suffix));
            dialogs.all(look.textPercent() == 100);
            if (look.textPercent() == 100 && look.width() <= WIDEST_SHOWN) {
                dialogs.notices();
            }
        }
        steps.add(() -> screen[0].end());
    }

    /// The engines, and the question for a text.
    private void engines(DesktopScreen[] screen, String suffix) {
        steps.add(() -> screen[0].window().showEngines());
        steps.add(() -> {});
        steps.add(() -> shoot(screen[0].scene(), "14-engines-" + suffix));
        steps.add(() -> {
            MenuButton from = (MenuButton) screen[0].scene().lookup("#engines-checkpoint");
            ((Menu) from.getItems().getFirst()).getItems().get(EngineKind.INT4_AWQ.ordinal()).fire();
        });
        steps.add(() -> {
            Scene dialog = Window.getWindows().getLast().getScene();
            shoot(dialog, "14-engines-calibration-" + suffix);
            dialog.getWindow().hide();
        });
        steps.add(() -> scrollDown(screen[0].scene(), "#engine-detail"));
        steps.add(() -> shoot(screen[0].scene(), "14-engines-below-" + suffix));
    }

    /// A suite with findings, before and after it is run.
    private void suites(DesktopScreen[] screen, String suffix) {
        steps.add(() -> screen[0].window().showSuites());
        steps.add(() -> shoot(screen[0].scene(), "15-suites-empty-" + suffix));
        steps.add(() -> screen[0].window().suites().open(TestSuites.written(screen[0].library().folder())));
        steps.add(() -> {});
        steps.add(() -> shoot(screen[0].scene(), "15-suites-" + suffix));
        steps.add(() -> ((TabPane) screen[0].scene().lookup("#suite-tabs")).getSelectionModel().select(1));
        steps.add(() -> {});
        steps.add(() -> shoot(screen[0].scene(), "15-suites-fields-" + suffix));
        steps.add(() -> {
            screen[0].window().suites().run(deeds -> true);
            screen[0].service().goOn();
        });
        steps.add(() -> {});
        steps.add(() -> screen[0].service().goOn());
        steps.add(() -> {});
        steps.add(() -> shoot(screen[0].scene(), "15-suites-run-" + suffix));
        // As after twenty seconds.
        steps.add(() -> ((Pane) screen[0].scene().lookup("#notices")).getChildren().clear());
    }

    /// A running experiment: loading, measuring, with a marker and the log.
    private void live(DesktopScreen[] screen, String suffix) {
        steps.add(() -> {
            // On few cores a run would show no charts.
            screen[0].window().bench().live().choose(LiveMode.LIVE);
            screen[0].window().bench().runQuick();
        });
        steps.add(() -> {});
        steps.add(() -> shoot(screen[0].scene(), "3-live-loading-" + suffix));
        steps.add(() -> screen[0].service().goOn());
        steps.add(() -> {});
        steps.add(() -> shoot(screen[0].scene(), "3-live-" + suffix));
        steps.add(() -> screen[0].window().bench().addMarker());
        steps.add(() -> screen[0].window().bench().log().open().set(true));
        steps.add(() -> {});
        steps.add(() -> shoot(screen[0].scene(), "3-live-marker-log-" + suffix));
        steps.add(() -> screen[0].window().bench().log().open().set(false));
        charts(screen, suffix);
        steps.add(() -> screen[0].service().goOn());
        steps.add(() -> {});
        steps.add(() -> shoot(screen[0].scene(), "4-result-" + suffix));
    }

    /// Crosshair, zoom, one chart over the window, and its table.
    private void charts(DesktopScreen[] screen, String suffix) {
        String chart = "#live-throughput-chart";
        steps.add(() -> press(screen, chart, KeyCode.RIGHT, true));
        steps.add(() -> press(screen, chart, KeyCode.RIGHT, true));
        steps.add(() -> shoot(screen[0].scene(), "3-live-crosshair-" + suffix));
        steps.add(() -> press(screen, chart, KeyCode.PLUS, false));
        steps.add(() -> press(screen, chart, KeyCode.PLUS, false));
        steps.add(() -> shoot(screen[0].scene(), "3-live-zoomed-" + suffix));
        steps.add(() -> press(screen, chart, KeyCode.F, false));
        steps.add(() -> shoot(screen[0].scene(), "3-live-maximised-" + suffix));
        steps.add(() -> press(screen, chart, KeyCode.T, true));
        steps.add(() -> shoot(screen[0].scene(), "3-live-table-" + suffix));
        steps.add(() -> press(screen, chart, KeyCode.T, true));
        steps.add(() -> press(screen, chart, KeyCode.ESCAPE, false));
        steps.add(() -> press(screen, chart, KeyCode.ESCAPE, false));
        steps.add(() -> press(screen, chart, KeyCode.END, false));
    }

    private static void press(DesktopScreen[] screen, String id, KeyCode key, boolean control) {
        Event.fireEvent(screen[0].scene().lookup(id),
                new KeyEvent(KeyEvent.KEY_PRESSED, "", "", key, false, control, false, false));
    }

    private void results(DesktopScreen[] screen, String suffix) {
        steps.add(() -> screen[0].window().showResults());
        steps.add(() -> shoot(screen[0].scene(), "5-results-" + suffix));
        steps.add(
                () -> screen[0].window().openResult(screen[0].library().folder().resolve("2026-11-20_091500_engines")));
        steps.add(() -> shoot(screen[0].scene(), "6-detail-" + suffix));
        steps.add(() -> ((TabPane) screen[0].scene().lookup("#detail-tabs")).getSelectionModel().select(1));
        steps.add(() -> {});
        steps.add(() -> shoot(screen[0].scene(), "7-detail-charts-" + suffix));
        steps.add(() -> press(screen, "#detail-plane-chart", KeyCode.RIGHT, false));
        steps.add(() -> press(screen, "#detail-plane-chart", KeyCode.RIGHT, false));
        steps.add(() -> shoot(screen[0].scene(), "7-detail-crosshair-" + suffix));
        steps.add(() -> screen[0].window().openResult(screen[0].library().folder().resolve("sweep")));
        steps.add(() -> {});
        steps.add(() -> shoot(screen[0].scene(), "6-detail-sweep-" + suffix));
        steps.add(() -> screen[0].window().openResult(screen[0].library().folder().resolve("b")));
        steps.add(() -> shoot(screen[0].scene(), "6-detail-stopped-" + suffix));
        steps.add(() -> ((TabPane) screen[0].scene().lookup("#detail-tabs")).getSelectionModel().select(2));
        steps.add(() -> shoot(screen[0].scene(), "8-detail-runs-" + suffix));
    }

    /// A result that another tool measured.
    private void imported(DesktopScreen[] screen, String suffix) {
        steps.add(() -> screen[0].window().open(screen[0].foreignFile()));
        steps.add(() -> {});
        steps.add(() -> shoot(screen[0].scene(), "9-import-" + suffix));
    }

    /// Two cells of one result, then all of them against the first.
    private void comparison(DesktopScreen[] screen, String suffix) {
        steps.add(() -> screen[0].window().openResult(screen[0].library().folder().resolve("paired")));
        steps.add(() -> {});
        steps.add(() -> ((Button) screen[0].scene().lookup("#detail-compare")).fire());
        steps.add(() -> {});
        steps.add(() -> {
            ComboBox<?> base = (ComboBox<?>) screen[0].scene().lookup("#comparison-base");
            ComboBox<?> candidate = (ComboBox<?>) screen[0].scene().lookup("#comparison-candidate");
            base.getSelectionModel().select(candidate.getSelectionModel().getSelectedIndex());
        });
        steps.add(() -> {});
        steps.add(
                () -> ((ComboBox<?>) screen[0].scene().lookup("#comparison-base-part")).getSelectionModel().select(1));
        steps.add(() -> {});
        steps.add(() -> shoot(screen[0].scene(), "8-compare-" + suffix));
        steps.add(() -> ((ScrollPane) screen[0].scene().lookup("#comparison-scroll")).setVvalue(0.5));
        steps.add(() -> shoot(screen[0].scene(), "8-compare-below-" + suffix));
        steps.add(() -> ((Button) screen[0].scene().lookup("#comparison-close")).fire());
    }

    private void next() {
        Runnable step = steps.poll();
        if (step == null) {
            done.countDown();
            return;
        }
        try {
            step.run();
        } catch (RuntimeException | Error e) {
            fail(e);
            throw e;
        }
        after(patient ? SETTLES : LOOKS_AGAIN);
    }

    private synchronized void fail(Throwable why) {
        if (failure == null) {
            failure = new IllegalStateException("A step failed: " + why, why);
        }
        steps.clear();
        done.countDown();
    }

    /// The next step, when background work and the script rest.
    private void after(Duration wait) {
        PauseTransition pause = new PauseTransition(wait);
        pause.setOnFinished(event -> {
            if (open == null || open.rests()) {
                next();
            } else {
                after(LOOKS_AGAIN);
            }
        });
        pause.play();
    }

    private static void scrollDown(Scene scene, String id) {
        Node node = scene.lookup(id + " .scroll-pane");
        if (node instanceof ScrollPane pane) {
            pane.setVvalue(1);
        }
    }

    private void shoot(Scene scene, String name) {
        camera.shoot(scene, name);
    }

    /// Writes a PNG file, and its folder.
    public static void write(Scene scene, Path file) {
        scene.snapshot(null);
        WritableImage image = scene.snapshot(null);
        try {
            Files.createDirectories(file.toAbsolutePath().getParent());
            Files.write(file, PngBytes.of(image));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
