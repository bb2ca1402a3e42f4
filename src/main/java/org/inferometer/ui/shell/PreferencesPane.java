package org.inferometer.ui.shell;

import static org.inferometer.ui.fx.Messages.text;

import atlantafx.base.theme.Styles;
import java.util.Optional;
import java.util.stream.Stream;
import javafx.beans.property.Property;
import javafx.geometry.Insets;
import javafx.scene.control.CheckBox;
import javafx.scene.control.ComboBox;
import javafx.scene.control.Control;
import javafx.scene.layout.GridPane;
import javafx.scene.layout.Region;
import org.inferometer.ui.bench.LiveMode;
import org.inferometer.ui.bench.LiveViewModel;
import org.inferometer.ui.fx.ComboBoxes;
import org.inferometer.ui.fx.Labels;
import org.inferometer.ui.theme.TextSize;
import org.inferometer.ui.theme.ThemeChoice;

/// The preferences as a form. Every change takes effect at once.
final class PreferencesPane extends GridPane {
    private static final double WIDTH = 460;
    private int row;

    PreferencesPane(Preferences preferences, LiveViewModel live) {
        super(16, 10);
        setId("preferences");
        prefWidthProperty().bind(preferences.textSize().map(size -> WIDTH * size.scale()));
        setPadding(new Insets(14, 0, 0, 0));
        ComboBox<ThemeChoice> theme =
                ComboBoxes.of("preferences-theme", choice -> text("preferences.theme." + choice.key()));
        theme.getItems().setAll(ThemeChoice.values());
        theme.valueProperty().bindBidirectional(preferences.theme());
        ComboBox<TextSize> size =
                ComboBoxes.of("preferences-text-size", chosen -> text("preferences.percent", chosen.percent()));
        size.getItems().setAll(TextSize.ALL.stream().map(TextSize::new).toList());
        size.valueProperty().bindBidirectional(preferences.textSize());
        ComboBox<Optional<LiveMode>> mode = ComboBoxes.of("preferences-live-mode",
                chosen -> chosen.map(LiveMode::label).orElse(text("live.mode.automatic")));
        mode.getItems().add(Optional.empty());
        Stream.of(LiveMode.values()).map(Optional::of).forEach(mode.getItems()::add);
        mode.setValue(live.chosen().get());
        mode.valueProperty()
                .addListener((observed, before, now) -> now.ifPresentOrElse(live::choose, live::chooseAutomatically));
        field("preferences.theme", theme);
        field("preferences.text-size", size);
        flag("preferences-contrast", "preferences.contrast", preferences.contrast());
        field("preferences.live-mode", mode);
        flag("preferences-restore", "preferences.restore", preferences.restore());
        add(Labels.wrapped(text("preferences.privacy"), Styles.TEXT_MUTED, Styles.TEXT_SMALL), 0, row++, 2, 1);
    }

    private void field(String key, Control control) {
        add(Labels.fixed(text(key)), 0, row);
        add(control, 1, row++);
    }

    private void flag(String id, String key, Property<Boolean> flag) {
        CheckBox box = new CheckBox(text(key));
        box.setWrapText(true);
        box.setMinHeight(Region.USE_PREF_SIZE);
        box.setId(id);
        box.selectedProperty().bindBidirectional(flag);
        add(box, 1, row++);
    }
}
