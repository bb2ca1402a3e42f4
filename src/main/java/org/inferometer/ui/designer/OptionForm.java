package org.inferometer.ui.designer;

import static org.inferometer.ui.fx.Messages.counted;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import javafx.scene.Node;
import javafx.scene.control.CheckBox;
import javafx.scene.control.ComboBox;
import javafx.scene.control.Control;
import javafx.scene.control.Tooltip;
import javafx.scene.layout.VBox;
import org.inferometer.options.OptionKind;
import org.inferometer.ui.fx.Labels;
import org.inferometer.ui.fx.Panes;
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

    /// The options of a backend: those that differ from their defaults, and the others folded.
    static final class FoldedOptions extends VBox {
        private final Map<OptionViewModel, Node> rows = new LinkedHashMap<>();
        private final VBox set = form();
        private final VBox others = form();
        private final FoldButton fold;

        /// @param key prefix of the ids of the controls
        /// @param open whether all are shown at first
        FoldedOptions(String key, List<OptionViewModel> options, boolean open) {
            options.forEach(option -> rows.put(option, OptionForm.control(key, option)));
            fold = new FoldButton("designer-" + key + "-options", "").folding(others);
            fold.setSelected(open);
            fold.selectedProperty().addListener((observed, before, now) -> arrange());
            options.forEach(option -> option.text().addListener((observed, before, now) -> arrange()));
            getChildren().addAll(set, fold, others);
            if (open) {
                others.getChildren().setAll(rows.values());
                label();
            } else {
                arrange();
            }
        }

        private static VBox form() {
            return Panes.styled(new VBox(5), StyleClasses.OPTION_FORM);
        }

        /// While all are shown, and while one is typed, every option keeps its place.
        private void arrange() {
            if (fold.isSelected() || set.isFocusWithin()) {
                return;
            }
            List<Node> differing = rows.keySet().stream()
                    .filter(option -> !option.valid() || option.changed().isPresent()).map(rows::get).toList();
            if (!differing.equals(set.getChildren()) || others.getChildren().isEmpty()) {
                others.getChildren().clear();
                set.getChildren().setAll(differing);
                others.getChildren().setAll(rows.values().stream().filter(row -> !differing.contains(row)).toList());
            }
            Panes.show(set, !differing.isEmpty());
            label();
        }

        private void label() {
            fold.setText(counted("designer.options", others.getChildren().size()));
            Panes.show(fold, !others.getChildren().isEmpty());
        }
    }
}
