package org.inferometer.ui.results;

import static org.inferometer.ui.fx.Messages.text;

import atlantafx.base.theme.Styles;
import javafx.scene.Node;
import javafx.scene.control.CheckBox;
import javafx.scene.layout.VBox;
import org.inferometer.report.compare.SettingTable;
import org.inferometer.ui.fx.Labels;
import org.inferometer.ui.fx.Panes;

/// The settings of the compared sides: those that differ, or with a switch all.
final class SettingsSection {
    private final CheckBox all = Panes.named("comparison-all-settings", new CheckBox(text("compare.all-settings")));
    private final VBox shown = new VBox(6);
    private final Node view = Panes.named("comparison-settings", Panes.section(text("compare.settings"), all, shown));

    SettingsSection() {}

    /// Shows the settings of a comparison.
    void show(SettingTable table) {
        all.setOnAction(event -> fill(table));
        fill(table);
    }

    private void fill(SettingTable table) {
        table.table(all.isSelected()).ifPresentOrElse(settings -> {
            shown.getChildren().setAll(ReportTableView.createView(settings));
            settings.footnotes().forEach(
                    note -> shown.getChildren().add(Labels.wrapped(note, Styles.TEXT_MUTED, Styles.TEXT_SMALL)));
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
