package org.inferometer.ui.shell;

import static org.inferometer.ui.fx.Messages.text;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.function.Supplier;
import javafx.event.ActionEvent;
import javafx.scene.control.Alert;
import javafx.scene.control.Button;
import javafx.scene.control.ButtonBar;
import javafx.scene.control.ButtonType;
import javafx.stage.Window;
import org.inferometer.ui.fx.ErrorText;
import org.inferometer.ui.fx.Panes;
import org.inferometer.ui.fx.TextClipboard;
import org.inferometer.ui.fx.UiThread;
import org.inferometer.ui.theme.Appearance;
import org.jspecify.annotations.Nullable;

/// Shows an unexpected error: what failed, that results are safe, and details to copy.
///
/// The trace goes to the log. One dialog at a time.
final class ErrorDialog implements Thread.UncaughtExceptionHandler {
    private static final System.Logger LOG = System.getLogger(ErrorDialog.class.getName());
    private final UiThread ui;
    private final Supplier<@Nullable Window> owner;
    private final Appearance appearance;
    private final String version;
    private boolean showing;

    ErrorDialog(UiThread ui, Supplier<@Nullable Window> owner, Appearance appearance, String version) {
        this.ui = ui;
        this.owner = owner;
        this.appearance = appearance;
        this.version = version;
    }

    @Override
    public void uncaughtException(Thread thread, Throwable failure) {
        LOG.log(System.Logger.Level.ERROR, "Unexpected failure on " + thread.getName(), failure);
        String details = details(thread.getName(), failure);
        ui.later(() -> show(failure, details));
    }

    private void show(Throwable failure, String details) {
        if (showing) {
            return;
        }
        showing = true;
        try {
            ButtonType copy = new ButtonType(text("failure.copy"), ButtonBar.ButtonData.LEFT);
            ButtonType go = new ButtonType(text("failure.continue"), ButtonBar.ButtonData.OK_DONE);
            Alert alert = new Alert(Alert.AlertType.ERROR, text("failure.safe", ErrorText.sentence(failure)), copy, go);
            alert.setTitle(text("failure.title"));
            alert.setHeaderText(text("failure.heading"));
            alert.setGraphic(null);
            alert.initOwner(owner.get());
            appearance.dress(alert.getDialogPane());
            Button copyButton = Panes.named("failure-copy", (Button) alert.getDialogPane().lookupButton(copy));
            copyButton.addEventFilter(ActionEvent.ACTION, event -> {
                TextClipboard.copy(details);
                event.consume();
            });
            alert.getDialogPane().lookupButton(go).setId("failure-continue");
            alert.showAndWait();
        } finally {
            showing = false;
        }
    }

    private String details(String thread, Throwable failure) {
        StringWriter text = new StringWriter();
        try (PrintWriter writer = new PrintWriter(text)) {
            writer.println("Inferometer " + version + ", thread " + thread);
            failure.printStackTrace(writer);
        }
        return text.toString();
    }
}
