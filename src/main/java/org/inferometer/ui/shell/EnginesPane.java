package org.inferometer.ui.shell;

import static org.inferometer.ui.fx.Messages.text;

import javafx.scene.Node;
import org.inferometer.options.Selection;
import org.inferometer.quality.QualityProcess;
import org.inferometer.ui.bench.BenchViewModel;
import org.inferometer.ui.designer.DesignerServices;
import org.inferometer.ui.designer.EngineChoices.EngineChoice;
import org.inferometer.ui.engines.CalibrationDialog;
import org.inferometer.ui.engines.EnginesView;
import org.inferometer.ui.engines.EnginesViewModel;
import org.inferometer.ui.engines.EnginesViewModel.EngineSource;
import org.inferometer.ui.engines.PromptViewModel;
import org.inferometer.ui.fx.Notifier;
import org.inferometer.ui.fx.TextClipboard;
import org.inferometer.ui.servers.KnownServers;
import org.inferometer.ui.servers.ServersPane;

/// The Engines view of the window. Belongs to the JavaFX thread.
final class EnginesPane {
    private final EnginesViewModel model;
    private final EnginesView view;
    private final BenchViewModel bench;
    private final Runnable showBench;
    private final Node node;
    private boolean read;

    EnginesPane(DesktopServices window, BenchViewModel bench, DesktopWindow.WindowContext context, Notifier notices,
            Runnable showBench) {
        DesignerServices services = window.designer();
        KnownServers servers = new KnownServers(window.machines()::probe, window.settings(), context.work());
        this.bench = bench;
        this.showBench = showBench;
        model = new EnginesViewModel(new EngineSource(services.engines(), services.engineFolder()), context.work(),
                notices, new QualityProcess(window.prompts().program(), window.prompts().workspace()), window.clock(),
                bench::refreshEngines);
        view = new EnginesView(model, context.dialogs(),
                new CalibrationDialog(context.dialogs(), context.work(), context.appearance()::dress),
                context.questions(), bench.state().map(state -> state.isRunning() ? text("unavailable.running") : ""),
                this::design, command -> {
                    TextClipboard.copy(command);
                    notices.done(text("engines.copied", command));
                }, new ServersPane(servers, this::design).createView(),
                new PromptViewModel(window.prompts(), context.work()));
        node = view.createView();
    }

    /// Selects the engine alone in the designer.
    private void design(String engine) {
        for (EngineChoice choice : bench.designer().engines().all()) {
            choice.selected().set(choice.name().equals(engine));
        }
        showBench.run();
    }

    /// Measures a server beside what the designer has.
    private void design(Selection server) {
        bench.designer().addTarget(server);
        showBench.run();
    }

    Node node() {
        return node;
    }

    /// Reads the engines when the view is first shown.
    void setShowing(boolean shown) {
        if (shown && !read) {
            read = true;
            model.refresh();
        }
    }

    void focusFirst() {
        view.focusFirst();
    }

    void find() {
        view.find();
    }
}
