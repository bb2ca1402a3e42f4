package org.inferometer.ui.results;

import static org.inferometer.ui.fx.Messages.text;

import java.util.Comparator;
import javafx.geometry.Pos;
import javafx.scene.Node;
import javafx.scene.control.Label;
import javafx.scene.layout.HBox;
import javafx.scene.layout.Priority;
import javafx.scene.layout.Region;
import javafx.scene.layout.VBox;
import org.inferometer.record.Verdict;
import org.kordamp.ikonli.javafx.FontIcon;

/// The conditions of a verdict, one line each, with what to do where one does not hold.
public final class VerdictList {
    private VerdictList() {}

    /// A column of lines, what is wrong first.
    public static Node createView(Verdict verdict) {
        VBox list = new VBox(6);
        list.getStyleClass().add("verdict-list");
        verdict.conditions().stream().sorted(Comparator.comparingInt(VerdictList::rank))
                .forEach(condition -> list.getChildren().add(line(condition)));
        return list;
    }

    private static int rank(Verdict.Condition condition) {
        return switch (condition.state()) {
            case BROKEN -> 0;
            case TOO_LITTLE -> 1;
            case WARNING -> 2;
            case MET -> 3;
            case NOT_CHECKED -> 4;
        };
    }

    private static Node line(Verdict.Condition condition) {
        FontIcon icon = new FontIcon(switch (condition.state()) {
            case MET -> "mdal-check_circle";
            case BROKEN -> "mdal-error";
            case TOO_LITTLE -> "mdal-hourglass_empty";
            case WARNING -> "mdmz-warning";
            case NOT_CHECKED -> "mdal-help_outline";
        });
        icon.getStyleClass().add(switch (condition.state()) {
            case MET -> "state-ended";
            case BROKEN -> "state-failed";
            case TOO_LITTLE -> "state-running";
            case WARNING -> "state-caution";
            case NOT_CHECKED -> "state-planned";
        });
        Label name = new Label(condition.name());
        name.setMinWidth(Region.USE_PREF_SIZE);
        String state = switch (condition.state()) {
            case MET -> text("condition.met");
            case BROKEN -> text("condition.broken");
            case TOO_LITTLE -> text("condition.too-little");
            case WARNING -> text("condition.warning");
            case NOT_CHECKED -> text("condition.not-checked");
        };
        String words = String.join(" · ", java.util.stream.Stream.of(state, condition.observed(), condition.remedy())
                .filter(word -> !word.isEmpty()).distinct().toList());
        Label observed = new Label(words);
        observed.getStyleClass().add("muted");
        observed.setWrapText(true);
        HBox.setHgrow(observed, Priority.ALWAYS);
        HBox row = new HBox(8, icon, name, observed);
        row.setAlignment(Pos.TOP_LEFT);
        return row;
    }
}
