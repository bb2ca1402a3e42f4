package org.inferometer.ui.engines;

import static org.inferometer.ui.fx.Messages.text;

import java.nio.file.Path;
import javafx.beans.property.ReadOnlyStringProperty;
import javafx.beans.property.ReadOnlyStringWrapper;
import org.inferometer.quantising.CalibrationText;
import org.inferometer.ui.fx.BackgroundWork;
import org.inferometer.ui.fx.ErrorText;
import org.inferometer.ui.fx.WindowWork;
import org.inferometer.units.QuantityText;

/// The text of a calibration while it is chosen: that of the program, or a file's. Belongs to the UI thread.
final class CalibrationModel {
    private final BackgroundWork work;
    private final ReadOnlyStringWrapper shown = new ReadOnlyStringWrapper();
    private final ReadOnlyStringWrapper fault = new ReadOnlyStringWrapper("");
    private CalibrationText chosen = CalibrationText.bundled();

    CalibrationModel(BackgroundWork work) {
        this.work = work;
        useBundled();
    }

    /// The chosen text for people: "notes.txt, 12.5 KiB".
    ReadOnlyStringProperty shown() {
        return shown.getReadOnlyProperty();
    }

    /// Why a file cannot be taken; empty otherwise.
    ReadOnlyStringProperty fault() {
        return fault.getReadOnlyProperty();
    }

    /// Takes the text of the program.
    void useBundled() {
        chosen = CalibrationText.bundled();
        shown.set(text("calibration.bundled"));
        fault.set("");
    }

    /// Reads a file in the background; the text before stays if it cannot be taken.
    void use(Path file) {
        work.run(WindowWork.OWN, () -> CalibrationText.read(file), read -> {
            chosen = read;
            shown.set(text("calibration.file", read.name(), QuantityText.bytes(read.bytes())));
            fault.set("");
        }, failure -> fault.set(ErrorText.sentence(failure)));
    }

    CalibrationChoice choice(int mostTokens) {
        return new CalibrationChoice(chosen, mostTokens);
    }
}
