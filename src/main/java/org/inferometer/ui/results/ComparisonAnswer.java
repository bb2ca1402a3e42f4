package org.inferometer.ui.results;

import static org.inferometer.ui.fx.Messages.text;

import atlantafx.base.theme.Styles;
import java.util.List;
import javafx.scene.Node;
import javafx.scene.control.Label;
import javafx.scene.layout.HBox;
import javafx.scene.layout.Priority;
import javafx.scene.layout.VBox;
import org.inferometer.report.compare.ResultComparison.Pair;
import org.inferometer.ui.fx.Buttons;
import org.inferometer.ui.fx.Chips;
import org.inferometer.ui.fx.Labels;
import org.inferometer.ui.fx.Panes;
import org.inferometer.ui.results.ComparisonViewModel.ComparisonOutcome;
import org.inferometer.ui.theme.StyleClasses;
import org.inferometer.wording.ComparisonWording;

/// The answer of a comparison: headline, what differs, whether the sides are comparable, and the warnings of all pairs.
final class ComparisonAnswer {
    private ComparisonAnswer() {}

    /// @param showDevices shows the Devices view, which some cautions advise
    /// @param rankAnyway called by the button, which only pairs that may be ranked have
    static Node createView(ComparisonOutcome outcome, Runnable rankAnyway, Runnable showDevices) {
        List<Pair> pairs = outcome.comparison().pairs();
        Label headline = Panes.named("comparison-headline",
                Labels.wrapped(outcome.comparison().headline().toString(), StyleClasses.HEADLINE));
        HBox.setHgrow(headline, Priority.ALWAYS);
        HBox first = Panes.topRow(12, headline, comparable(pairs));
        if (pairs.stream().anyMatch(Pair::mayBeRanked)) {
            first.getChildren()
                    .add(Buttons.of("comparison-anyway", "mdmz-warning", text("compare.anyway"), rankAnyway));
        }
        VBox card = new VBox(4, first);
        contrasts(pairs).forEach(
                contrast -> card.getChildren().add(Labels.wrapped(contrast, Styles.TEXT_MUTED, Styles.TEXT_SMALL)));
        PairText.warnings(pairs).forEach(line -> card.getChildren().add(PairCard.line(line, showDevices)));
        card.setId("comparison-answer");
        card.getStyleClass().addAll(StyleClasses.CARD, StyleClasses.COMPARISON_ANSWER);
        return card;
    }

    /// What differs where it is the same for all pairs, else nothing: the cards say it.
    private static List<String> contrasts(List<Pair> pairs) {
        List<String> contrasts =
                pairs.stream().map(pair -> ComparisonWording.sentence(pair.contrast())).distinct().toList();
        return contrasts.size() == 1 ? contrasts : List.of();
    }

    private static Label comparable(List<Pair> pairs) {
        List<Pair> unranked = pairs.stream().filter(pair -> !pair.ranked()).toList();
        if (!unranked.isEmpty()) {
            boolean invalid =
                    unranked.stream().anyMatch(pair -> pair.baseSide().invalid() || pair.candidateSide().invalid());
            String all = unranked.size() == pairs.size() ? text("compare.chip-unranked")
                    : text("compare.chip-unranked-some", unranked.size(), pairs.size());
            return Chips.chip(all, "mdmz-warning", invalid ? StyleClasses.CHIP_BAD : StyleClasses.CHIP_WARN);
        }
        return pairs.stream().allMatch(pair -> pair.differences().isEmpty())
                ? Chips.chip(text("compare.chip-comparable"), "mdal-check_circle", StyleClasses.CHIP_GOOD)
                : Chips.chip(text("compare.chip-anyway"), "mdmz-warning", StyleClasses.CHIP_WARN);
    }
}
