package org.inferometer.ui.shell;

import static org.inferometer.ui.fx.Messages.text;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import javafx.application.Platform;
import javafx.geometry.Rectangle2D;
import javafx.scene.Scene;
import javafx.scene.image.Image;
import javafx.stage.Screen;
import javafx.stage.Stage;
import org.inferometer.ui.fx.BackgroundWork;
import org.inferometer.ui.fx.ErrorText;
import org.inferometer.ui.fx.FileDialogs;
import org.inferometer.ui.fx.JavaFxStart;
import org.inferometer.ui.fx.NativeFileDialogs;
import org.inferometer.ui.fx.OpenRequests;
import org.inferometer.ui.fx.RestingTimer;
import org.inferometer.ui.fx.Ticks;
import org.inferometer.ui.fx.Ticks.TickThread;
import org.inferometer.ui.fx.UiThread.JavaFxThread;
import org.inferometer.ui.fx.WhileMeasuring;
import org.inferometer.ui.fx.WindowWork;
import org.inferometer.ui.shell.AlertQuestions.QuitQuestion;
import org.inferometer.ui.theme.Appearance;
import org.inferometer.ui.theme.Appearance.ThemeChoice;
import org.jspecify.annotations.Nullable;

/// Starts JavaFX, opens the window, and ends both.
public final class Desktop {
    private static final Duration AUTOSAVE = Duration.ofSeconds(2);
    /// A worker has two seconds to stop; then its record is read and summarised.
    private static final Duration WORK_MAY_TAKE = Duration.ofSeconds(8);
    private final DesktopServices services;
    private final Stage stage;
    private final Appearance appearance;
    private final TickThread pump = new TickThread(new JavaFxThread());
    private final ExecutorService background = BackgroundWork.daemonThreads();
    private final BackgroundWork work;
    private final DesktopWindow window;
    private final AlertQuestions questions;
    private final ErrorDialog failures;
    private final Session session;
    private final ClosedWindow closed;
    private Ticks.Beat autosave;
    private Runnable whenClosed = () -> {};
    private boolean canComeBack;
    private Session.@Nullable Open saved;
    private boolean restoring;

    /// Opens the window and returns when it is closed. Called on the main thread, once per process.
    ///
    /// @param file a bundle or the folder of a result to show
    /// @param requests of later starts of the program
    /// @throws IllegalStateException when the window could not be built
    /// @throws IOException when JavaFX's native libraries cannot be written, or others would be loaded
    /// @throws UnsupportedOperationException when there is no display
    public static void launch(DesktopServices services, Optional<Path> file, OpenRequests requests)
            throws IOException, InterruptedException {
        CountDownLatch closed = new CountDownLatch(1);
        AtomicReference<@Nullable Desktop> opened = new AtomicReference<>();
        AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
        JavaFxStart.start(() -> {
            try {
                Stage stage = new Stage();
                Desktop desktop = new Desktop(services, stage, new NativeFileDialogs(() -> stage));
                opened.set(desktop);
                Thread.setDefaultUncaughtExceptionHandler(desktop.failures);
                desktop.onClosed(() -> {
                    desktop.end();
                    closed.countDown();
                });
                desktop.show();
                desktop.background.execute(services.settings()::removeLeftovers);
                file.ifPresentOrElse(desktop.window()::open, desktop::restore);
                desktop.listen(requests);
            } catch (RuntimeException | Error e) {
                failure.set(e);
                closed.countDown();
            }
        });
        closed.await();
        requests.close();
        Desktop desktop = opened.get();
        if (desktop != null) {
            desktop.finishWork();
        }
        Platform.exit();
        Throwable broken = failure.get();
        if (broken != null) {
            throw new IllegalStateException("The window could not be opened: " + ErrorText.sentence(broken), broken);
        }
    }

    /// Waits for background work, such as a stopping experiment, up to a limit.
    private void finishWork() throws InterruptedException {
        boolean ended = background.awaitTermination(WORK_MAY_TAKE.toMillis(), TimeUnit.MILLISECONDS);
        if (!ended) {
            background.shutdownNow();
        }
    }

    /// Builds the window in a stage. Called on the JavaFX thread, whose failures it shows from now on. Those of other threads are shown only
    /// by the window that [#launch] opens: they may belong to others in the process.
    public Desktop(DesktopServices services, Stage stage, FileDialogs dialogs) {
        RestingTimer.install();
        this.services = services;
        this.stage = stage;
        appearance = new Appearance(ThemeChoice.SYSTEM.shade());
        session = Session.of(services.settings(), services.results().folder());
        failures = new ErrorDialog(new JavaFxThread(), () -> stage, appearance, services.version());
        Thread.currentThread().setUncaughtExceptionHandler(failures);
        questions = new AlertQuestions(() -> stage, appearance);
        work = new BackgroundWork(background, new JavaFxThread(), new WhileMeasuring(questions::beside));
        window = new DesktopWindow(services,
                new DesktopWindow.WindowContext(work, pump, appearance, dialogs, questions, this::askToClose));
        closed = new ClosedWindow(window.measuring(), work, pump, () -> whenClosed.run());
        autosave = pump.every(AUTOSAVE, this::autosave);
    }

    /// @param action called once, when the program shall end
    void onClosed(Runnable action) {
        whenClosed = action;
        stage.setOnHidden(event -> {
            if (!closed.isClosed()) {
                action.run();
            }
        });
    }

    /// Follows later starts of the program. Where there can be none, a closed window would not come back.
    void listen(OpenRequests requests) {
        canComeBack = requests != OpenRequests.NONE;
        requests.listen(asked -> Platform.runLater(() -> comeForward(asked)));
    }

    /// Shows the window at its last position, within the visible screens.
    public void show() {
        WindowPlacement placement = WindowPlacement.remembered(services.settings())
                .within(Screen.getScreens().stream().map(Desktop::area).toList());
        Scene scene = new Scene(window.createView());
        appearance.dress(scene);
        stage.setScene(scene);
        stage.setTitle(text("product"));
        stage.getIcons().add(
                new Image(Objects.requireNonNull(Desktop.class.getResourceAsStream("/org/inferometer/ui/icon.png"))));
        stage.setX(placement.x());
        stage.setY(placement.y());
        stage.setWidth(placement.width());
        stage.setHeight(placement.height());
        stage.setMinWidth(Math.min(WindowPlacement.MIN_WIDTH, placement.width()));
        stage.setMinHeight(Math.min(WindowPlacement.MIN_HEIGHT, placement.height()));
        stage.setMaximized(placement.maximised());
        stage.setOnCloseRequest(event -> {
            event.consume();
            askToClose();
        });
        stage.show();
        window.focusFirst();
    }

    /// Shows the window before others, also one that was closed while an experiment goes on, and opens the file.
    private void comeForward(Optional<Path> file) {
        if (closed.isClosed()) {
            closed.end();
            stage.show();
            window.setOpen(true);
            autosave = pump.every(AUTOSAVE, this::autosave);
        }
        if (stage.isShowing()) {
            stage.setIconified(false);
            stage.toFront();
            stage.requestFocus();
            file.ifPresent(window::open);
        }
    }

    /// Shows what was open when the program ended last, unless the user does not want that.
    public void restore() {
        if (window.restoresSessions()) {
            restoring = true;
            work.run(WindowWork.OWN, () -> session.last(services.designer().reader()), this::restore,
                    failure -> restoring = false);
        }
    }

    private void restore(Session.Last last) {
        restoring = false;
        last.open().ifPresent(window::restore);
        if (last.broke()) {
            window.notifier().caution(text("session.restored"));
        }
        if (!last.problem().isEmpty()) {
            window.notifier().problem(last.problem());
        }
    }

    /// A crash loses at most two seconds.
    private void autosave() {
        if (restoring) {
            return;
        }
        Session.Open open = window.open();
        if (!open.equals(saved)) {
            save(open);
        }
    }

    private void save(Session.Open open) {
        saved = open;
        work.run(WindowWork.OWN, () -> {
            session.save(open, true);
            return open;
        }, done -> {}, failure -> {});
    }

    /// The window's content.
    public DesktopWindow window() {
        return window;
    }

    /// The scene of the shown window.
    public Scene scene() {
        return stage.getScene();
    }

    /// Saves the position of the window and ends its charts and threads.
    public void end() {
        rememberPlacement();
        closed.end();
        autosave.stop();
        if (!restoring) {
            session.save(window.open(), false);
        }
        window.dispose();
        pump.close();
        background.shutdown();
    }

    private void rememberPlacement() {
        if (stage.isShowing()) {
            new WindowPlacement(stage.getX(), stage.getY(), stage.getWidth(), stage.getHeight(), stage.isMaximized())
                    .remember(services.settings());
        }
    }

    /// A run goes on in its own process, so the user is asked whether it stops with the window.
    private void askToClose() {
        if (window.measuring().getValue()) {
            QuitQuestion question =
                    QuitQuestion.of(canComeBack, window.suites().session().running().get(), work.measuring());
            switch (questions.chosen(text("quit.heading"), question.detail(), question.answers())) {
                case BACKGROUND -> {
                    leave();
                    return;
                }
                case STOP -> {
                    if (window.suites().session().running().get()) {
                        window.suites().session().stop();
                    }
                    window.bench().stopAndWait();
                }
                case CANCEL -> {
                    return;
                }
            }
        }
        stage.hide();
    }

    /// Closes the window; the experiment goes on and the program ends after it.
    private void leave() {
        rememberPlacement();
        autosave.stop();
        save(window.open());
        window.setOpen(false);
        closed.begin();
        stage.hide();
    }

    private static WindowPlacement.Area area(Screen screen) {
        Rectangle2D bounds = screen.getVisualBounds();
        return new WindowPlacement.Area(bounds.getMinX(), bounds.getMinY(), bounds.getWidth(), bounds.getHeight());
    }
}
