package org.inferometer.ui.bench;

import static org.inferometer.ui.fx.Messages.counted;
import static org.inferometer.ui.fx.Messages.text;

import atlantafx.base.theme.Styles;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javafx.beans.value.ObservableValue;
import javafx.scene.Node;
import javafx.scene.control.Button;
import javafx.scene.control.Label;
import javafx.scene.layout.BorderPane;
import javafx.scene.layout.StackPane;
import org.inferometer.ui.bench.LiveSnapshot.RunState;
import org.inferometer.ui.chart.ChartTools;
import org.inferometer.ui.designer.DesignerPane;
import org.inferometer.ui.fx.Buttons;
import org.inferometer.ui.fx.Chips;
import org.inferometer.ui.fx.ErrorText;
import org.inferometer.ui.fx.Labels;
import org.inferometer.ui.fx.Navigation;
import org.inferometer.ui.fx.Panes;
import org.inferometer.ui.fx.Questions;
import org.inferometer.ui.fx.Questions.Answer;
import org.inferometer.ui.results.ReportSaver;
import org.inferometer.ui.results.ReportSubject;
import org.inferometer.ui.servers.KnownServers;
import org.inferometer.ui.servers.MeasureServerCard;
import org.inferometer.ui.theme.StyleClasses;
import org.jspecify.annotations.Nullable;
import org.kordamp.ikonli.javafx.FontIcon;

/// The Bench view: the designer at the left; the welcome panel, the live area or the result at the right.
public final class BenchView {
    private final BenchViewModel model;
    private final ChartTools tools;
    private final ReportSaver reports;
    private final Questions questions;
    private final Navigation navigation;
    private final DesignerPane designer;
    private final LivePane live;
    private final BorderPane root = Panes.named("bench", new BorderPane());
    private final StackPane content = new StackPane();
    private final Label summary = Labels.of("", Styles.TEXT_MUTED);
    private final Node welcomeNode;
    private final Node liveNode;
    private final Node designerNode;
    private final Node foldedNode;
    private @Nullable ResultCardPane result;

    /// @param machine becomes known some time after the window shows
    /// @param servers of the card that measures one
    public BenchView(BenchViewModel model, ReportSaver reports, Questions questions, Navigation navigation,
            ObservableValue<MachineSummary> machine, KnownServers servers) {
        this.model = model;
        this.reports = reports;
        this.questions = questions;
        this.navigation = navigation;
        tools = reports.tools();
        model.onLargeBuild(questions::buildsFirst);
        designer = new DesignerPane(model.designer(), model::runDesigned, tools.notifier(), this::addEngines);
        live = new LivePane(model, tools);
        Node server = new MeasureServerCard(servers, model::measureServer, target -> {
            model.designServer(target);
            setUnfolded(true);
        }).createView();
        welcomeNode = new WelcomePanel(model, navigation, machine, server, this::addEngines).createView();
        liveNode = live.createView();
        designerNode = designer.createView();
        foldedNode = folded();
    }

    /// The view's root; one for the life of the view.
    public Node createView() {
        root.setCenter(content);
        model.state().addListener((observed, before, now) -> {
            if (before.getClass() != now.getClass()) {
                show(now);
            }
            if (now instanceof BenchState.Finished(ResultCard card) && !model.isShowing()) {
                announce(card);
            }
        });
        show(model.state().get());
        return root;
    }

    /// The user may be in another view.
    private void announce(ResultCard card) {
        Stream<String> outcome = Stream.concat(Stream.of(Chips.label(card.manifest().status())),
                card.verdict().map(judged -> Chips.label(judged.grade())).stream());
        String sentence = text("notice.experiment-ended", card.manifest().spec().name(),
                outcome.collect(Collectors.joining(", ")));
        Runnable onAction = () -> navigation.openResult(card.folder());
        if (card.isSound()) {
            tools.notifier().done(sentence, text("notice.show-result"), onAction);
        } else {
            tools.notifier().caution(sentence, text("notice.show-result"), onAction);
        }
    }

    /// Moves the focus to the first choice of the welcome panel.
    public void focusFirst() {
        Node quick = welcomeNode.lookup("#welcome-quick");
        if (quick != null) {
            quick.requestFocus();
        }
    }

    /// Runs the experiment of the designer, or moves the focus to its first fault.
    public void run() {
        if (!model.state().get().isRunning()) {
            setUnfolded(true);
            designer.run();
        }
    }

    /// Asks, then stops the running experiment and keeps or discards what was measured.
    public void stop() {
        if (!(model.state().get() instanceof BenchState.Running running) || running.isStopping()) {
            return;
        }
        StopQuestion question = StopQuestion.of(running.recorder(), model.canDiscard());
        BenchState.End end = questions.chosen(text("stop.heading"), question.detail(), question.answers());
        // It may have ended during the question.
        boolean ended = !(model.state().get() instanceof BenchState.Running still)
                || still.experiment() != running.experiment();
        switch (end) {
            case COMPLETE -> {}
            case STOPPED -> {
                if (!ended) {
                    model.stop();
                }
            }
            case DISCARDED -> {
                if (ended) {
                    tools.notifier().caution(text("stop.too-late"));
                } else {
                    model.discard();
                }
            }
        }
    }

    /// Shows or hides the designer.
    public void toggleDesigner() {
        setUnfolded(root.getLeft() == null);
    }

    /// Copies the command that runs the same experiment.
    public void copyCommand() {
        designer.copyCommand();
    }

    /// Asks for a file and saves a report of the shown result.
    public void saveReport() {
        if (model.state().get() instanceof BenchState.Finished(ResultCard card) && card.record() != null) {
            reports.save(new ReportSubject.Result(card.record()));
        } else {
            tools.notifier().problem(text("notice.no-result"));
        }
    }

    private void addEngines() {
        tools.dialogs().folder(text("engines.add-title")).ifPresent(folder -> model.addEngines(folder,
                added -> tools.notifier().done(
                        added.isEmpty() ? text("engines.none-new") : text("engines.added", String.join(", ", added))),
                failure -> tools.notifier().problem(ErrorText.sentence(failure))));
    }

    /// The log, for the lower edge of the window.
    public Node logDrawer() {
        return new LogDrawer(model.log(), tools.notifier());
    }

    /// Ends the view's charts.
    public void dispose() {
        live.dispose();
        endResult();
    }

    /// The designer is folded while a run or a result needs the width.
    private void show(BenchState state) {
        endResult();
        content.getChildren().setAll(switch (state) {
            case BenchState.Editing() -> welcomeNode;
            case BenchState.Refused refused -> welcomeNode;
            case BenchState.Running running -> liveNode;
            case BenchState.Finished(ResultCard card) -> result(card);
        });
        setUnfolded(state instanceof BenchState.Editing || state instanceof BenchState.Refused);
    }

    private Node result(ResultCard card) {
        ResultCardPane pane =
                new ResultCardPane(model, card, this::saveReport, () -> navigation.openResult(card.folder()), tools);
        result = pane;
        return pane.createView();
    }

    private void endResult() {
        if (result != null) {
            result.dispose();
            result = null;
        }
    }

    private void setUnfolded(boolean unfolded) {
        summary.setText(model.designer().summary());
        root.setLeft(unfolded ? designerNode : null);
        root.setTop(unfolded ? null : foldedNode);
    }

    private Node folded() {
        summary.setMinWidth(0);
        Button show = Panes.styled(
                Buttons.of("designer-show", "mdmz-tune", text("action.show-designer"), () -> setUnfolded(true)),
                Styles.FLAT, Styles.SMALL);
        return Panes.named("designer-summary",
                Panes.row(10, new FontIcon("mdmz-science"), summary, Panes.spacer(), show),
                StyleClasses.DESIGNER_FOLDED);
    }

    /// How a running experiment shall end: what is measured so far, and the answers with what each keeps or loses.
    record StopQuestion(String detail, List<Answer<BenchState.End>> answers) {
        /// @param discards whether the results can be discarded
        static StopQuestion of(LiveRecorder recorder, boolean discards) {
            LiveSnapshot now = recorder.snapshot();
            long requests = recorder.measuredRequests();
            long ended = now.runs().stream()
                    .filter(run -> run.state() == RunState.ENDED || run.state() == RunState.FAILED).count();
            String measured = now.openEnded() || now.runs().isEmpty() ? text("stop.measured-search", ended, requests)
                    : text("stop.measured", ended, now.runs().size(), requests);
            List<Answer<BenchState.End>> answers = new ArrayList<>();
            answers.add(new Answer<>(BenchState.End.STOPPED, "stop-keep",
                    requests == 0 ? text("stop.action") : counted("stop.keep", requests), Answer.Look.PLAIN));
            if (discards) {
                answers.add(new Answer<>(BenchState.End.DISCARDED, "stop-discard", text("stop.discard"),
                        Answer.Look.DANGER));
            }
            answers.add(
                    new Answer<>(BenchState.End.COMPLETE, "stop-instead", text("stop.instead"), Answer.Look.DEFAULT));
            return new StopQuestion(discards ? measured + "\n" + text("stop.discard-detail") : measured, answers);
        }
    }

    /// The processor and the GPU as text.
    ///
    /// @param device "AMD EPYC, 2 cores, AVX-512"
    /// @param gpuSentence one line on the GPU or its absence
    /// @param gpuReason why no GPU was found; empty with a GPU
    public record MachineSummary(String device, String gpuSentence, String gpuReason) {
        /// Before the machine has been read.
        public static final MachineSummary UNKNOWN = new MachineSummary("", "", "");
    }
}
