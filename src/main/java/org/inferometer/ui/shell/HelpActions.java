package org.inferometer.ui.shell;

import java.util.List;
import org.inferometer.ui.fx.Action;
import org.inferometer.ui.fx.Action.Group;

/// Actions on the machine and those that explain the program.
///
/// @param problem writes what a report of a problem needs
record HelpActions(DesktopWindow window, WindowDialogs dialogs, Tour tour, ProblemReport problem) {
    /// @param keys lists the keys of all actions
    List<Action> all(Runnable keys) {
        return List.of(Action.of(Group.TOOLS, "menu.check-devices", null, window::checkDevices),
                Action.of(Group.TOOLS, "menu.calibrate", null, window::showCalibration),
                Action.of(Group.HELP, "menu.tour", null, tour::start),
                Action.of(Group.HELP, "menu.shortcuts", "F1", keys),
                Action.of(Group.HELP, "menu.method", null, dialogs::showMethod),
                Action.of(Group.HELP, "menu.problem", null, problem::save),
                Action.of(Group.HELP, "menu.about", null, dialogs::showAbout));
    }
}
