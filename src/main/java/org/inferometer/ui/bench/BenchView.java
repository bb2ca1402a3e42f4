package org.inferometer.ui.bench;

import static org.inferometer.ui.fx.Messages.text;

import java.util.List;
import java.util.Optional;
import javafx.beans.value.ObservableValue;
import javafx.geometry.Pos;
import javafx.scene.Node;
import javafx.scene.control.Button;
import javafx.scene.control.Label;
import javafx.scene.input.Clipboard;
import javafx.scene.input.ClipboardContent;
import javafx.scene.layout.BorderPane;
import javafx.scene.layout.HBox;
import javafx.scene.layout.Priority;
import javafx.scene.layout.Region;
import javafx.scene.layout.StackPane;
import org.inferometer.ui.designer.DesignerPane;
import org.inferometer.ui.fx.ChartTools;
import org.inferometer.ui.fx.ErrorText;
import org.inferometer.ui.fx.FileDialogs;
import org.inferometer.ui.fx.Questions;
import org.jspecify.annotations.Nullable;
import org.kordamp.ikonli.javafx.FontIcon;

/// The Bench view: the designer at the left, and at the right the welcome panel, the live picture or the result.
public final class BenchView {
    private final BenchViewModel model;
    private final ChartTools tools;
    private final Questions questions;
    private final BenchNavigation navigation;
    private final DesignerPane designer;
    private final LivePane live;
    private final BorderPane root = new BorderPane();
    private final StackPane content = new StackPane();
    private final Label summary = new Label();
    private final Node welcomeNode;
    private final Node liveNode;
    private final Node designerNode;
    private final Node foldedNode;

    /// @param machine what computes here; known some time after the window shows
    public BenchView(BenchViewModel model, ChartTools tools, Questions questions, BenchNavigation navigation,
            ObservableValue<MachineSummary> machine) {
        this.model = model;
        this.tools = tools;
        this.questions = questions;
        this.navigation = navigation;
        designer = new DesignerPane(model, tools.notices(), this::addEngines);
        live = new LivePane(model, tools, this::stop);
        welcomeNode = new WelcomePanel(model, navigation, machine, this::addEngines).createView();
        liveNode = live.createView();
        designerNode = designer.createView();
        foldedNode = folded();
    }

    /// The view's root; one for the life of the view.
    public Node createView() {
        root.setId("bench");
        root.setCenter(content);
        model.stage().addListener((observed, before, now) -> show());
        model.result().addListener((observed, before, now) -> show());
        show();
        return root;
    }

    /// Puts the focus on the first choice of the welcome panel, once the window shows.
    public void focusFirst() {
        Node quick = welcomeNode.lookup("#welcome-quick");
        if (quick != null) {
            quick.requestFocus();
        }
    }

    /// Runs what the designer says; its first fault gets the focus.
    public void run() {
        if (!model.running().get()) {
            setUnfolded(true);
            designer.run();
        }
    }

    /// Asks, then ends the experiment under way.
    public void stop() {
        if (model.running().get() && !model.stopping().get() && questions.confirmed(text("stop.heading"),
                text("stop.detail"), text("stop.action"), text("stop.instead"))) {
            model.stop();
        }
    }

    /// Folds the designer, or brings it back.
    public void toggleDesigner() {
        setUnfolded(root.getLeft() == null);
    }

    /// Puts the command that runs the same experiment on the clipboard.
    public void copyCommand() {
        designer.copyCommand();
    }

    /// Asks where and writes a report of the shown result.
    public void saveReport() {
        ResultCard card = model.result().get();
        if (card == null) {
            tools.notices().problem(text("notice.no-result"));
            return;
        }
        Optional<java.nio.file.Path> file = tools.dialogs().save(text("report.save-title"),
                card.manifest().id() + ".html", List.of(new FileDialogs.FileType(text("file.html"), "*.html"),
                        new FileDialogs.FileType(text("file.markdown"), "*.md")));
        file.ifPresent(path -> model.saveReport(path, () -> tools.notices().done(text("notice.saved", path)),
                failure -> tools.notices().problem(text("notice.not-saved", path, ErrorText.sentence(failure)))));
    }

    private void addEngines() {
        tools.dialogs().folder(text("engines.add-title")).ifPresent(folder -> model.addEngines(folder,
                added -> tools.notices().done(
                        added.isEmpty() ? text("engines.none-new") : text("engines.added", String.join(", ", added))),
                failure -> tools.notices().problem(ErrorText.sentence(failure))));
    }

    /// Ends the view's charts.
    public void dispose() {
        live.dispose();
    }

    private void show() {
        switch (model.stage().get()) {
            case WELCOME -> {
                content.getChildren().setAll(welcomeNode);
                setUnfolded(true);
            }
            case RUNNING -> {
                content.getChildren().setAll(liveNode);
                setUnfolded(false);
            }
            case FINISHED -> showResult(model.result().get());
        }
    }

    private void showResult(@Nullable ResultCard card) {
        if (card == null) {
            return;
        }
        Node pane = new ResultCardPane(model, new ResultCardPane.ResultActions() {
            @Override
            public void saveReport() {
                BenchView.this.saveReport();
            }

            @Override
            public void openInResults() {
                navigation.openResult(card.folder());
            }

            @Override
            public void copyPath() {
                ClipboardContent path = new ClipboardContent();
                path.putString(card.folder().toString());
                Clipboard.getSystemClipboard().setContent(path);
                tools.notices().done(text("notice.path-copied"));
            }
        }).createView(card);
        content.getChildren().setAll(pane);
        setUnfolded(true);
    }

    private void setUnfolded(boolean unfolded) {
        summary.setText(model.designer().summary());
        root.setLeft(unfolded ? designerNode : null);
        root.setTop(unfolded ? null : foldedNode);
    }

    private Node folded() {
        summary.setMinWidth(0);
        summary.getStyleClass().add("muted");
        Region space = new Region();
        HBox.setHgrow(space, Priority.ALWAYS);
        Button show = new Button(text("action.show-designer"), new FontIcon("mdmz-tune"));
        show.setId("designer-show");
        show.getStyleClass().addAll("flat", "small");
        show.setMinWidth(Region.USE_PREF_SIZE);
        show.setOnAction(event -> setUnfolded(true));
        HBox line = new HBox(10, new FontIcon("mdmz-science"), summary, space, show);
        line.setAlignment(Pos.CENTER_LEFT);
        line.setId("designer-summary");
        line.getStyleClass().add("designer-folded");
        return line;
    }
}
