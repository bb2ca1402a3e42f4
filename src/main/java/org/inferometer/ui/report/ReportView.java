package org.inferometer.ui.report;

import static org.inferometer.ui.fx.Messages.counted;
import static org.inferometer.ui.fx.Messages.text;

import atlantafx.base.theme.Styles;
import java.nio.IntBuffer;
import java.util.ArrayList;
import java.util.List;
import javafx.beans.property.StringProperty;
import javafx.collections.ListChangeListener;
import javafx.geometry.Insets;
import javafx.geometry.Pos;
import javafx.scene.Node;
import javafx.scene.Parent;
import javafx.scene.Scene;
import javafx.scene.control.Button;
import javafx.scene.control.CheckBox;
import javafx.scene.control.Label;
import javafx.scene.control.ScrollPane;
import javafx.scene.control.TextArea;
import javafx.scene.control.TextField;
import javafx.scene.control.Tooltip;
import javafx.scene.image.ImageView;
import javafx.scene.image.PixelBuffer;
import javafx.scene.image.PixelFormat;
import javafx.scene.image.WritableImage;
import javafx.scene.input.KeyCode;
import javafx.scene.layout.BorderPane;
import javafx.scene.layout.FlowPane;
import javafx.scene.layout.GridPane;
import javafx.scene.layout.HBox;
import javafx.scene.layout.StackPane;
import javafx.scene.layout.VBox;
import javafx.stage.Window;
import org.inferometer.chart.PdfPagePictures;
import org.inferometer.report.document.ReportFormat;
import org.inferometer.ui.fx.Buttons;
import org.inferometer.ui.fx.FileDialogs;
import org.inferometer.ui.fx.FileDialogs.FileType;
import org.inferometer.ui.fx.Labels;
import org.inferometer.ui.fx.Panes;
import org.inferometer.ui.results.ReportSubject;
import org.inferometer.ui.theme.StyleClasses;
import org.inferometer.units.LetterCase;
import org.jspecify.annotations.Nullable;

/// Texts and sections of a report at the left, its pages at the right.
public final class ReportView {
    private static final double NARROWEST_PAGE = 200;
    /// Between the cards and the preview; the scroll bar stands in it.
    private static final double GUTTER = 10;
    private final ReportViewModel model;
    private final FileDialogs dialogs;
    private final Runnable saveBundle;
    private final Runnable openNewest;
    private final VBox sections = Panes.named("report-sections", new VBox(2));
    private final VBox pages = Panes.named("report-pages", new VBox(14));
    private final TextField title = new TextField();

    /// @param saveBundle asks for a file and saves results, view and notes
    /// @param openNewest opens the newest result
    public ReportView(ReportViewModel model, FileDialogs dialogs, Runnable saveBundle, Runnable openNewest) {
        this.model = model;
        this.dialogs = dialogs;
        this.saveBundle = saveBundle;
        this.openNewest = openNewest;
    }

    /// The view's root; called once.
    public Parent createView() {
        VBox side = new VBox(12, texts(), sectionCard());
        side.setPadding(new Insets(0, 0, 12, 0));
        ScrollPane scroll = Panes.named("report-side", Panes.scroll(side));
        Panes.keepGutter(scroll, side, GUTTER);
        BorderPane left = new BorderPane(scroll);
        Node exports = exports();
        BorderPane.setMargin(exports, new Insets(0, GUTTER, 0, 0));
        left.setBottom(exports);
        left.getStyleClass().add(StyleClasses.REPORT_SIDE);
        BorderPane root = Panes.named("report", new BorderPane(), StyleClasses.VIEW_BODY);
        root.setLeft(left);
        root.setCenter(preview());
        model.sections().addListener((ListChangeListener<ReportViewModel.Choice>) change -> {
            boolean moved = false;
            while (change.next()) {
                moved |= change.wasAdded() || change.wasRemoved();
            }
            if (moved) {
                listSections();
            }
        });
        model.pages().addListener((observed, before, now) -> show(now));
        pages.sceneProperty().flatMap(Scene::windowProperty).flatMap(Window::outputScaleXProperty).orElse(1)
                .subscribe(density -> model.drawFor(density.doubleValue()));
        listSections();
        return root;
    }

    /// Moves the focus to the view.
    public void focusFirst() {
        title.requestFocus();
    }

    private Node texts() {
        title.setPromptText(text("report.title.prompt"));
        GridPane grid = Panes.grid(2, 10, 8);
        int row = 0;
        for (Node field : List.of(field("report-title", title, model.texts().title()),
                field("report-author", new TextField(), model.texts().author()),
                field("report-date", new TextField(), model.texts().date()))) {
            Label label = Labels.fixed(text(field.getId().replace('-', '.')));
            label.setLabelFor(field);
            grid.addRow(row++, label, field);
        }
        TextArea notes = Panes.named("report-notes", new TextArea());
        notes.setPrefRowCount(3);
        notes.setWrapText(true);
        notes.setPromptText(text("report.notes.prompt"));
        notes.setAccessibleText(text("report.notes"));
        notes.textProperty().bindBidirectional(model.texts().notes());
        return Panes.section(text("report.texts"), grid, notes);
    }

    private static TextField field(String id, TextField field, StringProperty bound) {
        field.setId(id);
        field.textProperty().bindBidirectional(bound);
        return field;
    }

    private Node sectionCard() {
        CheckBox safe = Panes.named("report-share-safe", new CheckBox(text("report.share-safe")));
        safe.setWrapText(true);
        safe.selectedProperty().bindBidirectional(model.shareSafe());
        return Panes.section(text("report.sections"), sections, safe);
    }

    /// A row a section: its check box, and buttons that move it. Alt with an arrow and a drag of the row move it, too.
    private void listSections() {
        sections.getChildren().clear();
        for (int i = 0; i < model.sections().size(); i++) {
            ReportViewModel.Choice choice = model.sections().get(i);
            int place = i;
            CheckBox box = Panes.named("report-section-" + LetterCase.lower(choice.section().title()),
                    new CheckBox(choice.section().title()));
            box.selectedProperty().bindBidirectional(choice.included());
            Button up = Buttons.icon("", "mdal-keyboard_arrow_up", text("report.up", choice.section().title()),
                    () -> move(place, place - 1));
            up.setDisable(i == 0);
            Button down = Buttons.icon("", "mdal-keyboard_arrow_down", text("report.down", choice.section().title()),
                    () -> move(place, place + 1));
            down.setDisable(i == model.sections().size() - 1);
            HBox row = Panes.row(4, Labels.icon("mdal-drag_indicator", StyleClasses.TILE_FOOTER), box, Panes.spacer(),
                    up, down);
            box.setOnKeyPressed(event -> {
                if (event.isAltDown() && (event.getCode() == KeyCode.UP || event.getCode() == KeyCode.DOWN)) {
                    move(place, place + (event.getCode() == KeyCode.UP ? -1 : 1));
                    event.consume();
                }
            });
            row.setOnMouseReleased(event -> {
                double y = sections.sceneToLocal(event.getSceneX(), event.getSceneY()).getY();
                double rowHeight = row.getHeight() + sections.getSpacing();
                move(place, Math.clamp((int) Math.floor(y / rowHeight), 0, model.sections().size() - 1));
            });
            sections.getChildren().add(row);
        }
    }

    private void move(int from, int to) {
        model.move(from, to);
        if (to >= 0 && to < sections.getChildren().size() && from != to
                && sections.getChildren().get(to) instanceof HBox row) {
            row.getChildren().get(1).requestFocus();
        }
    }

    private Node exports() {
        FlowPane buttons = new FlowPane(8, 8);
        for (ReportFormat format : ReportFormat.values()) {
            Button button = exportButton(format.extension());
            button.setOnAction(event -> export(format));
            model.subject()
                    .subscribe(subject -> button.setDisable(subject == null || !subject.formats().contains(format)));
            if (format == ReportFormat.CSV || format == ReportFormat.JSON) {
                button.getTooltip().setText(button.getAccessibleText() + ". " + text("report.figures-of-results"));
            }
            buttons.getChildren().add(button);
        }
        Button bundle = exportButton("bundle");
        bundle.disableProperty().bind(model.subject().isNull());
        bundle.setOnAction(event -> saveBundle.run());
        buttons.getChildren().add(bundle);
        return Panes.section(text("report.export"), buttons);
    }

    /// The sections need the height: names are short, tooltips whole.
    private static Button exportButton(String kind) {
        Button button = Panes.named("report-export-" + kind, new Button(text("report.as." + kind)));
        button.setAccessibleText(text("file." + kind));
        button.setTooltip(new Tooltip(text("file." + kind)));
        return button;
    }

    private void export(ReportFormat format) {
        ReportSubject subject = model.subject().get();
        if (subject != null) {
            FileType type = new FileType(text("file." + format.extension()), "*." + format.extension());
            dialogs.save(text("report.save-title"), subject.name() + "." + format.extension(), List.of(type))
                    .ifPresent(file -> model.export(format, file));
        }
    }

    private Node preview() {
        // Else the pictures keep the width that they had before the scroll bar came.
        pages.setMinWidth(0);
        pages.setAlignment(Pos.TOP_CENTER);
        pages.setPadding(new Insets(0, 14, 14, 14));
        ScrollPane scroll = Panes.named("report-preview", Panes.scroll(pages));
        scroll.setFocusTraversable(true);
        scroll.setAccessibleText(text("report.preview"));
        Button newest = Panes.styled(
                Buttons.of("report-open-newest", "mdal-insert_chart", text("timeline.open-newest"), openNewest),
                Styles.ACCENT);
        VBox empty = new VBox(12, Labels.icon("mdal-article", StyleClasses.EMPTY_ICON),
                Labels.centred(text("report.empty"), Styles.TEXT_MUTED), newest);
        empty.setAlignment(Pos.CENTER);
        Panes.showWhen(empty, model.subject().isNull());
        Label drawing = Labels.of(text("report.drawing"), Styles.TEXT_MUTED);
        Button cancel = Buttons.of("report-cancel", "mdal-close", text("report.cancel"), model::cancel);
        HBox busy = Panes.named("report-busy", Panes.row(8, drawing, cancel), StyleClasses.CARD);
        busy.setPadding(new Insets(4, 10, 4, 10));
        busy.setMaxSize(HBox.USE_PREF_SIZE, HBox.USE_PREF_SIZE);
        Panes.showWhen(busy, model.drawing());
        StackPane.setAlignment(busy, Pos.TOP_RIGHT);
        StackPane.setMargin(busy, new Insets(10, 24, 0, 0));
        VBox fault = new VBox(Labels.message("report-problem", model.problem(), StyleClasses.CALLOUT_DANGER));
        BorderPane framed = new BorderPane(new StackPane(scroll, empty, busy));
        framed.setTop(fault);
        return framed;
    }

    /// Pictures share the pixels of the model. They are at most as large as drawn, where a pixel is one of the screen's.
    private void show(@Nullable PdfPagePictures drawn) {
        List<Node> shown = new ArrayList<>();
        if (drawn != null) {
            for (int i = 0; i < drawn.pages().size(); i++) {
                PdfPagePictures.Page page = drawn.pages().get(i);
                ImageView picture = new ImageView(new WritableImage(new PixelBuffer<>(page.width(), page.height(),
                        IntBuffer.wrap(page.argb()), PixelFormat.getIntArgbPreInstance())));
                picture.setPreserveRatio(true);
                picture.setSmooth(true);
                picture.setAccessibleText(text("report.page", i + 1, drawn.count()));
                double widest = page.width() / model.pixelsPerUnit();
                picture.fitWidthProperty().bind(pages.widthProperty()
                        .map(width -> Math.clamp(width.doubleValue() - 28, NARROWEST_PAGE, widest)));
                shown.add(picture);
            }
            shown.add(Labels.of(drawn.pages().size() < drawn.count()
                    ? text("report.first-pages", drawn.pages().size(), drawn.count())
                    : counted("report.pages", drawn.count()), Styles.TEXT_MUTED));
        }
        pages.getChildren().setAll(shown);
    }
}
