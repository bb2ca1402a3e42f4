package org.inferometer.ui.results;

import static org.inferometer.ui.fx.Messages.text;

import atlantafx.base.theme.Styles;
import java.util.List;
import javafx.collections.ObservableListBase;
import javafx.scene.Node;
import javafx.scene.control.Button;
import javafx.scene.control.Label;
import javafx.scene.control.TableColumn;
import javafx.scene.control.TableView;
import javafx.scene.control.TextField;
import javafx.scene.layout.HBox;
import javafx.scene.layout.Priority;
import javafx.scene.layout.VBox;
import org.inferometer.report.requests.RequestColumn;
import org.inferometer.report.requests.RequestListing;
import org.inferometer.ui.fx.Buttons;
import org.inferometer.ui.fx.ColumnWidths;
import org.inferometer.ui.fx.Labels;
import org.inferometer.ui.fx.Panes;
import org.inferometer.ui.fx.TableColumns;
import org.inferometer.ui.theme.StyleClasses;

/// The requests of a result: a line for conditions over a table that reads only the rows it shows.
final class RequestsPane {
    private final RequestsViewModel model;
    private boolean showing;

    RequestsPane(RequestsViewModel model) {
        this.model = model;
    }

    /// Opens a request in the Timeline.
    interface RequestOpener {
        /// @param run index in the runs of the record
        /// @param request its number
        void open(int run, int request);
    }

    /// A list that makes its rows when they are read.
    private static final class Rows extends ObservableListBase<RequestListing.Row> {
        private final RequestListing listing;

        Rows(RequestListing listing) {
            this.listing = listing;
        }

        @Override
        public RequestListing.Row get(int row) {
            return listing.row(row);
        }

        @Override
        public int size() {
            return listing.size();
        }
    }

    Node createView(RequestOpener opener) {
        TextField filter = Panes.named("requests-filter", new TextField());
        filter.setPromptText(text("requests.filter"));
        filter.setAccessibleText(text("requests.filter"));
        filter.textProperty().bindBidirectional(model.filter());
        HBox.setHgrow(filter, Priority.ALWAYS);
        Label count = Labels.bound("requests-count", model.count(), Styles.TEXT_MUTED);
        Label problem = Labels.bound("requests-problem", model.problem(), StyleClasses.FAULT);
        Panes.showWhen(problem, model.problem().isNotEmpty());
        TableView<RequestListing.Row> table = table();
        TableColumns.onOpen(table, row -> opener.open(row.runIndex(), row.request().id().index()), (row, shown) -> {});
        VBox.setVgrow(table, Priority.ALWAYS);
        return Panes.styled(
                new VBox(10, Panes.row(10, filter, count), problem, table, pages(),
                        Labels.of(text("requests.hint"), Styles.TEXT_MUTED, Styles.TEXT_SMALL)),
                StyleClasses.VIEW_BODY);
    }

    /// Turns the pages; hidden if there is one.
    private Node pages() {
        Button back = Buttons.icon("requests-back", "mdal-chevron_left", text("requests.back"),
                () -> model.showPage(model.page().get() - 1));
        Button next = Buttons.icon("requests-next", "mdal-chevron_right", text("requests.next"),
                () -> model.showPage(model.page().get() + 1));
        model.rows().subscribe(rows -> {
            back.setDisable(model.page().get() == 0);
            next.setDisable(model.page().get() == model.pages() - 1);
        });
        HBox row = Panes.row(6, Labels.bound("requests-rows", model.rows(), Styles.TEXT_MUTED), back, next);
        Panes.showWhen(row, model.rows().isNotEmpty());
        return row;
    }

    private TableView<RequestListing.Row> table() {
        TableView<RequestListing.Row> table = TableColumns.table("requests-table");
        table.setPlaceholder(new Label(text("requests.none")));
        for (RequestColumn each : RequestColumn.values()) {
            TableColumn<RequestListing.Row, String> column =
                    TableColumns.text("requests." + each.id(), 86, row -> row.text(each));
            column.setUserData(each);
            table.getColumns().add(column);
        }
        TableColumn<RequestListing.Row, String> status =
                TableColumns.text("requests.status", 90, row -> row.request().status().id());
        TableColumn<RequestListing.Row, String> reason =
                TableColumns.text("requests.reason", 200, row -> row.request().reason());
        status.setSortable(false);
        reason.setSortable(false);
        table.getColumns().add(status);
        table.getColumns().add(reason);
        ColumnWidths.keep(table, reason);
        // The rows are sorted in the background, not by the table.
        table.setSortPolicy(sorted -> {
            if (showing) {
                return true;
            }
            if (!sorted.getSortOrder().isEmpty()
                    && sorted.getSortOrder().getFirst().getUserData() instanceof RequestColumn by) {
                model.sort(by, sorted.getSortOrder().getFirst().getSortType() == TableColumn.SortType.DESCENDING);
            } else {
                model.sort(RequestColumn.RUN, false);
            }
            return true;
        });
        model.shown().addListener((observed, before, now) -> show(table, now));
        table.setItems(new Rows(model.shown().get()));
        return table;
    }

    /// The table forgets its order with its items.
    private void show(TableView<RequestListing.Row> table, RequestListing listing) {
        List<TableColumn<RequestListing.Row, ?>> order = List.copyOf(table.getSortOrder());
        showing = true;
        table.setItems(new Rows(listing));
        table.getSortOrder().setAll(order);
        showing = false;
    }
}
