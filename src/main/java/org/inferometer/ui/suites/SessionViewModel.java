package org.inferometer.ui.suites;

import static org.inferometer.ui.fx.Messages.counted;
import static org.inferometer.ui.fx.Messages.text;

import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import javafx.beans.property.ReadOnlyBooleanProperty;
import javafx.beans.property.ReadOnlyBooleanWrapper;
import javafx.beans.property.ReadOnlyObjectProperty;
import javafx.beans.property.ReadOnlyObjectWrapper;
import javafx.beans.property.ReadOnlyStringProperty;
import javafx.beans.property.ReadOnlyStringWrapper;
import org.inferometer.options.Access;
import org.inferometer.run.BenchmarkService;
import org.inferometer.suite.figures.SuiteMatrix;
import org.inferometer.suite.figures.SuiteMatrix.Figure;
import org.inferometer.suite.running.SessionFolder;
import org.inferometer.suite.running.SessionRecords;
import org.inferometer.suite.running.SessionTest;
import org.inferometer.suite.running.SessionTest.State;
import org.inferometer.suite.running.SlurmSite;
import org.inferometer.suite.running.SuiteRunner;
import org.inferometer.suite.running.SuiteRunner.SuiteListener;
import org.inferometer.suite.running.SuiteSession;
import org.inferometer.suite.running.TestAccess;
import org.inferometer.suite.running.TestLog;
import org.inferometer.suite.running.TestSite;
import org.inferometer.ui.fx.BackgroundWork;
import org.inferometer.ui.fx.ErrorText;
import org.inferometer.ui.fx.Notifier;
import org.inferometer.ui.fx.WindowWork;
import org.inferometer.ui.suites.PlaceViewModel.SuitePlace;
import org.inferometer.ui.suites.SuitesViewModel.SuiteServices;
import org.jspecify.annotations.Nullable;

/// The session of the open suite: begins it, stops it, goes on with it, and has its figures. Belongs to the UI thread.
public final class SessionViewModel {
    private static final System.Logger LOG = System.getLogger(SessionViewModel.class.getName());

    private final SuiteServices services;
    private final PlaceViewModel place;
    private final BackgroundWork work;
    private final Notifier notices;
    private final ReadOnlyObjectWrapper<@Nullable SuiteSession> session = new ReadOnlyObjectWrapper<>();
    private final ReadOnlyObjectWrapper<Map<Figure, SuiteMatrix>> matrices = new ReadOnlyObjectWrapper<>(Map.of());
    private final ReadOnlyBooleanWrapper running = new ReadOnlyBooleanWrapper();
    private final Map<String, SessionTest> byId = new HashMap<>();
    private @Nullable SessionFolder folder;
    private @Nullable SuiteRunner runner;
    private final ReadOnlyStringWrapper message = new ReadOnlyStringWrapper("");
    private String current = "";
    private boolean approved;
    private boolean cancelsJobs;
    private boolean stopAsked;
    private Runnable sessionEnded = () -> {};

    SessionViewModel(SuiteServices services, PlaceViewModel place, BackgroundWork work, Notifier notices) {
        this.services = services;
        this.place = place;
        this.work = work;
        this.notices = notices;
    }

    /// The session that runs or ran last; null for none.
    ReadOnlyObjectProperty<@Nullable SuiteSession> session() {
        return session.getReadOnlyProperty();
    }

    /// The figures of the session's complete tests; empty before one is complete.
    ReadOnlyObjectProperty<Map<Figure, SuiteMatrix>> matrices() {
        return matrices.getReadOnlyProperty();
    }

    /// Notifies one listener when a session has ended and its records are in the library.
    public void onEnded(Runnable listener) {
        sessionEnded = listener;
    }

    /// Whether a session runs.
    public ReadOnlyBooleanProperty running() {
        return running.getReadOnlyProperty();
    }

    /// What was said last of the running test: "job 12: RUNNING"; empty while none runs.
    ReadOnlyStringProperty message() {
        return message.getReadOnlyProperty();
    }

    /// How far a test is; empty if the session does not have it.
    Optional<SessionTest> progress(String id) {
        return Optional.ofNullable(byId.get(id));
    }

    /// Whether a test is running now; jobs say so by themselves.
    boolean isRunning(String id) {
        SuiteSession now = session.get();
        return running.get() && current.equals(id) && now != null && !now.isOnCluster();
    }

    /// Shows a session that was begun before; no effect while one runs.
    void open(@Nullable SessionFolder found, @Nullable SuiteSession state) {
        if (!running.get()) {
            folder = found;
            approved = false;
            show(state);
            showFigures();
        }
    }

    /// Plans a session in the background, then runs it at a place.
    void begin(Callable<SessionFolder> plan, SuitePlace where) {
        if (!running.get()) {
            prepare();
            work.run(WindowWork.OWN, plan, planned -> {
                approved = true;
                follow(planned, where, false);
            }, this::failed);
        }
    }

    /// From here on a stop is remembered until a test can be stopped.
    private void prepare() {
        runner = null;
        stopAsked = false;
        cancelsJobs = false;
        running.set(true);
    }

    private void failed(Throwable failure) {
        running.set(false);
        notices.problem(ErrorText.sentence(failure));
    }

    /// Whether tests wait that can go on here.
    boolean canResume() {
        SuiteSession now = session.get();
        return folder != null && !running.get() && now != null && !now.isEnded();
    }

    /// Whether the session has ended with tests that can begin again.
    boolean canRetry() {
        SuiteSession now = session.get();
        return folder != null && !running.get() && now != null && now.isEnded()
                && now.tests().stream().anyMatch(SessionTest::canBeginAgain);
    }

    /// Goes on with the session, or begins its failed tests again.
    ///
    /// @param approval asked for what its experiments use, unless this window began it
    void resume(SuiteApproval approval) {
        SessionFolder stopped = folder;
        SuiteSession now = session.get();
        boolean again = canRetry();
        if (stopped == null || now == null || !(again || canResume())) {
            return;
        }
        Optional<SuitePlace> where = place.of(now);
        if (where.isEmpty()) {
            notices.problem(text("suites.place-unknown", now.site()));
            return;
        }
        prepare();
        if (approved) {
            follow(stopped, where.get(), again);
            return;
        }
        BenchmarkService service = place.service(where.get());
        work.run(WindowWork.OWN,
                () -> StartNeeds.of(TestAccess.of(stopped, true, true, service), stopped.path(), service), needs -> {
                    if (needs.approvedBy(approval)) {
                        approved = true;
                        follow(stopped, where.get(), again);
                    } else {
                        running.set(false);
                    }
                }, this::failed);
    }

    /// Asks a person before tests run.
    public interface SuiteApproval {
        /// Whether what the experiments use is trusted.
        ///
        /// @param phrases sentences without an end
        boolean trusts(List<String> phrases);

        /// Whether engines are built first.
        default boolean builds(long bytes) {
            return false;
        }
    }

    /// What tests need an approval for.
    ///
    /// @param phrases what they use, each once; without files of their folder
    /// @param buildBytes of the engines that they build first
    record StartNeeds(List<String> phrases, long buildBytes) {
        static StartNeeds of(List<TestAccess> used, Path folder, BenchmarkService service) {
            return new StartNeeds(used.stream().flatMap(test -> test.accesses().stream())
                    .filter(access -> !access.isFileIn(folder)).map(Access::phrase).distinct().toList(),
                    TestAccess.buildBytes(used, service));
        }

        boolean approvedBy(SuiteApproval approval) {
            return (phrases.isEmpty() || approval.trusts(phrases))
                    && (buildBytes <= BenchmarkService.LARGE_BUILD_BYTES || approval.builds(buildBytes));
        }
    }

    /// Stops the running test, or the wait for jobs, which stay on the cluster; the session can go on later.
    public void stop() {
        stopAsked = true;
        SuiteRunner now = runner;
        if (now != null) {
            now.cancel();
        }
    }

    /// As [#stop]; the jobs are cancelled.
    void stopAndCancelJobs() {
        cancelsJobs = true;
        stop();
    }

    private void follow(SessionFolder planned, SuitePlace where, boolean again) {
        folder = planned;
        if (stopAsked) {
            work.run(WindowWork.OWN, planned::read, this::ended, this::failed);
            return;
        }
        SuiteListener listener = listener(planned);
        Supplier<TestSite> site = place.site(where, listener);
        Supplier<SlurmSite> jobs = place.endedJobs(listener);
        SuiteRunner begun;
        try {
            begun = new SuiteRunner(planned, site.get(), services.results(), listener, services.clock());
        } catch (IllegalArgumentException e) {
            failed(e);
            return;
        }
        runner = begun;
        begun.start(again).whenComplete((ended, failure) -> work.ui().run(() -> {
            if (failure != null) {
                failed(failure);
            } else if (cancelsJobs && ended.isOnCluster()) {
                work.run(WindowWork.OWN, () -> {
                    SlurmSite cluster = jobs.get();
                    cluster.cancelJobs(planned);
                    return new SuiteRunner(planned, cluster, services.results(), listener, services.clock()).collect();
                }, this::ended, this::failed);
            } else {
                ended(ended);
            }
        }));
    }

    private void ended(SuiteSession ended) {
        running.set(false);
        message.set("");
        show(ended);
        // Not while a test is measured.
        showFigures();
        sessionEnded.run();
        SessionEnd end = SessionEnd.of(ended, ended.isOnCluster() && !cancelsJobs);
        if (end.success()) {
            notices.done(end.sentence());
        } else {
            notices.problem(end.sentence());
        }
    }

    private static Optional<SuiteSession> readable(SessionFolder planned) {
        try {
            return Optional.of(planned.read());
        } catch (IOException e) {
            LOG.log(System.Logger.Level.DEBUG, "The session cannot be read now", e);
            return Optional.empty();
        }
    }

    private SuiteListener listener(SessionFolder planned) {
        return new SuiteListener() {
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
                    message.set("");
                    show(now);
                });
            }

            @Override
            public void message(String text) {
                // Jobs change between the begin and the end of a test.
                Optional<SuiteSession> now = readable(planned);
                work.ui().run(() -> {
                    message.set(text.strip());
                    now.ifPresent(SessionViewModel.this::show);
                });
            }
        };
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
            work.run(WindowWork.OPEN_RESULT, () -> SuiteMatrix.of(new SessionRecords(services.results()).of(now)),
                    matrices::set, unread -> notices.problem(ErrorText.sentence(unread)));
        }
    }

    /// Reads the logs of a test; none if it has not begun.
    void readLogs(String id, Consumer<List<TestLog>> logs) {
        SessionFolder now = folder;
        Optional<SessionTest> test = progress(id);
        if (now == null || test.isEmpty()) {
            logs.accept(List.of());
            return;
        }
        work.run(WindowWork.OWN, () -> TestLog.ends(now.of(test.get())), logs,
                failure -> notices.problem(ErrorText.sentence(failure)));
    }

    /// The record of a test; empty if it has none.
    Optional<Path> record(String id) {
        return progress(id).filter(test -> !test.results().isEmpty())
                .map(test -> services.results().resolve(test.results().getFirst()));
    }

    /// How a session ended, for a notice: how many tests are complete, and which are not.
    ///
    /// @param success whether no test failed or was blocked
    private record SessionEnd(String sentence, boolean success) {
        private static final int MOST_NAMES = 3;

        /// @param jobsGoOn whether its jobs stay on the cluster
        static SessionEnd of(SuiteSession session, boolean jobsGoOn) {
            String key = session.isEnded() ? "suites.ended" : jobsGoOn ? "suites.stopped-jobs" : "suites.stopped";
            StringBuilder sentence = new StringBuilder(
                    text(key, session.count(State.COMPLETE), counted("suites.tests", session.tests().size())));
            for (State state : List.of(State.FAILED, State.BLOCKED, State.CANCELLED)) {
                List<String> ids =
                        session.tests().stream().filter(test -> test.state() == state).map(SessionTest::id).toList();
                if (!ids.isEmpty()) {
                    sentence.append(' ').append(text("suites.ended-names",
                            text("suites.state-" + state.name().toLowerCase(Locale.ROOT)), names(ids)));
                }
            }
            return new SessionEnd(sentence.toString(),
                    session.count(State.FAILED) == 0 && session.count(State.BLOCKED) == 0);
        }

        /// "a, b, c and 4 more".
        private static String names(List<String> ids) {
            String first = ids.stream().limit(MOST_NAMES).collect(Collectors.joining(", "));
            return ids.size() <= MOST_NAMES ? first : text("suites.ended-more", first, ids.size() - MOST_NAMES);
        }
    }
}
