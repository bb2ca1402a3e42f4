package org.inferometer.ui.shell;

import static org.inferometer.ui.fx.Messages.text;

import atlantafx.base.theme.Styles;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javafx.beans.property.Property;
import javafx.beans.value.ChangeListener;
import javafx.beans.value.WeakChangeListener;
import javafx.geometry.Insets;
import javafx.scene.Node;
import javafx.scene.control.CheckBox;
import javafx.scene.control.ComboBox;
import javafx.scene.control.Label;
import javafx.scene.control.TextField;
import javafx.scene.input.KeyCombination;
import javafx.scene.input.KeyEvent;
import javafx.scene.layout.GridPane;
import javafx.scene.layout.Region;
import javafx.scene.layout.VBox;
import org.inferometer.ui.bench.LiveMode;
import org.inferometer.ui.bench.LiveViewModel;
import org.inferometer.ui.fx.Action;
import org.inferometer.ui.fx.ComboBoxes;
import org.inferometer.ui.fx.Labels;
import org.inferometer.ui.fx.Panes;
import org.inferometer.ui.fx.SearchFields;
import org.inferometer.ui.theme.Appearance.ThemeChoice;
import org.inferometer.ui.theme.StyleClasses;
import org.inferometer.ui.theme.TextSize;
import org.inferometer.units.LetterCase;
import org.jspecify.annotations.Nullable;

/// The preferences as a form in groups. Every change takes effect at once.
final class PreferencesPane extends VBox {
    private static final double WIDTH = 460;
    private static final KeyCombination FIND = KeyCombination.valueOf("Shortcut+F");
    /// Actions that change preferences, which act here, too.
    private static final List<String> ALSO_HERE =
            List.of("menu-live-mode", "menu-theme", "menu-text-larger", "menu-text-smaller", "menu-text-usual");
    private final GridPane form = Panes.named("preferences", new GridPane(16, 10));
    private final List<Row> rows = new ArrayList<>();
    private final Label nothing = Labels.wrapped(text("preferences.none"), Styles.TEXT_MUTED);
    private final ComboBox<Optional<LiveMode>> mode = ComboBoxes.of("preferences-live-mode",
            chosen -> chosen.map(LiveMode::label).orElse(text("live.mode.automatic")));
    /// Held here: the live mode outlives the form, and knows it weakly.
    private final ChangeListener<Optional<LiveMode>> follows = (observed, before, now) -> mode.setValue(now);

    /// A preference.
    ///
    /// @param words by which it is found: group, name and choices
    /// @param label before the control; null if the control has its own
    private record Row(String group, String words, @Nullable Label label, Node control) {
        boolean matches(String wanted) {
            return Arrays.stream(LetterCase.lower(wanted.strip()).split("\\s+"))
                    .allMatch(word -> LetterCase.lower(words).contains(word));
        }
    }

    /// @param actions of the window; those that change preferences act here, too
    PreferencesPane(Preferences preferences, LiveViewModel live, List<Action> actions) {
        super(10);
        form.prefWidthProperty().bind(preferences.textSize().map(size -> WIDTH * size.scale()));
        form.setPadding(new Insets(14, 0, 0, 0));
        ComboBox<ThemeChoice> theme =
                ComboBoxes.of("preferences-theme", choice -> text("preferences.theme." + choice.key()));
        theme.getItems().setAll(ThemeChoice.values());
        theme.valueProperty().bindBidirectional(preferences.theme());
        ComboBox<TextSize> size =
                ComboBoxes.of("preferences-text-size", chosen -> text("preferences.percent", chosen.percent()));
        size.getItems().setAll(TextSize.ALL.stream().map(TextSize::new).toList());
        size.valueProperty().bindBidirectional(preferences.textSize());
        mode.getItems().add(Optional.empty());
        Stream.of(LiveMode.values()).map(Optional::of).forEach(mode.getItems()::add);
        mode.setValue(live.chosen().get());
        live.chosen().addListener(new WeakChangeListener<>(follows));
        mode.valueProperty()
                .addListener((observed, before, now) -> now.ifPresentOrElse(live::choose, live::chooseAutomatically));
        String looks = text("preferences.group.looks");
        field(looks, "preferences.theme", theme);
        field(looks, "preferences.text-size", size);
        flag(looks, "preferences-contrast", "preferences.contrast", preferences.contrast());
        field(text("preferences.group.measuring"), "preferences.live-mode", mode);
        flag(text("preferences.group.session"), "preferences-restore", "preferences.restore", preferences.restore());
        String privacy = text("preferences.group.privacy");
        rows.add(new Row(privacy, privacy + " " + text("preferences.privacy"), null,
                Labels.wrapped(text("preferences.privacy"), Styles.TEXT_MUTED, Styles.TEXT_SMALL)));
        TextField find = SearchFields.of("preferences-find", text("preferences.find"));
        find.textProperty().subscribe(this::find);
        getChildren().addAll(find, form);
        addEventHandler(KeyEvent.KEY_PRESSED, event -> {
            if (FIND.match(event)) {
                find.requestFocus();
                find.selectAll();
                event.consume();
                return;
            }
            actions.stream().filter(action -> ALSO_HERE.contains(action.id()) && action.available())
                    .filter(action -> KeyCombination.valueOf(action.key()).match(event)).findFirst()
                    .ifPresent(action -> {
                        action.onAction().run();
                        event.consume();
                    });
        });
    }

    /// Shows the preferences that have every word of a text in their group, name or choices.
    ///
    /// @return how many
    int find(String wanted) {
        List<Row> found = rows.stream().filter(row -> row.matches(wanted)).toList();
        form.getChildren().clear();
        int at = 0;
        String group = "";
        for (Row row : found) {
            if (!row.group().equals(group)) {
                group = row.group();
                form.add(Labels.of(group, StyleClasses.TILE_TITLE), 0, at++, 2, 1);
            }
            if (row.label() == null) {
                form.add(row.control(), 0, at++, 2, 1);
            } else {
                form.add(row.label(), 0, at);
                form.add(row.control(), 1, at++);
            }
        }
        if (found.isEmpty()) {
            form.add(nothing, 0, 0, 2, 1);
        }
        return found.size();
    }

    private <T> void field(String group, String key, ComboBox<T> box) {
        String choices = box.getItems().stream().map(box.getConverter()::toString).collect(Collectors.joining(" "));
        Label label = Labels.fixed(text(key));
        label.setLabelFor(box);
        rows.add(new Row(group, group + " " + text(key) + " " + choices, label, box));
    }

    private void flag(String group, String id, String key, Property<Boolean> flag) {
        CheckBox box = new CheckBox(text(key));
        box.setWrapText(true);
        box.setMinHeight(Region.USE_PREF_SIZE);
        box.setId(id);
        box.selectedProperty().bindBidirectional(flag);
        rows.add(new Row(group, group + " " + text(key), null, box));
    }
}
