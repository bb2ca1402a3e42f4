package org.inferometer.ui.shell;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import javafx.scene.Node;
import org.inferometer.engine.build.EngineEntry;
import org.inferometer.experiment.ExperimentSpec;
import org.inferometer.experiment.PlanException;
import org.inferometer.experiment.PlanFault;
import org.inferometer.options.Access;
import org.inferometer.run.BenchmarkService;
import org.inferometer.run.ExperimentListener;
import org.inferometer.run.RunningExperiment;
import org.inferometer.ui.bench.BenchViewModel;
import org.inferometer.ui.designer.DesignerServices;
import org.inferometer.ui.fx.Notifier;
import org.inferometer.ui.fx.Settings;
import org.inferometer.ui.fx.UiThread;
import org.inferometer.ui.machines.OtherMachines;
import org.inferometer.ui.suites.SuitesView;
import org.inferometer.ui.suites.SuitesView.BenchExperiment;
import org.inferometer.ui.suites.SuitesViewModel;
import org.inferometer.ui.suites.SuitesViewModel.SuiteServices;
import org.inferometer.ui.suites.SuitesViewModel.SuiteServices.SuitePlaces;

/// The Suites view of the window. Belongs to the JavaFX thread.
final class SuitesPane {
    private static final String FOLDER = "suite-folder";
    private final SuitesViewModel model;
    private final SuitesView view;
    private final Settings settings;
    private final Node node;
    private boolean read;

    SuitesPane(DesktopServices window, OtherMachines machines, BenchViewModel bench,
            DesktopWindow.WindowContext context, Notifier notices, Runnable showBench, Consumer<Path> open) {
        this.settings = window.settings();
        DesignerServices services = window.designer();
        Path results = window.results().folder();
        UiThread ui = context.work().ui();
        SuitePlaces places = new SuitePlaces(new ShownInBench(services.benchmarks(), "", bench, ui), machines,
                machine -> new ShownInBench(machines.benchmarks(machine), machine.label(), bench, ui),
                window.machines()::slurm, window.machines()::jobs, window.machines().environment());
        model = new SuitesViewModel(new SuiteServices(places,
                () -> services.engines().get().stream()
                        .sorted(Comparator.comparing(entry -> entry.state() != EngineEntry.State.BUILT))
                        .map(EngineEntry::name).toList(),
                results.resolveSibling("suites"), results, window.clock()), context.work(), notices);
        view = new SuitesView(model, context.dialogs(), context.questions(), new BenchExperiment() {
            @Override
            public void edit(ExperimentSpec experiment) {
                bench.designer().load(experiment);
                showBench.run();
            }

            @Override
            public Optional<ExperimentSpec> edited() {
                return bench.designer().spec();
            }
        }, open);
        node = view.createView();
        model.suite().addListener((observed, before, now) -> {
            if (now != null) {
                settings.put(FOLDER, now.folder().toAbsolutePath().toString());
            }
        });
    }

    /// Starts each experiment in Bench, which shows it.
    ///
    /// @param elsewhere the other machine; empty for this one
    private record ShownInBench(BenchmarkService service, String elsewhere, BenchViewModel bench,
            UiThread ui) implements BenchmarkService {
        @Override
        public List<PlanFault> check(ExperimentSpec spec) {
            return service.check(spec);
        }

        @Override
        public List<Access> accesses(ExperimentSpec spec) {
            return service.accesses(spec);
        }

        @Override
        public Estimate estimate(ExperimentSpec spec) {
            return service.estimate(spec);
        }

        @Override
        public RunningExperiment start(ExperimentSpec spec, ExperimentListener listener) throws PlanException {
            List<PlanFault> faults = service.check(spec);
            if (!faults.isEmpty()) {
                throw new PlanException(faults);
            }
            CompletableFuture<RunningExperiment> begun = new CompletableFuture<>();
            ui.run(() -> bench.startWhenIdle(spec, service, elsewhere).whenComplete((running, failure) -> {
                if (running == null) {
                    begun.cancel(false);
                } else {
                    begun.complete(running);
                }
            }));
            try {
                return begun.join();
            } catch (CancellationException e) {
                throw new PlanException(List.of(new PlanFault(spec.name(), "It did not start. Bench says why.")));
            }
        }
    }

    Node node() {
        return node;
    }

    SuitesViewModel model() {
        return model;
    }

    /// Reads the engines, and the suite of the last session, when the view is first shown.
    void setShowing(boolean shown) {
        if (shown && !read) {
            read = true;
            model.refreshEngines();
            settings.get(FOLDER).map(Path::of).filter(Files::isDirectory).ifPresent(model::open);
        }
    }

    void focusFirst() {
        view.focusFirst();
    }

    void find() {
        view.find();
    }
}
