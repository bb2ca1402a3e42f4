package org.inferometer.ui.fx;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import javafx.beans.property.ReadOnlyBooleanProperty;
import javafx.beans.property.ReadOnlyBooleanWrapper;
import javafx.beans.property.ReadOnlyDoubleProperty;
import javafx.beans.property.ReadOnlyDoubleWrapper;
import javafx.scene.control.Label;
import javafx.scene.control.TableColumn;
import javafx.scene.control.TableView;
import org.jspecify.annotations.Nullable;

/// Keeps the columns of a table readable when the window is resized. Each column has its own width, some share the rest;
/// the table scrolls sideways when they do not fit. A dragged width stays. Belongs to the UI thread.
public final class ColumnWidths {
    private static final double NARROWEST = 24;
    private static final double WIDEST = 4000;
    private static final double USUAL_FONT = 14;
    // The table measures a column of exactly this width again when it is first shown.
    private static final double MEASURED_BY_THE_TABLE = 80;
    private final TableView<?> table;
    private final List<TableColumn<?, ?>> elastic;
    private final Map<TableColumn<?, ?>, Double> wanted = new HashMap<>();
    private final Map<TableColumn<?, ?>, Double> dragged = new HashMap<>();
    private final ReadOnlyBooleanWrapper overflowing = new ReadOnlyBooleanWrapper(true);
    private final ReadOnlyDoubleWrapper widest = new ReadOnlyDoubleWrapper(Double.MAX_VALUE);
    private @Nullable Label heading;
    private double room;
    private boolean fitting;

    private ColumnWidths(TableView<?> table, List<TableColumn<?, ?>> elastic) {
        this.table = table;
        this.elastic = elastic;
    }

    /// Keeps the current preferred widths.
    ///
    /// @param elastic columns that share the remaining width
    public static ColumnWidths keep(TableView<?> table, TableColumn<?, ?>... elastic) {
        ColumnWidths widths = new ColumnWidths(table, List.of(elastic));
        widths.begin(table);
        return widths;
    }

    /// Stores dragged widths and restores those stored before, by column id.
    ///
    /// @param key of this table
    public ColumnWidths remember(Settings memory, String key) {
        memory.get(key).ifPresent(this::takeUp);
        Runnable keep = () -> memory.put(key,
                dragged.entrySet().stream().map(entry -> entry.getKey().getId() + "=" + Math.round(entry.getValue()))
                        .sorted().collect(Collectors.joining(",")));
        table.getColumns().forEach(column -> column.widthProperty().addListener((observed, before, now) -> {
            if (dragged.containsKey(column)) {
                keep.run();
            }
        }));
        return this;
    }

    /// Whether the table scrolls sideways; true until it is laid out, as a table that was too low once keeps its other scroll bar.
    public ReadOnlyBooleanProperty overflowing() {
        return overflowing.getReadOnlyProperty();
    }

    /// Width of all columns if those that share the rest have as much as they may, in pixels.
    public ReadOnlyDoubleProperty widest() {
        return widest.getReadOnlyProperty();
    }

    private <R> void begin(TableView<R> rows) {
        for (TableColumn<R, ?> column : rows.getColumns()) {
            wanted.put(column,
                    column.getPrefWidth() == MEASURED_BY_THE_TABLE ? MEASURED_BY_THE_TABLE + 1 : column.getPrefWidth());
            column.widthProperty().addListener((observed, before, now) -> {
                // The table changes a width only when the user drags or double-clicks an edge.
                if (!fitting && table.getScene() != null) {
                    dragged.put(column, now.doubleValue());
                    wanted.put(column, now.doubleValue());
                    fit();
                }
            });
        }
        rows.setColumnResizePolicy(features -> {
            boolean moved = features.getColumn() != null && TableView.UNCONSTRAINED_RESIZE_POLICY.call(features);
            room = features.getContentWidth();
            fit();
            return moved;
        });
    }

    private void fit() {
        if (room <= 0) {
            return;
        }
        fitting = true;
        List<TableColumn<?, ?>> growing = new ArrayList<>();
        double taken = 0;
        for (TableColumn<?, ?> column : table.getVisibleLeafColumns()) {
            if (elastic.contains(column) && !dragged.containsKey(column)) {
                growing.add(column);
                taken += wanted(column) * scale(column);
            } else {
                taken += set(column, wanted(column) * scale(column));
            }
        }
        // Whole pixels: a rounded sum that is too wide would scroll.
        double share = growing.isEmpty() ? 0 : Math.floor(Math.max(0, room - taken) / growing.size());
        growing.forEach(column -> set(column, wanted(column) * scale(column) + share));
        overflowing.set(taken > room + 1);
        widest.set(taken + growing.stream()
                .mapToDouble(column -> Math.max(0, column.getMaxWidth() - wanted(column) * scale(column))).sum());
        fitting = false;
    }

    /// Columns grow with the size of texts; a dragged width stays.
    private double scale(TableColumn<?, ?> column) {
        if (heading == null && table.lookup(".column-header .label") instanceof Label found) {
            heading = found;
            found.fontProperty().addListener((observed, before, now) -> fit());
        }
        return heading == null || dragged.containsKey(column) ? 1
                : Math.max(1, heading.getFont().getSize() / USUAL_FONT);
    }

    private double wanted(TableColumn<?, ?> column) {
        return wanted.getOrDefault(column, column.getPrefWidth());
    }

    private static double set(TableColumn<?, ?> column, double width) {
        // A width can only be set through the preferred width.
        column.setPrefWidth(width);
        return column.getWidth();
    }

    private void takeUp(String kept) {
        Map<String, TableColumn<?, ?>> byId = new HashMap<>();
        table.getColumns().forEach(column -> Optional.ofNullable(column.getId()).ifPresent(id -> byId.put(id, column)));
        for (String each : kept.split(",")) {
            int sign = each.lastIndexOf('=');
            TableColumn<?, ?> column = sign < 0 ? null : byId.get(each.substring(0, sign));
            Optional<Double> width = column == null ? Optional.empty() : number(each.substring(sign + 1));
            if (column != null && width.isPresent()) {
                wanted.put(column, width.get());
                dragged.put(column, width.get());
            }
        }
    }

    private static Optional<Double> number(String written) {
        try {
            return Optional.of((double) Integer.parseInt(written))
                    .filter(width -> width >= NARROWEST && width <= WIDEST);
        } catch (NumberFormatException e) {
            return Optional.empty();
        }
    }
}
