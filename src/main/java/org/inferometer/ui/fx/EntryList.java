package org.inferometer.ui.fx;

import static org.inferometer.ui.fx.Messages.text;

import atlantafx.base.theme.Styles;
import java.util.function.Function;
import javafx.collections.ListChangeListener;
import javafx.scene.Node;
import javafx.scene.control.Label;
import javafx.scene.control.ListCell;
import javafx.scene.control.ListView;
import javafx.scene.control.ProgressIndicator;
import javafx.scene.control.SplitPane;
import javafx.scene.control.TextField;
import javafx.scene.control.Tooltip;
import javafx.scene.layout.HBox;
import javafx.scene.layout.Priority;
import javafx.scene.layout.VBox;
import org.inferometer.ui.theme.StyleClasses;
import org.jspecify.annotations.Nullable;

/// The entries of a model as a list with a filter, beside the detail of the selected one.
public final class EntryList<R> {
    private static final double BUSY = 28;
    private final String id;
    private final ListViewModel<R> model;
    private final ListView<R> list = Panes.styled(new ListView<>(), Styles.DENSE, StyleClasses.RESULT_LIST);
    private final TextField filter;
    private final Label count = Labels.fixed("", Styles.TEXT_MUTED);

    /// What is seen of an entry: its name, over what it is and its state.
    public record EntryLook<R>(Function<R, String> name, Function<R, String> line, Function<R, Label> chip) {}

    /// @param id begins the ids of its nodes and the keys of its messages: "engines"
    public EntryList(String id, ListViewModel<R> model, EntryLook<R> look) {
        this.id = id;
        this.model = model;
        filter = SearchFields.of(id + "-filter", text(id + ".filter"));
        filter.textProperty().bindBidirectional(model.filter());
        count.setId(id + "-count");
        list.setId(id + "-list");
        list.setItems(model.rows());
        list.setAccessibleText(text("view." + id));
        list.setCellFactory(view -> new EntryCell<>(look));
        list.setPlaceholder(placeholder());
        ListChangeListener<R> changed = change -> {
            count.setText(model.all().isEmpty() ? "" : text(id + ".count", model.rows().size(), model.all().size()));
            list.setPlaceholder(placeholder());
        };
        model.rows().addListener(changed);
        model.all().addListener(changed);
        model.loading().addListener((observed, before, now) -> list.setPlaceholder(placeholder()));
        model.problem().addListener((observed, before, now) -> list.setPlaceholder(placeholder()));
        list.getSelectionModel().selectedItemProperty().addListener((observed, before, now) -> {
            if (now != null) {
                model.selected().set(now);
            }
        });
        model.selected().addListener((observed, before, now) -> {
            if (now != null && list.getSelectionModel().getSelectedItem() != now) {
                list.getSelectionModel().select(now);
            }
        });
    }

    /// Title, filter and how many entries it shows.
    ///
    /// @param columns width of the filter in letters
    public HBox head(int columns) {
        filter.setPrefColumnCount(columns);
        return Panes.row(12, Labels.fixed(text("view." + id), StyleClasses.PANE_TITLE), filter, count);
    }

    /// The list and a detail at its right.
    ///
    /// @param share of the width that the list takes first
    public Node beside(Node detail, double share) {
        VBox.setVgrow(list, Priority.ALWAYS);
        VBox side = Panes.named(id + "-side", new VBox(list), StyleClasses.RESULTS_LIST);
        SplitPane split = Panes.named(id + "-split", new SplitPane(side, detail));
        split.setDividerPositions(share);
        split.getStyleClass().add(StyleClasses.RESULTS_SPLIT);
        SplitPane.setResizableWithParent(side, false);
        return split;
    }

    private Node placeholder() {
        if (model.loading().get()) {
            ProgressIndicator busy = new ProgressIndicator();
            busy.setMaxSize(BUSY, BUSY);
            return busy;
        }
        String problem = model.problem().get();
        return Labels.centred(!problem.isEmpty() ? problem : model.all().isEmpty() ? text(id + ".none-here")
                : text(id + ".none-match", model.all().size()), Styles.TEXT_MUTED);
    }

    /// Draws the entries again: what they show beside themselves changed.
    public void refresh() {
        list.refresh();
    }

    /// Moves the focus to the list.
    public void requestFocus() {
        list.requestFocus();
    }

    public TextField filter() {
        return filter;
    }

    private static final class EntryCell<R> extends ListCell<R> {
        private final EntryLook<R> look;

        private EntryCell(EntryLook<R> look) {
            this.look = look;
        }

        @Override
        protected void updateItem(@Nullable R entry, boolean empty) {
            super.updateItem(entry, empty);
            setText(null);
            setPrefWidth(0);
            if (empty || entry == null) {
                setGraphic(null);
                setTooltip(null);
                return;
            }
            Label name = Labels.of(look.name().apply(entry), StyleClasses.TILE_TITLE, StyleClasses.MIDDLE_CUT);
            name.setMinWidth(0);
            Label line = Labels.of(look.line().apply(entry), Styles.TEXT_MUTED, Styles.TEXT_SMALL);
            line.setMinWidth(0);
            setGraphic(new VBox(2, name, Panes.row(6, line, Panes.spacer(), look.chip().apply(entry))));
            setTooltip(new Tooltip(name.getText() + "\n" + line.getText()));
        }
    }
}
