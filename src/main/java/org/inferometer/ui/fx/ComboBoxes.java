package org.inferometer.ui.fx;

import atlantafx.base.theme.Styles;
import java.util.function.Function;
import javafx.beans.property.Property;
import javafx.scene.control.ComboBox;
import javafx.scene.control.Label;
import javafx.scene.control.ListCell;
import javafx.scene.control.ListView;
import javafx.scene.control.Tooltip;
import javafx.scene.control.skin.ComboBoxListViewSkin;
import javafx.scene.layout.VBox;
import javafx.util.StringConverter;
import org.controlsfx.control.SearchableComboBox;
import org.jspecify.annotations.Nullable;

/// Combo boxes whose items are formatted by a function.
public final class ComboBoxes {
    private ComboBoxes() {}

    public static <T> ComboBox<T> of(String id, Function<? super T, String> words) {
        return dressed(new ComboBox<>(), id, words);
    }

    /// One with a field that finds items by a part of their words, for lists that may be long.
    public static <T> ComboBox<T> searchable(String id, Function<? super T, String> words) {
        return dressed(new SearchableComboBox<>(), id, words);
    }

    /// Chooses a property's value from now on, and shows it. While a search hides the chosen item the box has no value: the property keeps
    /// its own.
    public static <T> void choose(ComboBox<T> combo, Property<@Nullable T> property) {
        combo.setValue(property.getValue());
        property.addListener((observed, before, now) -> combo.setValue(now));
        combo.valueProperty().addListener((observed, before, now) -> {
            if (now != null) {
                property.setValue(now);
            }
        });
    }

    private static <T> ComboBox<T> dressed(ComboBox<T> combo, String id, Function<? super T, String> words) {
        combo.setId(id);
        combo.setMaxWidth(Double.MAX_VALUE);
        combo.setMinWidth(120);
        combo.setPrefWidth(220);
        combo.setCellFactory(view -> cell(words));
        combo.setButtonCell(cell(words));
        // A value outside the items is formatted by the converter.
        combo.setConverter(words(words));
        return combo;
    }

    /// Formats the items of a box in which nothing is typed.
    public static <T> StringConverter<T> words(Function<? super T, String> words) {
        return new StringConverter<>() {
            @Override
            public String toString(@Nullable T item) {
                return item == null ? "" : words.apply(item);
            }

            @Override
            public @Nullable T fromString(String typed) {
                return null;
            }
        };
    }

    /// Makes the open list as high as its items of different heights, at most as high as the window. Its skin measures them before they
    /// are laid out, and would scroll by some pixels.
    public static void showAll(ComboBox<?> combo) {
        combo.setOnShown(event -> {
            if (combo.getSkin() instanceof ComboBoxListViewSkin<?> skin
                    && skin.getPopupContent() instanceof ListView<?> list) {
                list.applyCss();
                list.layout();
                double rows = list.lookupAll(".list-cell").stream().map(cell -> (ListCell<?>) cell)
                        .filter(cell -> !cell.isEmpty()).mapToDouble(ListCell::getHeight).sum();
                double whole = rows + list.snappedTopInset() + list.snappedBottomInset();
                if (whole > list.getHeight()) {
                    list.setPrefHeight(Math.min(Math.ceil(whole) + 1, combo.getScene().getHeight()));
                }
            }
        });
    }

    /// Redraws the closed box: after a change of items it may show the text of another one.
    public static <T> void redraw(ComboBox<T> combo, Function<? super T, String> words) {
        combo.setButtonCell(cell(words));
    }

    private static <T> ListCell<T> cell(Function<? super T, String> words) {
        return new ListCell<>() {
            @Override
            protected void updateItem(@Nullable T item, boolean empty) {
                super.updateItem(item, empty);
                setText(empty || item == null ? null : words.apply(item));
                // A long text is cut.
                setTooltip(getText() == null || getText().isEmpty() ? null : new Tooltip(getText()));
            }
        };
    }

    /// A choice in an open list: its name, and under it what it is for.
    ///
    /// @param <T> a choice
    public static final class DescribedCell<T> extends ListCell<T> {
        private final Function<? super T, String> sentence;
        private final Label name = Labels.of("");
        private final Label purpose;
        private final VBox lines;

        /// @param sentence what a choice is for; may be empty
        /// @param width of the sentence with texts of the usual size
        public DescribedCell(Function<? super T, String> sentence, double width) {
            this.sentence = sentence;
            purpose = Labels.cell("", width, Styles.TEXT_MUTED, Styles.TEXT_SMALL);
            lines = new VBox(name, purpose);
        }

        @Override
        protected void updateItem(@Nullable T item, boolean empty) {
            super.updateItem(item, empty);
            setText(null);
            setGraphic(empty || item == null ? null : lines);
            if (!empty && item != null) {
                name.setText(item.toString());
                purpose.setText(Labels.unbroken(sentence.apply(item)));
                Panes.show(purpose, !purpose.getText().isEmpty());
            }
        }
    }
}
