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
import java.util.function.BiConsumer;
import javafx.animation.PauseTransition;
import javafx.application.Platform;
import javafx.scene.Scene;
import javafx.scene.control.Button;
import javafx.scene.control.TextField;
import javafx.scene.image.WritableImage;
import javafx.util.Duration;
import org.inferometer.report.charts.ChartRenderer.Shade;
import org.inferometer.ui.chart.ChartDrawing;
import org.jspecify.annotations.Nullable;

/// Walks every view in both themes and several sizes. Writes a picture of each for people to look at, and lists the faults of their
/// layout: `DesktopScreenshots [FOLDER [SIZES [timeline | popups | RESULT...]]]`. Sizes are a number, or a part of the pictures' names:
/// `1366x768-dark`, `text150`. With a display of 1920 by 1400 pixels (`xvfb-run`, `-Dglass.platform=gtk`) menus and dialogs are shown at
/// every size of texts.
public final class DesktopScreenshots {
    private static final List<Look> ALL_LOOKS = List.of(new Look(1280, 720, 100), new Look(1366, 768, 100),
            new Look(1920, 1080, 100), new Look(1920, 1080, 150), new Look(1280, 800, 100), new Look(1280, 800, 150));
    private static final String TIMELINE_ALONE = "timeline";
    private static final String POPUPS_ALONE = "popups";
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
    /// sizes, and "timeline", "popups" or folders of results for these screens alone.
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
                    } else if (arguments.length == 3 && arguments[2].equals(POPUPS_ALONE)) {
                        shots.popups(look, shade);
                    } else if (arguments.length > 2) {
                        shots.opened(look, shade, List.of(arguments).subList(2, arguments.length));
                    } else {
                        shots.empty(look, shade);
                        shots.session(look, shade);
                        if (showsWindows(look)) {
                            shots.popups(look, shade);
                        }
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

    /// Menus, choosers, questions, forms over a view, and dialogs.
    private void popups(Look look, Shade shade) {
        DesktopScreen[] screen = new DesktopScreen[1];
        String suffix = look.suffix(shade);
        steps.add(
                () -> open = screen[0] = new DesktopScreen(folder.resolve("popups-" + suffix), look, shade, composer));
        BiConsumer<Scene, String> shot = (scene, name) -> shoot(scene, name + "-" + suffix);
        new PopupScreenshots(screen, steps, shot).all();
        new DialogScreenshots(screen, steps, shot).dialogs();
        steps.add(() -> screen[0].end());
    }

    /// Whether menus and dialogs fit the screen. One that leaves the headless screen ends the walk.
    private static boolean showsWindows(Look look) {
        return !"Headless".equals(System.getProperty("glass.platform"))
                || (look.textPercent() == 100 && look.width() <= WIDEST_SHOWN);
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
        steps.add(() -> {
            ((TextField) screen[0].scene().lookup("#welcome-server")).setText("http://127.0.0.1:8000");
            ((Button) screen[0].scene().lookup("#welcome-server-check")).fire();
        });
        steps.add(() -> shoot(screen[0].scene(), "1-welcome-server-" + suffix));
        BiConsumer<Scene, String> shot = (scene, name) -> shoot(scene, name + "-" + suffix);
        new DesignerScreenshots(screen, steps, shot).all();
        new LiveScreenshots(screen, steps, shot).all();
        new ResultScreenshots(screen, steps, shot).all();
        steps.add(() -> {
            screen[0].window().notifier().done("Saved report.html");
            screen[0].window().results().close();
            screen[0].window().results().filter().search().set("nothing like this");
        });
        steps.add(() -> shoot(screen[0].scene(), "9-none-match-" + suffix));
        new TimelineScreenshots(screen, steps, shot).all();
        new EngineScreenshots(screen, steps, shot).all();
        steps.add(() -> screen[0].window().showDevices());
        steps.add(() -> {});
        steps.add(() -> shoot(screen[0].scene(), "14-devices-" + suffix));
        if (patient) {
            // Menus and dialogs need a window that is shown.
            DialogScreenshots dialogs = new DialogScreenshots(screen, steps, shot);
            dialogs.all();
            if (showsWindows(look)) {
                dialogs.notices();
            }
        }
        steps.add(() -> screen[0].end());
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
