package org.inferometer.ui.designer;

import static org.inferometer.ui.fx.Messages.text;

import java.util.List;
import javafx.geometry.Pos;
import javafx.scene.Node;
import javafx.scene.control.CheckBox;
import javafx.scene.control.ComboBox;
import javafx.scene.control.Control;
import javafx.scene.control.Label;
import javafx.scene.control.Tooltip;
import javafx.scene.layout.HBox;
import javafx.scene.layout.Priority;
import javafx.scene.layout.VBox;
import org.inferometer.options.OptionKind;

/// The form made from option descriptions: a tick for a flag, a list for a choice, a field with its unit for a number.
final class OptionForm extends VBox {
    private static final int LONG_NAME = 16;

    /// @param key names the fields in the window: "parallel-2"
    OptionForm(String key, List<OptionGroup> groups) {
        getStyleClass().add("option-form");
        setSpacing(5);
        for (OptionGroup group : groups) {
            if (!group.title().isEmpty()) {
                Label title = new Label(group.title());
                title.getStyleClass().add("option-group");
                getChildren().add(title);
            }
            group.options().forEach(option -> getChildren().add(control(key, option)));
        }
    }

    private static Node control(String key, OptionViewModel option) {
        return switch (option.description().kind()) {
            case OptionKind.Whole ignored -> FieldRow.of(key, option);
            case OptionKind.Decimal ignored -> FieldRow.of(key, option);
            case OptionKind.Text() -> FieldRow.of(key, option);
            case OptionKind.Flag() -> flag(key, option);
            case OptionKind.Choice(var words) -> {
                ComboBox<String> box = new ComboBox<>();
                box.getItems().setAll(words);
                box.valueProperty().bindBidirectional(option.text());
                yield labelled(key, option, box);
            }
        };
    }

    private static Node flag(String key, OptionViewModel option) {
        CheckBox box = new CheckBox(option.description().name());
        // An underscore is part of the name here, not the mark of a mnemonic.
        box.setMnemonicParsing(false);
        box.setSelected(Boolean.parseBoolean(option.text().get()));
        box.selectedProperty().addListener((observed, before, now) -> option.text().set(Boolean.toString(now)));
        option.text().addListener((observed, before, now) -> box.setSelected(Boolean.parseBoolean(now)));
        box.getStyleClass().add("option-flag");
        describe(key, option, box);
        return box;
    }

    /// A long name gets a line of its own, so that it can be read in full.
    private static Node labelled(String key, OptionViewModel option, ComboBox<String> control) {
        Label label = new Label(option.description().name());
        label.getStyleClass().add("field-label");
        label.setLabelFor(control);
        control.setMaxWidth(Double.MAX_VALUE);
        describe(key, option, control);
        if (option.description().name().length() > LONG_NAME) {
            label.getStyleClass().add("long-label");
            VBox lines = new VBox(2, label, control);
            lines.getStyleClass().add("field-row");
            return lines;
        }
        label.setMinWidth(0);
        HBox.setHgrow(control, Priority.ALWAYS);
        HBox line = new HBox(8, label, control);
        line.setAlignment(Pos.CENTER_LEFT);
        line.getStyleClass().add("field-row");
        return line;
    }

    private static void describe(String key, OptionViewModel option, Control control) {
        control.setId(key + "-" + option.description().name());
        control.setTooltip(new Tooltip(text("designer.option-help", option.description().help(),
                option.description().range(), option.description().standard())));
        control.setAccessibleHelp(option.description().help());
    }
}
