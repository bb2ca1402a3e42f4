package org.inferometer.ui.fx;

import static org.inferometer.ui.fx.Messages.text;

import java.util.List;
import java.util.regex.Matcher;
import javafx.scene.control.Hyperlink;
import javafx.scene.layout.HBox;
import javafx.scene.layout.Priority;
import javafx.scene.layout.Region;
import org.inferometer.experiment.ExperimentFields;
import org.inferometer.experiment.Field;
import org.inferometer.units.CommandAdvice;
import org.inferometer.units.LinearPatterns;

/// Sentences of records, reports and plans with the window's own actions in place of commands and options.
@LinearPatterns("A pattern is a fixed text, and what must not stand beside it.")
public final class WindowAdvice {
    private static final List<CommandAdvice> IN_DEVICES = List.of(CommandAdvice.SELF_CHECK, CommandAdvice.VARIATION);

    private WindowAdvice() {}

    /// The sentence as the window says it: actions by their names, fields by their labels.
    public static String of(String sentence) {
        String said = sentence;
        for (CommandAdvice advice : CommandAdvice.values()) {
            said = advice.pattern().matcher(said).replaceAll(Matcher.quoteReplacement(action(advice)));
        }
        for (Field<?, ?> field : ExperimentFields.ALL) {
            String option = field.naming().option();
            if (option != null && said.contains(option)) {
                said = said.replaceAll(option + "(?![\\w-])",
                        Matcher.quoteReplacement(text("advice.field", field.naming().label())));
            }
        }
        return said;
    }

    private static String action(CommandAdvice advice) {
        return switch (advice) {
            case SELF_CHECK -> text("advice.self-check");
            case AGAINST -> text("advice.against");
            case VARIATION -> text("advice.variation");
            case RATE -> text("advice.rate");
            case QUALITY -> text("advice.quality");
            case BUILD -> text("advice.build");
            case DELETE_KEPT -> text("advice.delete-kept");
        };
    }

    /// The words of a sentence, and a link to what the sentence advises where that is in another view.
    ///
    /// @param words shows the sentence; takes the width that is left
    /// @param showDevices shows the Devices view
    public static Region withLink(Region words, String sentence, Runnable showDevices) {
        HBox.setHgrow(words, Priority.ALWAYS);
        if (IN_DEVICES.stream().noneMatch(advice -> advice.pattern().matcher(sentence).find())) {
            return words;
        }
        Hyperlink link = Buttons.link("advice-devices", text("advice.show-devices"), showDevices);
        link.setMinWidth(Region.USE_PREF_SIZE);
        // Behind the words where there is room, else below them.
        TailRow both = new TailRow(words, link);
        HBox.setHgrow(both, Priority.ALWAYS);
        return both;
    }
}
