package org.inferometer.ui.engines;

import static org.inferometer.ui.fx.Messages.text;

import atlantafx.base.theme.Styles;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;
import javafx.beans.property.ReadOnlyStringProperty;
import javafx.beans.property.ReadOnlyStringWrapper;
import javafx.scene.control.Button;
import javafx.scene.control.ButtonBar;
import javafx.scene.control.ButtonType;
import javafx.scene.control.Dialog;
import javafx.scene.control.DialogPane;
import javafx.scene.control.Label;
import javafx.scene.control.Spinner;
import javafx.scene.layout.GridPane;
import javafx.scene.layout.VBox;
import javafx.stage.Window;
import org.inferometer.quantising.AwqBuild;
import org.inferometer.quantising.CalibrationText;
import org.inferometer.ui.fx.BackgroundWork;
import org.inferometer.ui.fx.Buttons;
import org.inferometer.ui.fx.ErrorText;
import org.inferometer.ui.fx.FileDialogs;
import org.inferometer.ui.fx.FileDialogs.FileType;
import org.inferometer.ui.fx.Labels;
import org.inferometer.ui.fx.Panes;
import org.inferometer.ui.fx.WindowWork;
import org.inferometer.ui.theme.StyleClasses;
import org.inferometer.units.QuantityText;
import org.jspecify.annotations.Nullable;

/// Asks for the text that the scales of INT4 with AWQ are found with. Belongs to the JavaFX thread.
///
/// @param dress gives a dialog the look of the window
public record CalibrationDialog(FileDialogs dialogs, BackgroundWork work, Consumer<DialogPane> dress) {
    private static final double WIDTH = 480;
    private static final double NAME_WIDTH = 340;
    private static final int TOKEN_STEP = 512;

    /// Shows the dialog.
    ///
    /// @param build receives what was chosen; not called if the dialog is closed otherwise
    void ask(Window owner, Consumer<CalibrationChoice> build) {
        CalibrationModel model = new CalibrationModel(work);
        Spinner<Integer> tokens = Panes.named("calibration-tokens", new Spinner<>(AwqBuild.LEAST_TOKENS,
                CalibrationChoice.MOST_TOKENS, CalibrationChoice.STANDARD_TOKENS, TOKEN_STEP));
        tokens.setEditable(true);
        tokens.setAccessibleText(text("calibration.tokens"));
        Dialog<@Nullable CalibrationChoice> dialog = new Dialog<>();
        dialog.setTitle(text("calibration.title"));
        dialog.setHeaderText(text("calibration.heading"));
        dialog.initOwner(owner);
        ButtonType start = new ButtonType(text("engines.build"), ButtonBar.ButtonData.OK_DONE);
        dialog.getDialogPane().getButtonTypes().setAll(start, ButtonType.CANCEL);
        dialog.getDialogPane().setContent(content(model, tokens));
        dress.accept(dialog.getDialogPane());
        // A dialog does not grow by itself.
        model.fault().addListener((observed, before, now) -> fit(dialog));
        model.shown().addListener((observed, before, now) -> fit(dialog));
        dialog.setResultConverter(button -> button == start ? model.choice(tokens.getValue()) : null);
        dialog.setOnHidden(event -> {
            CalibrationChoice chosen = dialog.getResult();
            if (chosen != null) {
                build.accept(chosen);
            }
        });
        dialog.show();
    }

    private static void fit(Dialog<?> dialog) {
        dialog.getDialogPane().getScene().getWindow().sizeToScene();
    }

    private VBox content(CalibrationModel model, Spinner<Integer> tokens) {
        Label chosen = Labels.message("calibration-text", model.shown());
        chosen.setMaxWidth(NAME_WIDTH);
        Button file = Buttons.of("calibration-choose", "mdal-folder_open", text("calibration.choose"),
                () -> dialogs.open(text("calibration.choose-title"),
                        List.of(new FileType(text("engines.quality-texts"), "*.txt"),
                                new FileType(text("engines.quality-any"), "*")))
                        .ifPresent(model::use));
        Button bundled =
                Buttons.of("calibration-bundled", "mdmz-undo", text("calibration.use-bundled"), model::useBundled);
        GridPane fields = new GridPane(12, 10);
        fields.addRow(0, Labels.fixed(text("calibration.text")), chosen);
        fields.add(Panes.row(8, file, bundled), 1, 1);
        fields.addRow(2, Labels.fixed(text("calibration.tokens")), tokens);
        Label fault =
                Labels.message("calibration-fault", model.fault(), StyleClasses.FIELD_MESSAGE, StyleClasses.FAULT);
        VBox content = Panes.named("calibration",
                new VBox(12, Labels.wrapped(text("calibration.lead"), Styles.TEXT_MUTED), fields, fault));
        content.setPrefWidth(WIDTH);
        return content;
    }

    /// The text of a calibration while it is chosen: that of the program, or a file's. Belongs to the UI thread.
    static final class CalibrationModel {
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

    /// The text that the scales of INT4 with AWQ are found with.
    ///
    /// @param mostTokens of the text that the model reads
    record CalibrationChoice(CalibrationText text, int mostTokens) {
        static final int STANDARD_TOKENS = 2048;
        static final int MOST_TOKENS = 1 << 20;

        /// The text of the program.
        static CalibrationChoice bundled() {
            return new CalibrationChoice(CalibrationText.bundled(), STANDARD_TOKENS);
        }
    }
}
