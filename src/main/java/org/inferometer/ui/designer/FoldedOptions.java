package org.inferometer.ui.designer;

import static org.inferometer.ui.fx.Messages.counted;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import javafx.scene.Node;
import javafx.scene.layout.VBox;
import org.inferometer.ui.fx.Panes;
import org.inferometer.ui.theme.StyleClasses;

/// The options of a backend: those that differ from their defaults, and the others folded.
final class FoldedOptions extends VBox {
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
        VBox form = new VBox(5);
        form.getStyleClass().add(StyleClasses.OPTION_FORM);
        return form;
    }

    /// While all are shown, and while one is typed, every option keeps its place.
    private void arrange() {
        if (fold.isSelected() || set.isFocusWithin()) {
            return;
        }
        List<Node> differing = rows.keySet().stream().filter(option -> !option.valid() || option.changed().isPresent())
                .map(rows::get).toList();
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
