package org.inferometer.ui.results;

import static org.inferometer.ui.fx.Messages.text;

import atlantafx.base.theme.Styles;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import javafx.scene.Node;
import javafx.scene.control.CheckBox;
import javafx.scene.control.Label;
import javafx.scene.control.Tooltip;
import javafx.scene.layout.HBox;
import javafx.scene.layout.Priority;
import javafx.scene.layout.VBox;
import org.inferometer.finding.NotJudged;
import org.inferometer.measurement.comparison.MarginCheck.Outcome;
import org.inferometer.report.compare.GateResult;
import org.inferometer.report.compare.ResultComparison.Pair;
import org.inferometer.report.compare.SettingTable;
import org.inferometer.report.compare.SideNames;
import org.inferometer.ui.fx.Buttons;
import org.inferometer.ui.fx.Chips;
import org.inferometer.ui.fx.Labels;
import org.inferometer.ui.fx.Panes;
import org.inferometer.ui.results.ComparisonViewModel.ComparisonOutcome;
import org.inferometer.ui.theme.StyleClasses;
import org.inferometer.wording.ComparisonWording;
import org.kordamp.ikonli.javafx.FontIcon;

/// The cards of a comparison: the answer, verdict and table of each pair, the regression gate, and the settings.
final class ComparisonCards {
    private ComparisonCards() {}

    /// The answer: headline, what differs, whether the sides are comparable, and the warnings of all pairs.
    ///
    /// @param showDevices shows the Devices view, which some cautions advise
    /// @param rankAnyway called by the button, which only pairs that may be ranked have
    static Node answer(ComparisonOutcome outcome, Runnable rankAnyway, Runnable showDevices) {
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
        PairText.warnings(pairs).forEach(line -> card.getChildren().add(line(line, showDevices)));
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

    /// @param names of the sides
    /// @param showDevices shows the Devices view
    static Node verdict(Pair pair, SideNames names, Runnable showDevices) {
        VBox card = Panes.styled(card(pair, names), StyleClasses.PAIR_VERDICT);
        PairText.verdict(pair).forEach(line -> card.getChildren().add(line(line, showDevices)));
        return card;
    }

    /// A table of all metrics of a pair.
    ///
    /// @param named whether its sides are named again, as there are several
    /// @param shared notes that are shown for all pairs
    static Node figures(Pair pair, SideNames names, boolean named, List<String> shared) {
        VBox card = card(pair, names);
        Panes.show(card.getChildren().getFirst(), named);
        card.getChildren().add(ReportTableView.createView(PairText.table(pair)));
        PairText.notes(pair).stream().filter(note -> !shared.contains(note)).map(ComparisonCards::note)
                .forEach(card.getChildren()::add);
        return card;
    }

    /// A note on a table or a gate.
    static Label note(String note) {
        return Labels.wrapped(note, Styles.TEXT_MUTED, Styles.TEXT_SMALL);
    }

    private static VBox card(Pair pair, SideNames names) {
        Label candidate = Labels.wrapped(names.of(pair.candidateSide()), StyleClasses.TILE_TITLE);
        candidate.setTooltip(new Tooltip(pair.candidate()));
        Label base = Labels.wrapped(text("compare.against", names.of(pair.baseSide())), Styles.TEXT_MUTED,
                Styles.TEXT_SMALL);
        base.setTooltip(new Tooltip(pair.base()));
        return Panes.styled(new VBox(8, new VBox(2, candidate, base)), StyleClasses.CARD, StyleClasses.SECTION_CARD);
    }

    /// @param showDevices shows the Devices view, which some cautions advise
    private static Node line(PairText.VerdictLine line, Runnable showDevices) {
        FontIcon icon = switch (line.tone()) {
            case BETTER -> Labels.icon("mdal-arrow_upward", StyleClasses.STATE_BETTER);
            case WORSE -> Labels.icon("mdal-arrow_downward", StyleClasses.STATE_WORSE);
            case ALIKE -> Labels.icon("mdal-drag_handle", StyleClasses.STATE_PLANNED);
            case CAUTION, CALIBRATION -> Labels.icon("mdmz-warning", StyleClasses.STATE_CAUTION);
        };
        return Panes.topRow(8, icon,
                line.tone() == PairText.Tone.CALIBRATION
                        ? VerdictList.devicesBehind(Labels.wrapped(line.text()), showDevices)
                        : Panes.filling(Labels.wrapped(line.text())));
    }

    /// The regression gate: passed or failed, then one line per check. Checks that one reason keeps from being judged share a line.
    static List<Node> gate(ComparisonOutcome reading, boolean strict) {
        if (reading.gate().isEmpty()) {
            return List.of(note(reading.unjudged()));
        }
        GateResult gate = reading.gate().get();
        List<Node> lines = new ArrayList<>();
        Label verdict = Panes.named("gate-verdict",
                gate.failed(new GateResult.Tolerance(strict, false)) ? Chips.chip(text("gate.failed"), "mdal-error",
                        StyleClasses.CHIP_BAD)
                        : gate.outcome() == Outcome.PASS
                                ? Chips.chip(text("gate.passed"), "mdal-check_circle", StyleClasses.CHIP_GOOD)
                        : Chips.chip(text("gate.passed-unsure"), "mdal-help_outline", StyleClasses.CHIP_NEUTRAL));
        long passed = gate.checks().stream().filter(check -> check.outcome() == Outcome.PASS).count();
        Label count = note(text("gate.count", passed, gate.checks().size()));
        lines.add(Panes.row(10, verdict, count));
        SideNames names = SideNames.ofPairs(reading.comparison().pairs());
        Map<NotJudged, Long> refused = gate.checks().stream().map(GateResult.Check::reason).filter(Objects::nonNull)
                .collect(Collectors.groupingBy(each -> each, LinkedHashMap::new, Collectors.counting()));
        gate.checks().stream().filter(check -> refused.getOrDefault(check.reason(), 1L) == 1).forEach(
                check -> lines.add(line(check.outcome(), names.named(check.candidate()) + ": " + check.text())));
        refused.entrySet().stream().filter(each -> each.getValue() > 1)
                .forEach(each -> lines.add(line(Outcome.NOT_JUDGED,
                        text("gate.not-judged-all", each.getValue(), ComparisonWording.clause(each.getKey()) + "."))));
        gate.remarks().forEach(remark -> lines.add(note(remark)));
        gate.cautions().forEach(caution -> lines.add(note(caution)));
        if (gate.checks().size() > 1) {
            lines.add(note(text("gate.holm", gate.checks().size())));
        }
        return lines;
    }

    private static Node line(Outcome outcome, String sentence) {
        Label chip = switch (outcome) {
            case PASS -> Chips.chip(text("gate.pass"), "mdal-check_circle", StyleClasses.CHIP_GOOD);
            case REGRESSION -> Chips.chip(text("gate.regression"), "mdal-error", StyleClasses.CHIP_BAD);
            case CANNOT_TELL -> Chips.chip(text("gate.cannot-tell"), "mdal-help_outline", StyleClasses.CHIP_NEUTRAL);
            case NOT_JUDGED -> Chips.chip(text("gate.not-judged"), "mdal-help_outline", StyleClasses.CHIP_BAD);
        };
        Label words = Labels.wrapped(sentence);
        HBox.setHgrow(words, Priority.ALWAYS);
        return Panes.topRow(10, chip, words);
    }

    /// The settings of the compared sides: those that differ, or with a switch all.
    static final class SettingsCard {
        private final CheckBox all = Panes.named("comparison-all-settings", new CheckBox(text("compare.all-settings")));
        private final VBox shown = new VBox(6);
        private final Node view =
                Panes.named("comparison-settings", Panes.section(text("compare.settings"), all, shown));

        /// Shows the settings of a comparison.
        void show(SettingTable table) {
            all.setOnAction(event -> fill(table));
            fill(table);
        }

        private void fill(SettingTable table) {
            table.table(all.isSelected()).ifPresentOrElse(settings -> {
                shown.getChildren().setAll(ReportTableView.createView(settings));
                settings.footnotes().forEach(note -> shown.getChildren().add(note(note)));
            }, () -> shown.getChildren().setAll(Labels.wrapped(text("compare.no-setting"), Styles.TEXT_MUTED)));
        }

        Node view() {
            return view;
        }

        /// Moves the focus to the switch.
        void requestFocus() {
            all.requestFocus();
        }
    }
}
