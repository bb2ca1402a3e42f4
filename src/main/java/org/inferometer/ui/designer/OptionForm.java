package org.inferometer.ui.designer;

import java.util.List;
import javafx.scene.Node;
import javafx.scene.control.CheckBox;
import javafx.scene.control.ComboBox;
import javafx.scene.control.Control;
import javafx.scene.control.Tooltip;
import javafx.scene.layout.VBox;
import org.inferometer.options.OptionKind;
import org.inferometer.ui.fx.Labels;
import org.inferometer.ui.theme.StyleClasses;

/// A form made from option descriptions: a check box for a flag, a combo box for a choice, a field with its unit for a
/// number.
final class OptionForm extends VBox {
    /// @param key prefix of the ids of the controls: "parallel-2"
    OptionForm(String key, List<OptionGroup> groups) {
        getStyleClass().add(StyleClasses.OPTION_FORM);
        setSpacing(5);
        for (OptionGroup group : groups) {
            if (!group.title().isEmpty()) {
                getChildren().add(Labels.of(group.title(), StyleClasses.OPTION_GROUP));
            }
            group.options().forEach(option -> getChildren().add(control(key, option)));
        }
    }

    /// The control of an option.
    static Node control(String key, OptionViewModel option) {
        return switch (option.description().kind()) {
            case OptionKind.Whole ignored -> FieldRow.of(key, option);
            case OptionKind.Decimal ignored -> FieldRow.of(key, option);
            case OptionKind.Text() -> FieldRow.of(key, option);
            case OptionKind.Flag() -> flag(key, option);
            case OptionKind.Choice(var words) -> {
                ComboBox<String> box = new ComboBox<>();
                box.getItems().setAll(words);
                box.valueProperty().bindBidirectional(option.text());
                describe(key, option, box);
                yield FieldRow.labelled(option.description().label(), box);
            }
        };
    }

    private static Node flag(String key, OptionViewModel option) {
        CheckBox box = new CheckBox(option.description().label());
        box.setSelected(Boolean.parseBoolean(option.text().get()));
        box.selectedProperty().addListener((observed, before, now) -> option.text().set(Boolean.toString(now)));
        option.text().addListener((observed, before, now) -> box.setSelected(Boolean.parseBoolean(now)));
        box.getStyleClass().add(StyleClasses.OPTION_FLAG);
        describe(key, option, box);
        return box;
    }

    private static void describe(String key, OptionViewModel option, Control control) {
        control.setId(key + "-" + option.description().name());
        control.setTooltip(new Tooltip(option.help()));
        control.setAccessibleHelp(option.description().help());
    }
}
