package org.inferometer.ui.engines;

import static org.inferometer.ui.fx.Messages.text;

import atlantafx.base.theme.Styles;
import java.util.List;
import java.util.function.Consumer;
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
import org.inferometer.ui.fx.BackgroundWork;
import org.inferometer.ui.fx.Buttons;
import org.inferometer.ui.fx.FileDialogs;
import org.inferometer.ui.fx.FileDialogs.FileType;
import org.inferometer.ui.fx.Labels;
import org.inferometer.ui.fx.Panes;
import org.inferometer.ui.theme.StyleClasses;
import org.jspecify.annotations.Nullable;

/// Asks for the text that the scales of INT4 with AWQ are found with. Belongs to the JavaFX thread.
public final class CalibrationDialog {
    private static final double WIDTH = 480;
    private static final double NAME_WIDTH = 340;
    private static final int TOKEN_STEP = 512;

    private final FileDialogs dialogs;
    private final BackgroundWork work;
    private final Consumer<DialogPane> dress;

    /// @param dress gives a dialog the look of the window
    public CalibrationDialog(FileDialogs dialogs, BackgroundWork work, Consumer<DialogPane> dress) {
        this.dialogs = dialogs;
        this.work = work;
        this.dress = dress;
    }

    /// Shows the dialog.
    ///
    /// @param build receives what was chosen; not called if the dialog is closed otherwise
    void ask(Window owner, Consumer<CalibrationChoice> build) {
        CalibrationModel model = new CalibrationModel(work);
        Spinner<Integer> tokens = new Spinner<>(AwqBuild.LEAST_TOKENS, CalibrationChoice.MOST_TOKENS,
                CalibrationChoice.STANDARD_TOKENS, TOKEN_STEP);
        tokens.setId("calibration-tokens");
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
        VBox content = new VBox(12, Labels.wrapped(text("calibration.lead"), Styles.TEXT_MUTED), fields, fault);
        content.setId("calibration");
        content.setPrefWidth(WIDTH);
        return content;
    }
}
