package org.inferometer.app;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import javafx.animation.Animation;
import javafx.animation.KeyFrame;
import javafx.animation.Timeline;
import javafx.application.Platform;
import javafx.event.ActionEvent;
import javafx.scene.Node;
import javafx.scene.control.ButtonBase;
import javafx.scene.control.TableView;
import javafx.scene.input.KeyCode;
import javafx.scene.input.KeyEvent;
import javafx.stage.Stage;
import javafx.stage.Window;
import javafx.stage.WindowEvent;
import javafx.util.Duration;
import org.inferometer.experiment.ExperimentSpec;
import org.inferometer.options.Selection;
import org.inferometer.record.ExperimentManifest;
import org.inferometer.results.ResultLibrary;
import org.inferometer.run.Workspace;
import org.inferometer.ui.designer.DesignerServices;
import org.inferometer.ui.fx.Messages;
import org.inferometer.ui.fx.Settings;
import org.inferometer.ui.results.ResultRow;
import org.inferometer.ui.shell.DesktopServices;
import org.inferometer.units.EnvironmentVariables;
import org.inferometer.workload.ArrivalProcess;
import org.inferometer.workload.WorkloadPresets;

/// The desktop as a process that works by itself and says so on standard output: it runs an experiment, reads the list of results, or opens
/// and closes results. Then it closes its window as a person does.
final class DesktopProcess {
    static final String OPENED = "opened";
    static final String RUNNING = "running";
    static final String LISTED = "listed ";
    static final String PAUSED = "paused";

    private static final Duration LOOK = Duration.millis(50);

    private final Path workspace;
    private final Task task;
    private final long count;
    private final Timeline looking = new Timeline(new KeyFrame(LOOK, this::look));
    private State state = State.OPENING;
    private long looks;
    /// Results in the folder; looked at once, because reading hundreds takes longer than a look may.
    private int results = -1;
    private int round;
    private int step;

    /// What it does before it closes.
    enum Task {
        /// Runs an experiment; the count is the milliseconds after which the window is closed while it runs, or -1.
        RUN(State.STARTING),
        /// Reads the list of results.
        LIST(State.LISTING),
        /// Opens and closes so many results; waits for a byte after the first quarter and at the end.
        BROWSE(State.BROWSING);

        private final State first;

        Task(State first) {
            this.first = first;
        }
    }

    private enum State {
        OPENING, STARTING, RUNNING, LISTING, BROWSING, CLOSING, CLOSED
    }

    private DesktopProcess(Path workspace, Task task, long count) {
        this.workspace = workspace;
        this.task = task;
        this.count = count;
    }

    /// @param arguments the workspace, a task, its count
    public static void main(String[] arguments) throws Exception {
        Path workspace = Path.of(arguments[0]);
        DesktopProcess desk = new DesktopProcess(workspace, Task.valueOf(arguments[1]), Long.parseLong(arguments[2]));
        DesktopServices services = services(workspace);
        Thread.ofPlatform().daemon().start(desk::beginWhenJavaFxRuns);
        DesktopWiring.launch(services, settings(workspace).resolveSibling("windows"), workspace, Optional.empty());
        System.exit(0);
    }

    static List<String> command(Path workspace, Task task, long count) {
        List<String> command = FastJava.program(DesktopProcess.class);
        command.addAll(1, List.of("-Dglass.platform=Headless", "-Dprism.order=sw"));
        command.addAll(List.of(workspace.toString(), task.name(), Long.toString(count)));
        return command;
    }

    /// The file of the desktop's settings; those of the session lie beside it.
    static Path settings(Path workspace) {
        return workspace.resolve("config/settings.properties");
    }

    private static DesktopServices services(Path workspace) {
        DesktopServices real = DesktopWiring.services(
                new Program(new Workspace(workspace), EnvironmentVariables.ofProcess(), HastyWorker.in(workspace)),
                new Settings(settings(workspace)));
        DesignerServices all = real.designer();
        DesignerServices small = new DesignerServices(all.benchmarks(), all.engineFolder(), all.engines(),
                all.schedulers(), all.workloads(), all.backends(), all.backendOptions(), experiment(), all.presets(),
                all.reader());
        return new DesktopServices(small, real.results(), real.machine(), real.devices(), real.composer(),
                real.renderer(), real.settings(), real.machines(), real.prompts(), real.clock(), real.version());
    }

    private static ExperimentSpec experiment() {
        return new ExperimentSpec("killed", List.of("tiny-int4"), List.of(Selection.of("continuous")),
                List.of(new WorkloadPresets().find("basic").withRequests(40)
                        .withArrivals(new ArrivalProcess.Poisson(100))),
                Selection.of("host"), 2, 2, 1, 50, 0, ExperimentSpec.AskedLimits.DEFAULTS);
    }

    private void beginWhenJavaFxRuns() {
        while (true) {
            try {
                Platform.runLater(this::begin);
                return;
            } catch (IllegalStateException e) {
                // The window starts JavaFX on the main thread.
                LockSupport.parkNanos(10_000_000);
            }
        }
    }

    private void begin() {
        looking.setCycleCount(Animation.INDEFINITE);
        looking.play();
    }

    /// On the JavaFX thread. Presses are queued, since a question waits for its answer in a loop of its own.
    private void look(ActionEvent event) {
        switch (state) {
            case OPENING -> node("#primary-action").ifPresent(button -> {
                System.out.println(OPENED);
                state = task.first;
            });
            case STARTING -> {
                if (isRunning()) {
                    System.out.println(RUNNING);
                    state = State.RUNNING;
                } else {
                    press("#primary-action");
                }
            }
            case RUNNING -> {
                looks++;
                if (!isRunning() || (count >= 0 && looks * LOOK.toMillis() >= count)) {
                    beginClosing();
                }
            }
            case LISTING -> list();
            case BROWSING -> browse();
            case CLOSING -> {
                if (press("#quit-stop")) {
                    state = State.CLOSED;
                }
            }
            case CLOSED -> {}
        }
    }

    private void list() {
        press("#rail-results");
        // The last session's result covers the list.
        press("#detail-close");
        results = results < 0 ? new ResultLibrary(workspace.resolve("results")).list().size() : results;
        List<ResultRow> rows = rows();
        if (rows.size() == results) {
            rows.forEach(row -> System.out.println(LISTED + row.folder().getFileName() + " " + row.problem()
                    + row.manifest().map(ExperimentManifest::status).map(Enum::name).orElse("")));
            beginClosing();
        }
    }

    private static List<ResultRow> rows() {
        return node("#results-table").map(table -> ((TableView<?>) table).getItems().stream()).orElse(Stream.empty())
                .map(ResultRow.class::cast).toList();
    }

    private void browse() {
        boolean done = switch (step) {
            case 0 -> press("#rail-results") && rows().size() >= 2 && open(rows().get(round % 2));
            case 1 -> node("#detail-close").isPresent() && press("#rail-timeline");
            case 2 -> press("#rail-results");
            case 3 -> press("#detail-close");
            default -> node("#detail-close").isEmpty();
        };
        step += done ? 1 : 0;
        if (step > 4) {
            step = 0;
            round++;
            if (round == count / 4 || round == count) {
                pause();
            }
        }
        if (round == count) {
            beginClosing();
        }
    }

    private static boolean open(ResultRow row) {
        TableView<?> table = (TableView<?>) node("#results-table").orElseThrow();
        table.getSelectionModel().clearAndSelect(table.getItems().indexOf(row));
        table.fireEvent(new KeyEvent(KeyEvent.KEY_PRESSED, "", "", KeyCode.ENTER, false, false, false, false));
        return true;
    }

    private static void pause() {
        try {
            System.out.println(PAUSED);
            System.in.read();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void beginClosing() {
        state = State.CLOSING;
        Platform.runLater(DesktopProcess::close);
    }

    private static boolean isRunning() {
        return node("#primary-action").map(button -> ((ButtonBase) button).getText())
                .filter(Messages.text("action.stop")::equals).isPresent();
    }

    /// Returns whether there is such a button.
    private static boolean press(String id) {
        Optional<Node> button = node(id);
        button.ifPresent(found -> Platform.runLater(((ButtonBase) found)::fire));
        return button.isPresent();
    }

    private static void close() {
        Window first = Window.getWindows().getFirst();
        first.fireEvent(new WindowEvent(first, WindowEvent.WINDOW_CLOSE_REQUEST));
    }

    private static Optional<Node> node(String id) {
        return stages().flatMap(stage -> stage.getScene().getRoot().lookupAll(id).stream()).findFirst();
    }

    private static Stream<Stage> stages() {
        return Window.getWindows().stream().filter(Stage.class::isInstance).map(Stage.class::cast)
                .filter(stage -> stage.getScene() != null);
    }
}
