package org.inferometer.ui.shell;

import static org.inferometer.ui.fx.Messages.text;

import atlantafx.base.theme.Styles;
import javafx.collections.ListChangeListener;
import javafx.scene.control.MenuButton;
import javafx.scene.control.MenuItem;
import javafx.scene.control.Tooltip;
import org.inferometer.ui.fx.Panes;
import org.inferometer.ui.fx.WhileMeasuring;
import org.kordamp.ikonli.javafx.FontIcon;

/// Work that waits for the end of the experiment, in the status line; a click on an entry drops it.
final class WaitingWork extends MenuButton {
    WaitingWork(WhileMeasuring measuring) {
        setId("status-waiting");
        getStyleClass().addAll(Styles.SMALL, Styles.FLAT);
        setMinWidth(USE_PREF_SIZE);
        setTooltip(new Tooltip(text("beside.waiting.tip")));
        measuring.postponed().addListener((ListChangeListener<WhileMeasuring.Postponed>) change -> show(measuring));
        show(measuring);
    }

    private void show(WhileMeasuring measuring) {
        setText(text("beside.waiting", measuring.postponed().size()));
        getItems().setAll(measuring.postponed().stream().map(each -> {
            MenuItem item = new MenuItem(text("beside.drop", each.work().label()), new FontIcon("mdal-close"));
            item.setMnemonicParsing(false);
            item.setOnAction(event -> measuring.postponed().remove(each));
            return item;
        }).toList());
        Panes.show(this, !measuring.postponed().isEmpty());
    }
}
