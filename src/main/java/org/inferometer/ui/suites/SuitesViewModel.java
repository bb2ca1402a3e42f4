package org.inferometer.ui.suites;

import static org.inferometer.ui.fx.Messages.text;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import javafx.beans.property.ReadOnlyBooleanWrapper;
import javafx.beans.property.ReadOnlyObjectProperty;
import javafx.beans.property.ReadOnlyObjectWrapper;
import org.inferometer.run.BenchmarkService;
import org.inferometer.suite.Suite;
import org.inferometer.suite.SuiteFile;
import org.inferometer.suite.SuiteFile.TestFile;
import org.inferometer.suite.mapping.MappedTest;
import org.inferometer.suite.running.SessionFolder;
import org.inferometer.suite.running.SessionPlanner;
import org.inferometer.suite.running.SlurmSettings;
import org.inferometer.suite.running.SuiteSession;
import org.inferometer.suite.running.TestAccess;
import org.inferometer.suite.slurm.JobRequest.Allocation;
import org.inferometer.suite.slurm.Slurm;
import org.inferometer.ui.fx.BackgroundWork;
import org.inferometer.ui.fx.ErrorText;
import org.inferometer.ui.fx.ListViewModel;
import org.inferometer.ui.fx.Notifier;
import org.inferometer.ui.fx.WindowWork;
import org.inferometer.ui.machines.OtherMachines;
import org.inferometer.ui.machines.OtherMachines.OtherMachine;
import org.inferometer.ui.suites.PlaceViewModel.JobField;
import org.inferometer.ui.suites.PlaceViewModel.SuitePlace;
import org.inferometer.ui.suites.PlatformViewModel.Kind;
import org.inferometer.ui.suites.SessionViewModel.StartNeeds;
import org.inferometer.ui.suites.SessionViewModel.SuiteApproval;
import org.inferometer.units.Clock;
import org.inferometer.units.EnvironmentVariables;
import org.jspecify.annotations.Nullable;

/// State of the Suites view: the files of a suite, and what they run on. Belongs to the UI thread.
public final class SuitesViewModel extends ListViewModel<SuiteRow> {
    private final SuiteServices services;
    private final BackgroundWork work;
    private final Notifier notices;
    private final ReadOnlyObjectWrapper<@Nullable Suite> suite = new ReadOnlyObjectWrapper<>();
    private final PlatformViewModel platform;
    private final PlaceViewModel place;
    private final SessionViewModel session;
    private final EditViewModel edits;
    private final ReadOnlyBooleanWrapper asking = new ReadOnlyBooleanWrapper();

    public SuitesViewModel(SuiteServices services, BackgroundWork work, Notifier notices) {
        super(SuiteRow::matches);
        this.services = services;
        this.work = work;
        this.notices = notices;
        platform = new PlatformViewModel(services.places().environment());
        place = new PlaceViewModel(services);
        session = new SessionViewModel(services, place, work, notices);
        edits = new EditViewModel(work, notices, this::reread);
        place.onEngines(this::refreshEngines);
        filter().addListener((observed, before, now) -> {
            if (selected().get() == null || !rows().contains(selected().get())) {
                selected().set(rows().isEmpty() ? null : rows().getFirst());
            }
        });
    }

    /// The open suite; null for none.
    public ReadOnlyObjectProperty<@Nullable Suite> suite() {
        return suite.getReadOnlyProperty();
    }

    /// What tests run on.
    PlatformViewModel platform() {
        return platform;
    }

    /// Where they run.
    PlaceViewModel place() {
        return place;
    }

    /// The session that runs or ran last.
    public SessionViewModel session() {
        return session;
    }

    /// Changes of its files.
    EditViewModel edits() {
        return edits;
    }

    /// Reads the names of the engines at the chosen place again.
    public void refreshEngines() {
        Supplier<List<String>> names = place.engines();
        work.run(WindowWork.LIST_ENGINES, names::get, platform::offer,
                failure -> notices.problem(ErrorText.sentence(failure)));
    }

    /// Reads a folder and shows its files. While a session runs, only its own suite can be open.
    public void open(Path chosen) {
        Suite now = suite.get();
        if (session.running().get() && now != null && !now.folder().equals(chosen)) {
            notices.problem(text("suites.busy", now.folder()));
            return;
        }
        open(chosen, null);
    }

    /// @param file is selected then
    private void open(Path chosen, @Nullable Path file) {
        begin();
        Suite opened = new Suite(chosen);
        work.run(WindowWork.LIST_SUITE, () -> contents(opened), found -> {
            suite.set(opened);
            selected().set(null);
            session.open(found.session().orElse(null), found.state());
            show(found.rows(), row -> row.file().file().equals(file));
        }, failure -> {
            suite.set(null);
            all().clear();
            fail(ErrorText.sentence(failure));
        });
    }

    /// Reads the suite again.
    public void refresh() {
        SuiteRow row = selected().get();
        reread(row == null ? null : row.file().file());
    }

    private void reread(@Nullable Path file) {
        Suite opened = suite.get();
        if (opened != null) {
            open(opened.folder(), file);
        }
    }

    /// What a suite's folder holds, and its newest session, which may have been run on the command line.
    private record Contents(List<SuiteRow> rows, Optional<SessionFolder> session, @Nullable SuiteSession state) {}

    private Contents contents(Suite opened) throws IOException {
        Optional<SessionFolder> latest = SessionFolder.latest(services.sessions(), opened.folder());
        return new Contents(read(opened), latest, latest.isPresent() ? latest.get().read() : null);
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
        return row.file() instanceof TestFile test && !row.isRefused()
                ? platform.mapping().map(chosen -> chosen.of(test)) : Optional.empty();
    }

    /// Why nothing can be run now; empty if it can.
    String cannotRun() {
        if (rows().isEmpty()) {
            return text("suites.no-tests");
        }
        boolean tests = rows().stream().anyMatch(row -> row.file() instanceof TestFile);
        String lacking = tests ? platform.lacking() : "";
        return lacking.isEmpty() ? place.cannotRun(tests && platform.kind().get() == Kind.TRTLLM) : lacking;
    }

    /// Runs the shown files, one after another, after approval of what they use outside the program. Files of the suite need none.
    ///
    /// @param approval also asked before a large build
    public void run(SuiteApproval approval) {
        Suite opened = suite.get();
        if (opened == null || !cannotRun().isEmpty() || asking.get()) {
            return;
        }
        asking.set(true);
        List<SuiteFile> files = rows().stream().map(SuiteRow::file).toList();
        SuitePlace where = place.chosen().get();
        boolean ownOptions = where instanceof SuitePlace.Cluster && place.job(JobField.EXTRA).get().isBlank();
        SessionPlanner planner =
                new SessionPlanner(opened, platform.mapping().orElse(null), services.sessions(), services.clock());
        BenchmarkService service = place.service(where);
        work.run(WindowWork.OWN,
                () -> StartNeeds.of(TestAccess.of(planner, files, ownOptions, service), opened.folder(), service),
                needs -> {
                    asking.set(false);
                    if (needs.approvedBy(approval)) {
                        Supplier<Allocation> said = place.requested(where);
                        session.begin(() -> planner.plan(files, where.site(), said.get()), where);
                    }
                }, failure -> {
                    asking.set(false);
                    notices.problem(ErrorText.sentence(failure));
                });
    }

    /// What suites are run with.
    ///
    /// @param places where tests can run
    /// @param engines names of engines of this machine, built ones first; called in the background
    /// @param sessions folder of sessions
    /// @param results folder of records
    public record SuiteServices(SuitePlaces places, Supplier<List<String>> engines, Path sessions, Path results,
            Clock clock) {
        /// Where the tests of suites can run.
        ///
        /// @param here runs experiments on this machine, one at a time
        /// @param others the other machines
        /// @param there runs experiments on one of them
        /// @param slurm the cluster that this machine submits to; called in the background
        /// @param jobs how tests become jobs, before a user says more; throws [IllegalArgumentException] if a variable is broken
        /// @param environment variables that replace fields of a test
        public record SuitePlaces(BenchmarkService here, OtherMachines others,
                Function<OtherMachine, BenchmarkService> there, Supplier<Slurm> slurm, Supplier<SlurmSettings> jobs,
                EnvironmentVariables environment) {}
    }
}
