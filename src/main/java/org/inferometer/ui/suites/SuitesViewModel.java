package org.inferometer.ui.suites;

import static org.inferometer.ui.fx.Messages.text;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import javafx.beans.property.ObjectProperty;
import javafx.beans.property.ReadOnlyBooleanProperty;
import javafx.beans.property.ReadOnlyBooleanWrapper;
import javafx.beans.property.ReadOnlyObjectProperty;
import javafx.beans.property.ReadOnlyObjectWrapper;
import javafx.beans.property.ReadOnlyStringProperty;
import javafx.beans.property.ReadOnlyStringWrapper;
import javafx.beans.property.SimpleObjectProperty;
import javafx.beans.property.SimpleStringProperty;
import javafx.beans.property.StringProperty;
import javafx.collections.FXCollections;
import javafx.collections.ObservableList;
import javafx.collections.transformation.FilteredList;
import org.inferometer.options.Access;
import org.inferometer.options.Selection;
import org.inferometer.run.ExperimentListener;
import org.inferometer.suite.Suite;
import org.inferometer.suite.SuiteFile;
import org.inferometer.suite.SuiteFile.ExperimentFile;
import org.inferometer.suite.SuiteFile.TestFile;
import org.inferometer.suite.figures.SuiteMatrix;
import org.inferometer.suite.figures.SuiteMatrix.Figure;
import org.inferometer.suite.mapping.MappedTest;
import org.inferometer.suite.mapping.Measuring;
import org.inferometer.suite.mapping.TestMapping;
import org.inferometer.suite.mapping.TestPlatform;
import org.inferometer.suite.mapping.TestPlatform.Endpoint;
import org.inferometer.suite.mapping.TestPlatform.OwnEngine;
import org.inferometer.suite.running.LocalSite;
import org.inferometer.suite.running.SessionFolder;
import org.inferometer.suite.running.SessionPlanner;
import org.inferometer.suite.running.SessionRecords;
import org.inferometer.suite.running.SessionTest;
import org.inferometer.suite.running.SuiteListener;
import org.inferometer.suite.running.SuiteRunner;
import org.inferometer.suite.running.SuiteSession;
import org.inferometer.suite.running.TestLog;
import org.inferometer.ui.fx.BackgroundWork;
import org.inferometer.ui.fx.ErrorText;
import org.inferometer.ui.fx.Notifier;
import org.inferometer.ui.fx.WindowWork;
import org.jspecify.annotations.Nullable;

/// State of the Suites view. Belongs to the UI thread.
public final class SuitesViewModel {
    private static final int WARM_UP = 4;
    private static final long SEED = 42;

    private final SuiteServices services;
    private final BackgroundWork work;
    private final Notifier notices;
    private final ObservableList<SuiteRow> all = FXCollections.observableArrayList();
    private final FilteredList<SuiteRow> rows = new FilteredList<>(all);
    private final ObservableList<String> engines = FXCollections.observableArrayList();
    private final ReadOnlyObjectWrapper<@Nullable Suite> suite = new ReadOnlyObjectWrapper<>();
    private final ObjectProperty<@Nullable SuiteRow> selected = new SimpleObjectProperty<>();
    private final StringProperty filter = new SimpleStringProperty("");
    private final ObjectProperty<Boolean> onServer = new SimpleObjectProperty<>(false);
    private final ObjectProperty<@Nullable String> engine = new SimpleObjectProperty<>();
    private final StringProperty target = new SimpleStringProperty("http:url=http://127.0.0.1:8000");
    private final ObjectProperty<Integer> runs = new SimpleObjectProperty<>(1);
    private final ReadOnlyObjectWrapper<@Nullable SuiteSession> session = new ReadOnlyObjectWrapper<>();
    private final ReadOnlyObjectWrapper<Map<Figure, SuiteMatrix>> matrices = new ReadOnlyObjectWrapper<>(Map.of());
    private final ReadOnlyBooleanWrapper loading = new ReadOnlyBooleanWrapper();
    private final ReadOnlyBooleanWrapper running = new ReadOnlyBooleanWrapper();
    private final ReadOnlyStringWrapper problem = new ReadOnlyStringWrapper("");
    private final Map<String, SessionTest> byId = new HashMap<>();
    private @Nullable SessionFolder folder;
    private @Nullable SuiteRunner runner;
    private String current = "";
    private boolean begunHere;

    public SuitesViewModel(SuiteServices services, BackgroundWork work, Notifier notices) {
        this.services = services;
        this.work = work;
        this.notices = notices;
        filter.addListener((observed, before, now) -> {
            rows.setPredicate(row -> row.matches(now));
            if (selected.get() == null || !rows.contains(selected.get())) {
                selected.set(rows.isEmpty() ? null : rows.getFirst());
            }
        });
    }

    /// Files that match the filter, by path.
    ObservableList<SuiteRow> rows() {
        return rows;
    }

    /// All files, by path.
    ObservableList<SuiteRow> all() {
        return all;
    }

    /// Engines that tests can run on.
    ObservableList<String> engines() {
        return engines;
    }

    /// The open suite; null for none.
    public ReadOnlyObjectProperty<@Nullable Suite> suite() {
        return suite.getReadOnlyProperty();
    }

    /// The file that is shown; null for none.
    ObjectProperty<@Nullable SuiteRow> selected() {
        return selected;
    }

    /// Text that id or load must have; the tests that have it are run.
    StringProperty filter() {
        return filter;
    }

    /// Whether tests run on a server, not on an engine.
    ObjectProperty<Boolean> onServer() {
        return onServer;
    }

    /// The engine that tests run on; null for none.
    ObjectProperty<@Nullable String> engine() {
        return engine;
    }

    /// The server that tests run on, as on the command line.
    StringProperty target() {
        return target;
    }

    /// Repetitions of each load of a test configuration.
    ObjectProperty<Integer> runs() {
        return runs;
    }

    /// The session that runs or ran last; null for none.
    ReadOnlyObjectProperty<@Nullable SuiteSession> session() {
        return session.getReadOnlyProperty();
    }

    /// The figures of the session's complete tests; empty before one is complete.
    ReadOnlyObjectProperty<Map<Figure, SuiteMatrix>> matrices() {
        return matrices.getReadOnlyProperty();
    }

    /// Whether the suite is being read.
    ReadOnlyBooleanProperty loading() {
        return loading.getReadOnlyProperty();
    }

    /// Whether a session runs.
    public ReadOnlyBooleanProperty running() {
        return running.getReadOnlyProperty();
    }

    /// Why no suite is shown; empty otherwise.
    ReadOnlyStringProperty problem() {
        return problem.getReadOnlyProperty();
    }

    /// How far the test of a file is; empty if the last session does not have it.
    Optional<SessionTest> progress(SuiteRow row) {
        return Optional.ofNullable(byId.get(row.id()));
    }

    /// Whether the test of a file is running now.
    boolean isRunning(SuiteRow row) {
        return running.get() && current.equals(row.id());
    }

    /// Reads the names of the engines again.
    public void refreshEngines() {
        work.run(WindowWork.LIST_ENGINES, services.engines()::get, names -> {
            String before = engine.get();
            engines.setAll(names);
            engine.set(before != null && names.contains(before) ? before : names.isEmpty() ? null : names.getFirst());
        }, failure -> notices.problem(ErrorText.sentence(failure)));
    }

    /// Reads a folder and shows its files.
    public void open(Path chosen) {
        loading.set(true);
        problem.set("");
        Suite opened = new Suite(chosen);
        work.run(WindowWork.LIST_SUITE, () -> contents(opened), found -> {
            loading.set(false);
            suite.set(opened);
            selected.set(null);
            if (!running.get()) {
                folder = found.session().orElse(null);
                begunHere = false;
                show(found.state());
                showFigures();
            }
            all.setAll(found.rows());
            selected.set(rows.isEmpty() ? null : rows.getFirst());
        }, failure -> {
            loading.set(false);
            suite.set(null);
            all.clear();
            problem.set(ErrorText.sentence(failure));
        });
    }

    /// Reads the suite again.
    public void refresh() {
        Suite opened = suite.get();
        if (opened != null) {
            open(opened.folder());
        }
    }

    /// What a suite's folder holds, and its newest session, which may have been run on the command line.
    private record Contents(List<SuiteRow> rows, Optional<SessionFolder> session, @Nullable SuiteSession state) {}

    private Contents contents(Suite opened) throws IOException {
        Optional<SessionFolder> latest = SessionFolder.latest(services.sessions(), opened.folder());
        return new Contents(read(opened), latest, latest.isPresent() ? latest.get().read() : null);
    }

    /// Reads the logs of a file's test; none if it has not begun.
    void readLogs(SuiteRow row, Consumer<List<TestLog>> logs) {
        SessionFolder now = folder;
        Optional<SessionTest> test = progress(row);
        if (now == null || test.isEmpty()) {
            logs.accept(List.of());
            return;
        }
        work.run(WindowWork.OWN, () -> TestLog.ends(now.of(test.get())), logs,
                failure -> notices.problem(ErrorText.sentence(failure)));
    }

    private List<SuiteRow> read(Suite opened) throws IOException {
        SessionPlanner names = new SessionPlanner(opened, null, services.sessions(), services.clock());
        List<SuiteRow> found = new ArrayList<>();
        for (SuiteFile file : opened.files()) {
            String content = Files.isRegularFile(file.file())
                    ? new String(Files.readAllBytes(file.file()), StandardCharsets.UTF_8) : "";
            found.add(new SuiteRow(file, names.id(file), opened.shown(file.file()), content));
        }
        return found;
    }

    /// What a test becomes on the chosen platform; empty for other files, or without a platform.
    Optional<MappedTest> mapped(SuiteRow row) {
        return row.file() instanceof TestFile test && !row.isRefused() ? mapping().map(chosen -> chosen.of(test))
                : Optional.empty();
    }

    private Optional<TestMapping> mapping() {
        String name = engine.get();
        Optional<TestPlatform> platform = Optional.empty();
        if (onServer.get()) {
            platform = selection(target.get()).map(Endpoint::new);
        } else if (name != null) {
            platform = Optional.of(new OwnEngine(name, Selection.of("host")));
        }
        return platform.map(chosen -> new TestMapping(chosen, new Measuring(runs.get(), WARM_UP, SEED)));
    }

    private static Optional<Selection> selection(String text) {
        try {
            return text.isBlank() ? Optional.empty() : Optional.of(Selection.parse(text.strip()));
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    /// Why nothing can be run now; empty if it can.
    String cannotRun() {
        if (rows.isEmpty()) {
            return text("suites.no-tests");
        }
        boolean tests = rows.stream().anyMatch(row -> row.file() instanceof TestFile);
        return tests && mapping().isEmpty() ? text(onServer.get() ? "suites.no-server" : "suites.no-engine") : "";
    }

    /// What the experiments of the shown files use outside the program, in sentences without an end; files of the suite are left out.
    List<String> accesses() {
        Set<String> deeds = new LinkedHashSet<>();
        for (SuiteRow row : rows) {
            if (row.file() instanceof ExperimentFile experiment && experiment.spec().isPresent()) {
                services.benchmarks().accesses(experiment.spec().orElseThrow()).stream()
                        .filter(access -> access.kind() != Access.Kind.FILE).map(Access::deed).forEach(deeds::add);
            }
        }
        return List.copyOf(deeds);
    }

    /// Runs the shown files, one after another.
    public void run() {
        Suite opened = suite.get();
        if (opened == null || running.get() || !cannotRun().isEmpty()) {
            return;
        }
        running.set(true);
        SessionPlanner planner =
                new SessionPlanner(opened, mapping().orElse(null), services.sessions(), services.clock());
        List<SuiteFile> files = rows.stream().map(SuiteRow::file).collect(Collectors.toList());
        work.run(WindowWork.OWN, () -> planner.plan(files, file -> true, "here"), this::follow, failure -> {
            running.set(false);
            notices.problem(ErrorText.sentence(failure));
        });
    }

    /// Whether the session can go on here: what it uses was approved in this window.
    boolean canResume() {
        SuiteSession now = session.get();
        return begunHere && !running.get() && now != null && !now.isEnded();
    }

    /// Goes on with the session that was stopped.
    public void resume() {
        SessionFolder stopped = folder;
        if (stopped != null && canResume()) {
            running.set(true);
            follow(stopped);
        }
    }

    /// Stops the running test; the session can go on later.
    public void stop() {
        SuiteRunner now = runner;
        if (now != null) {
            now.cancel();
        }
    }

    private void follow(SessionFolder planned) {
        folder = planned;
        begunHere = true;
        LocalSite site = new LocalSite(services.benchmarks(), new ExperimentListener() {}, services.clock());
        SuiteRunner begun = new SuiteRunner(planned, site, services.results(), new SuiteListener() {
            @Override
            public void testStarted(SuiteSession now, int index) {
                work.ui().run(() -> {
                    current = now.tests().get(index).id();
                    show(now);
                });
            }

            @Override
            public void testEnded(SuiteSession now, int index) {
                work.ui().run(() -> {
                    current = "";
                    show(now);
                });
            }

            @Override
            public void message(String text) {
                work.ui().run(() -> notices.problem(text));
            }
        }, services.clock());
        runner = begun;
        begun.start().whenComplete((ended, failure) -> work.ui().run(() -> {
            running.set(false);
            if (failure == null) {
                show(ended);
                // Not while a test is measured.
                showFigures();
                notices.done(text("suites.ended", ended.count(SessionTest.State.COMPLETE), ended.tests().size()));
            } else {
                notices.problem(ErrorText.sentence(failure));
            }
        }));
    }

    private void show(@Nullable SuiteSession now) {
        byId.clear();
        if (now != null) {
            now.tests().forEach(test -> byId.put(test.id(), test));
        }
        session.set(now);
    }

    private void showFigures() {
        SuiteSession now = session.get();
        if (now == null) {
            matrices.set(Map.of());
        } else {
            work.run(WindowWork.OPEN_RESULT, () -> matrices(now), matrices::set,
                    unread -> notices.problem(ErrorText.sentence(unread)));
        }
    }

    private Map<Figure, SuiteMatrix> matrices(SuiteSession now) throws IOException {
        return SuiteMatrix.of(new SessionRecords(services.results()).of(now));
    }

    /// The record of a test; empty if it has none.
    Optional<Path> record(SuiteRow row) {
        return progress(row).filter(test -> !test.results().isEmpty())
                .map(test -> services.results().resolve(test.results().getFirst()));
    }
}
