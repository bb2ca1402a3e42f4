package org.inferometer.ui.twin;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import javafx.geometry.Bounds;
import javafx.scene.Node;
import javafx.scene.Parent;
import javafx.scene.control.Cell;
import javafx.scene.control.Control;
import javafx.scene.control.Label;
import javafx.scene.control.Labeled;
import javafx.scene.control.ScrollPane;
import javafx.scene.control.TableCell;
import javafx.scene.control.TableColumn;
import javafx.scene.control.TableView;
import javafx.scene.control.skin.TableColumnHeader;
import javafx.scene.control.skin.TableHeaderRow;
import javafx.scene.control.skin.VirtualFlow;
import org.inferometer.ui.chart.ChartHost;
import org.inferometer.ui.chart.SeriesSelection;

/// What is wrong with a layout: cut texts, cut headings of sorted columns, cells higher than their row, series that look alike, and
/// sentences that stand twice.
///
/// Only what is visible counts, scrolled parts included. A cut text whose tooltip shows it whole is no fault. Belongs to the JavaFX thread.
public final class LayoutFaults {
    /// Shorter texts are values and headings, which may stand twice; so may footers of charts, each of which is exported with its own.
    private static final int SENTENCE_LETTERS = 32;
    private static final double TOLERANCE = 1;
    private final List<String> faults = new ArrayList<>();
    private final Map<String, Integer> sentences = new HashMap<>();
    private final Parent root;

    private LayoutFaults(Parent root) {
        this.root = root;
    }

    /// One sentence a fault, with the place of the control. Sorts tables and restores their order.
    ///
    /// @param root of a scene
    public static List<String> of(Parent root) {
        root.applyCss();
        root.layout();
        LayoutFaults walk = new LayoutFaults(root);
        walk.visit(root, false);
        walk.sentences.forEach((sentence, count) -> {
            if (count > 1) {
                walk.faults.add("stands " + count + " times: \"" + sentence + "\"");
            }
        });
        return List.copyOf(walk.faults);
    }

    private void visit(Node node, boolean scrolls) {
        if (!node.isVisible() || node.getOpacity() == 0) {
            return;
        }
        switch (node) {
            case Labeled labeled -> check(labeled, scrolls);
            case ChartHost chart -> check(chart);
            case TableView<?> table -> checkHeadings(table);
            default -> {
                // Other nodes have no text of their own.
            }
        }
        if (node instanceof TableCell<?, ?> cell && cell.getGraphic() != null) {
            checkRow(cell, cell.getGraphic());
        }
        if (node instanceof Parent parent) {
            boolean inside = scrolls || node instanceof ScrollPane || node instanceof VirtualFlow<?>
                    || node instanceof TableHeaderRow;
            parent.getChildrenUnmodifiable().forEach(child -> visit(child, inside));
        }
    }

    /// What is higher than its row lies over the next.
    private void checkRow(TableCell<?, ?> cell, Node content) {
        double height = content.getLayoutBounds().getHeight();
        if (!cell.isEmpty() && height > cell.getHeight() + TOLERANCE) {
            faults.add("higher than its row: " + Math.round(height) + " of " + Math.round(cell.getHeight()) + " in "
                    + place(cell));
        }
    }

    private void check(Labeled labeled, boolean scrolls) {
        String text = labeled.getText() == null ? "" : labeled.getText();
        if (text.isBlank() || labeled.getWidth() == 0) {
            return;
        }
        if (labeled.isTextTruncated() && !explained(labeled, text)) {
            faults.add("cut: \"" + text + "\" in " + place(labeled));
        }
        if (labeled.isWrapText() && inCell(labeled)
                && cellHeight(labeled) + TOLERANCE < labeled.prefHeight(labeled.getWidth())) {
            faults.add("lines are cut: \"" + text + "\" in " + place(labeled));
        }
        Bounds bounds = labeled.localToScene(labeled.getLayoutBounds());
        if (!scrolls && (bounds.getMinX() < -TOLERANCE
                || bounds.getMaxX() > root.getLayoutBounds().getWidth() + TOLERANCE || bounds.getMinY() < -TOLERANCE
                || bounds.getMaxY() > root.getLayoutBounds().getHeight() + TOLERANCE)) {
            faults.add("outside the window: \"" + text + "\" in " + place(labeled));
        }
        if (labeled instanceof Label && !inCell(labeled) && !labeled.getStyleClass().contains("tile-footer")
                && text.length() >= SENTENCE_LETTERS) {
            sentences.merge(text, 1, Integer::sum);
        }
    }

    private static double cellHeight(Node node) {
        return node instanceof Cell<?> cell ? cell.getHeight() : cellHeight(node.getParent());
    }

    /// Rows of a list may say the same.
    private static boolean inCell(Node node) {
        return node != null && (node instanceof Cell<?> || inCell(node.getParent()));
    }

    /// Whether its tooltip, or that of a control around it, has the text.
    private static boolean explained(Node node, String text) {
        for (Node at = node; at != null; at = at.getParent()) {
            if (at instanceof Control control && control.getTooltip() != null && control.getTooltip().getText() != null
                    && control.getTooltip().getText().contains(text)) {
                return true;
            }
        }
        return false;
    }

    private void check(ChartHost chart) {
        if (chart.data() == null) {
            return;
        }
        Set<Object> looks = new HashSet<>();
        for (SeriesSelection.Series series : SeriesSelection.of(chart.data())) {
            if (!looks.add(series.look())) {
                faults.add("looks like another series: \"" + series.name() + "\" in " + place(chart));
            }
        }
    }

    private <R> void checkHeadings(TableView<R> table) {
        List<TableColumn<R, ?>> before = List.copyOf(table.getSortOrder());
        for (TableColumn<R, ?> column : table.getVisibleLeafColumns()) {
            if (column.isSortable()) {
                table.getSortOrder().setAll(List.of(column));
            }
            table.applyCss();
            table.layout();
            table.lookupAll(".column-header").stream().filter(TableColumnHeader.class::isInstance)
                    .map(TableColumnHeader.class::cast).filter(header -> header.getTableColumn() == column)
                    .flatMap(header -> header.lookupAll(".label").stream()).filter(Label.class::isInstance)
                    .map(Label.class::cast).filter(Labeled::isTextTruncated).forEach(
                            heading -> faults.add("cut when sorted: \"" + heading.getText() + "\" in " + place(table)));
        }
        table.getSortOrder().setAll(before);
    }

    /// The ids and style classes from a control upwards to the first id of a parent.
    private static String place(Node node) {
        StringBuilder place = new StringBuilder(name(node));
        Node at = node;
        while (at.getParent() != null && (at == node || at.getId() == null)) {
            at = at.getParent();
            place.append(" < ").append(name(at));
        }
        return place.toString();
    }

    private static String name(Node node) {
        return node.getId() != null ? "#" + node.getId()
                : node.getStyleClass().isEmpty() ? node.getClass().getSimpleName()
                : "." + node.getStyleClass().getLast();
    }
}
