package org.inferometer.ui.results;

import static org.inferometer.ui.fx.Messages.text;

import javafx.scene.control.Hyperlink;
import javafx.scene.layout.Region;
import org.inferometer.ui.fx.Buttons;
import org.inferometer.ui.fx.Panes;
import org.inferometer.ui.fx.TailRow;

/// A link to the Devices view behind words that advise a calibration.
final class DevicesLink {
    private DevicesLink() {}

    /// The words, and the link behind them where there is room, else below them.
    ///
    /// @param words take the width that is left
    static Region behind(Region words, Runnable showDevices) {
        Hyperlink link = Buttons.link("advice-devices", text("advice.show-devices"), showDevices);
        link.setMinWidth(Region.USE_PREF_SIZE);
        return Panes.filling(new TailRow(words, link));
    }
}
