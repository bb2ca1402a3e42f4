package org.inferometer.ui.suites;

import static org.inferometer.ui.fx.Messages.text;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import javafx.beans.property.ObjectProperty;
import javafx.beans.property.SimpleObjectProperty;
import javafx.beans.property.SimpleStringProperty;
import javafx.beans.property.StringProperty;
import javafx.collections.FXCollections;
import javafx.collections.ListChangeListener;
import javafx.collections.ObservableList;
import org.inferometer.engine.build.EngineEntry;
import org.inferometer.remote.RemoteMachine;
import org.inferometer.remote.RemoteMachine.OfferedEngine;
import org.inferometer.run.BenchmarkService;
import org.inferometer.run.ExperimentListener;
import org.inferometer.suite.running.LocalSite;
import org.inferometer.suite.running.SlurmSettings;
import org.inferometer.suite.running.SlurmSite;
import org.inferometer.suite.running.SuiteRunner.SuiteListener;
import org.inferometer.suite.running.SuiteSession;
import org.inferometer.suite.running.TestSite;
import org.inferometer.suite.slurm.JobRequest.Allocation;
import org.inferometer.ui.machines.OtherMachines.OtherMachine;
import org.inferometer.ui.suites.PlaceViewModel.SuitePlace.Cluster;
import org.inferometer.ui.suites.PlaceViewModel.SuitePlace.Here;
import org.inferometer.ui.suites.PlaceViewModel.SuitePlace.Other;
import org.inferometer.ui.suites.SuitesViewModel.SuiteServices;

/// The chosen place, and what jobs request there. Belongs to the UI thread.
final class PlaceViewModel {
    private final SuiteServices services;
    private final ObservableList<SuitePlace> places = FXCollections.observableArrayList();
    private final ObjectProperty<SuitePlace> chosen = new SimpleObjectProperty<>(new Here());
    private final Map<JobField, StringProperty> job = new EnumMap<>(JobField.class);

    /// What jobs request; an empty text leaves it to test and Slurm.
    enum JobField {
        PARTITION, ACCOUNT,
        /// Limit: "02:00:00".
        TIME,
        /// More options of sbatch.
        EXTRA
    }

    PlaceViewModel(SuiteServices services) {
        this.services = services;
        services.places().others().all().addListener((ListChangeListener<OtherMachine>) change -> list());
        list();
    }

    private void list() {
        List<SuitePlace> all = new ArrayList<>(List.of(new Here(), new Cluster()));
        services.places().others().all().forEach(machine -> all.add(new Other(machine)));
        SuitePlace before = chosen.get();
        places.setAll(all);
        chosen.set(all.contains(before) ? before : new Here());
    }

    /// Calls back when the chosen place says which engines it has.
    void onEngines(Runnable changed) {
        chosen.subscribe((before, now) -> {
            if (now instanceof Other(OtherMachine machine)
                    && !(machine.state().get() instanceof OtherMachine.State.Ready)) {
                services.places().others().ask(machine);
            }
            changed.run();
        });
        ObservableList<OtherMachine> machines = services.places().others().all();
        machines.addListener((ListChangeListener<OtherMachine>) change -> {
            while (change.next()) {
                change.getAddedSubList().forEach(added -> watch(added, changed));
            }
        });
        machines.forEach(machine -> watch(machine, changed));
    }

    private void watch(OtherMachine machine, Runnable changed) {
        machine.state().addListener((observed, before, now) -> {
            if (now instanceof OtherMachine.State.Ready && chosen.get().equals(new Other(machine))) {
                changed.run();
            }
        });
    }

    /// The places to choose from.
    ObservableList<SuitePlace> places() {
        return places;
    }

    /// The chosen place.
    ObjectProperty<SuitePlace> chosen() {
        return chosen;
    }

    /// Whether jobs are submitted.
    boolean isCluster() {
        return chosen.get() instanceof Cluster;
    }

    /// What the user requests for jobs.
    StringProperty job(JobField field) {
        return job.computeIfAbsent(field, each -> new SimpleStringProperty(""));
    }

    /// The place of a session; empty if its machine is not in the list.
    Optional<SuitePlace> of(SuiteSession session) {
        return places.stream().filter(place -> place.site().equals(session.site())).findFirst();
    }

    /// The service that tells what experiments use; on a cluster that of this machine.
    BenchmarkService service(SuitePlace place) {
        return place instanceof Other(OtherMachine machine) ? services.places().there().apply(machine)
                : services.places().here();
    }

    /// Lists the engines of the chosen place. Called on the UI thread; the supplier in the background.
    Supplier<List<String>> engines() {
        if (chosen.get() instanceof Other(OtherMachine machine)
                && machine.state().get() instanceof OtherMachine.State.Ready(RemoteMachine offer)) {
            List<String> there = offer.engines().stream()
                    .sorted(Comparator.comparing(engine -> engine.state() != EngineEntry.State.BUILT))
                    .map(OfferedEngine::name).toList();
            return () -> there;
        }
        return services.engines();
    }

    /// Runs tests at a place. Called on the UI thread; the supplier in the background.
    ///
    /// @return throws [IllegalArgumentException] in a sentence if the environment's settings of jobs are broken
    Supplier<TestSite> site(SuitePlace place, SuiteListener listener) {
        if (place instanceof Cluster) {
            return cluster(listener, UnaryOperator.identity())::get;
        }
        BenchmarkService service = service(place);
        return () -> new LocalSite(service, new ExperimentListener() {});
    }

    /// The cluster whose jobs have ended, as [#site].
    Supplier<SlurmSite> endedJobs(SuiteListener listener) {
        return cluster(listener, SlurmSettings::lookingAtOnce);
    }

    /// What the jobs of a place request. Called on the UI thread; the supplier in the background.
    Supplier<Allocation> requested(SuitePlace where) {
        if (!(where instanceof Cluster)) {
            return () -> Allocation.DEFAULT;
        }
        Supplier<SlurmSettings> settings = settings();
        return () -> settings.get().allocation();
    }

    private Supplier<SlurmSettings> settings() {
        String partition = job(JobField.PARTITION).get();
        String account = job(JobField.ACCOUNT).get();
        String time = job(JobField.TIME).get();
        String extra = job(JobField.EXTRA).get();
        return () -> services.places().jobs().get().requesting(partition, account, time, extra);
    }

    private Supplier<SlurmSite> cluster(SuiteListener listener, UnaryOperator<SlurmSettings> change) {
        Supplier<SlurmSettings> settings = settings();
        return () -> new SlurmSite(services.places().slurm().get(), change.apply(settings.get()), services.results(),
                listener, services.clock());
    }

    /// Why tests cannot run at the chosen place; empty if they can.
    ///
    /// @param onNodes whether servers are started on the nodes of a job
    String cannotRun(boolean onNodes) {
        return onNodes && !isCluster() ? text("suites.needs-slurm") : "";
    }

    /// Where the tests of a suite run.
    sealed interface SuitePlace {
        /// This machine.
        record Here() implements SuitePlace {}

        /// Jobs of the Slurm that this machine submits to.
        record Cluster() implements SuitePlace {}

        /// A machine that ssh reaches.
        record Other(OtherMachine machine) implements SuitePlace {}

        /// Its name in lists.
        default String label() {
            return switch (this) {
                case Here here -> text("suites.place-here");
                case Cluster cluster -> text("suites.place-slurm");
                case Other(OtherMachine machine) -> machine.label();
            };
        }

        /// Its name in sessions.
        default String site() {
            return switch (this) {
                case Here here -> LocalSite.NAME;
                case Cluster cluster -> SlurmSite.NAME;
                case Other(OtherMachine machine) -> machine.host().written();
            };
        }
    }
}
