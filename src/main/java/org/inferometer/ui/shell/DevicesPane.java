package org.inferometer.ui.shell;

import javafx.scene.Node;
import org.inferometer.ui.devices.DeviceSource;
import org.inferometer.ui.devices.DevicesView;
import org.inferometer.ui.devices.DevicesViewModel;
import org.inferometer.ui.fx.Notifier;
import org.inferometer.ui.machines.OtherMachines;

/// The Devices view of the window. Belongs to the JavaFX thread.
final class DevicesPane {
    private final DevicesViewModel model;
    private final DevicesView view;
    private final Node node;

    DevicesPane(DeviceSource source, OtherMachines machines, DesktopWindow.WindowContext context, Notifier notices) {
        model = new DevicesViewModel(source, context.work(), context.ticks());
        view = new DevicesView(model, machines, notices);
        node = view.createView();
    }

    Node node() {
        return node;
    }

    DevicesViewModel model() {
        return model;
    }

    void setShowing(boolean shown) {
        model.setShowing(shown);
    }

    void focusFirst() {
        view.focusFirst();
    }

    void focusCalibration() {
        view.focusCalibration();
    }

    /// Copies what the view shows.
    void copyText() {
        view.copyText();
    }

    void dispose() {
        model.dispose();
    }
}
