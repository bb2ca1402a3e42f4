package org.inferometer.ui.results;

import static org.inferometer.ui.fx.Messages.text;

import atlantafx.base.theme.Styles;
import java.util.List;
import javafx.scene.Node;
import javafx.scene.control.Label;
import javafx.scene.control.Tooltip;
import javafx.scene.layout.VBox;
import org.inferometer.report.compare.ResultComparison.Pair;
import org.inferometer.report.compare.SideNames;
import org.inferometer.ui.fx.Labels;
import org.inferometer.ui.fx.Panes;
import org.inferometer.ui.theme.StyleClasses;
import org.kordamp.ikonli.javafx.FontIcon;

/// One pair of a comparison: verdict lines with icons, and a table.
final class PairCard {
    private PairCard() {}

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
        PairText.notes(pair).stream().filter(note -> !shared.contains(note)).map(PairCard::note)
                .forEach(card.getChildren()::add);
        return card;
    }

    /// A note on a table.
    static Node note(String note) {
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
    static Node line(PairText.VerdictLine line, Runnable showDevices) {
        FontIcon icon = switch (line.tone()) {
            case BETTER -> Labels.icon("mdal-arrow_upward", StyleClasses.STATE_BETTER);
            case WORSE -> Labels.icon("mdal-arrow_downward", StyleClasses.STATE_WORSE);
            case ALIKE -> Labels.icon("mdal-drag_handle", StyleClasses.STATE_PLANNED);
            case CAUTION, CALIBRATION -> Labels.icon("mdmz-warning", StyleClasses.STATE_CAUTION);
        };
        return Panes.topRow(8, icon,
                line.tone() == PairText.Tone.CALIBRATION ? DevicesLink.behind(Labels.wrapped(line.text()), showDevices)
                        : Panes.filling(Labels.wrapped(line.text())));
    }
}
