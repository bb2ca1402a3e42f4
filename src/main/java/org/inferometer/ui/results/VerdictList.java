package org.inferometer.ui.results;

import static org.inferometer.ui.fx.Messages.text;

import atlantafx.base.theme.Styles;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javafx.scene.Node;
import javafx.scene.layout.Region;
import javafx.scene.layout.VBox;
import org.inferometer.record.Verdict;
import org.inferometer.ui.fx.Labels;
import org.inferometer.ui.fx.Panes;
import org.inferometer.ui.theme.StyleClasses;
import org.inferometer.wording.Voice;
import org.kordamp.ikonli.javafx.FontIcon;

/// The conditions of a verdict, one line each, with remedies.
public final class VerdictList {
    private VerdictList() {}

    /// Conditions, unmet ones first. Those of which the same is said share a line.
    ///
    /// @param showDevices shows the Devices view, which some remedies need
    public static Node createView(Verdict verdict, Runnable showDevices) {
        VBox list = Panes.styled(new VBox(6), StyleClasses.VERDICT_LIST);
        Map<String, List<Verdict.Condition>> lines = new LinkedHashMap<>();
        verdict.conditions().stream().sorted(Comparator.comparingInt(VerdictList::rank)).forEach(
                condition -> lines.computeIfAbsent(condition.observed().isEmpty() ? condition.name() : words(condition),
                        words -> new ArrayList<>()).add(condition));
        lines.values().forEach(conditions -> list.getChildren().add(line(conditions, showDevices)));
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

    /// "not checked · no readings".
    private static String words(Verdict.Condition condition) {
        String state = switch (condition.state()) {
            case MET -> text("condition.met");
            case BROKEN -> text("condition.broken");
            case TOO_LITTLE -> text("condition.too-little");
            case WARNING -> text("condition.warning");
            case NOT_CHECKED -> text("condition.not-checked");
        };
        return String.join(" · ", Stream.of(state, condition.observed(), condition.remedy(Voice.WINDOW))
                .filter(word -> !word.isEmpty()).distinct().toList());
    }

    /// @param conditions of one state, with the same words; at least one
    private static Node line(List<Verdict.Condition> conditions, Runnable showDevices) {
        Verdict.Condition condition = conditions.getFirst();
        FontIcon icon = switch (condition.state()) {
            case MET -> Labels.icon("mdal-check_circle", StyleClasses.STATE_ENDED);
            case BROKEN -> Labels.icon("mdal-error", StyleClasses.STATE_FAILED);
            case TOO_LITTLE -> Labels.icon("mdal-hourglass_empty", StyleClasses.STATE_RUNNING);
            case WARNING -> Labels.icon("mdmz-warning", StyleClasses.STATE_CAUTION);
            case NOT_CHECKED -> Labels.icon("mdal-help_outline", StyleClasses.STATE_PLANNED);
        };
        Region words = Labels.wrapped(words(condition), Styles.TEXT_MUTED);
        Region observed = condition.needsSelfCheck() ? DevicesLink.behind(words, showDevices) : Panes.filling(words);
        String names = conditions.stream().map(Verdict.Condition::name).collect(Collectors.joining("\n"));
        return Panes.topRow(8, icon, Labels.fixed(names), observed);
    }
}
