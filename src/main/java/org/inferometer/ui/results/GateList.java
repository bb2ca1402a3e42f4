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
import javafx.scene.control.Label;
import javafx.scene.layout.HBox;
import javafx.scene.layout.Priority;
import org.inferometer.finding.NotJudged;
import org.inferometer.measurement.comparison.MarginCheck.Outcome;
import org.inferometer.report.compare.GateResult;
import org.inferometer.report.compare.SideNames;
import org.inferometer.ui.fx.Chips;
import org.inferometer.ui.fx.Labels;
import org.inferometer.ui.fx.Panes;
import org.inferometer.ui.results.ComparisonViewModel.ComparisonOutcome;
import org.inferometer.ui.theme.StyleClasses;
import org.inferometer.wording.ComparisonWording;

/// The regression gate: passed or failed, then one line per check. Checks that one reason keeps from being judged share a line.
final class GateList {
    private GateList() {}

    static List<Node> createView(ComparisonOutcome reading, boolean strict) {
        if (reading.gate().isEmpty()) {
            return List.of(muted(reading.unjudged()));
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
        Label count = muted(text("gate.count", passed, gate.checks().size()));
        lines.add(Panes.row(10, verdict, count));
        SideNames names = SideNames.ofPairs(reading.comparison().pairs());
        Map<NotJudged, Long> refused = gate.checks().stream().map(GateResult.Check::reason).filter(Objects::nonNull)
                .collect(Collectors.groupingBy(each -> each, LinkedHashMap::new, Collectors.counting()));
        gate.checks().stream().filter(check -> refused.getOrDefault(check.reason(), 1L) == 1).forEach(
                check -> lines.add(line(check.outcome(), names.named(check.candidate()) + ": " + check.text())));
        refused.entrySet().stream().filter(each -> each.getValue() > 1)
                .forEach(each -> lines.add(line(Outcome.NOT_JUDGED,
                        text("gate.not-judged-all", each.getValue(), ComparisonWording.clause(each.getKey()) + "."))));
        gate.remarks().forEach(remark -> lines.add(muted(remark)));
        gate.cautions().forEach(caution -> lines.add(muted(caution)));
        if (gate.checks().size() > 1) {
            lines.add(muted(text("gate.holm", gate.checks().size())));
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

    private static Label muted(String sentence) {
        return Labels.wrapped(sentence, Styles.TEXT_MUTED, Styles.TEXT_SMALL);
    }
}
