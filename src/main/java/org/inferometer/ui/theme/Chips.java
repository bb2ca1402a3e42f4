package org.inferometer.ui.theme;

import javafx.scene.control.Label;
import org.inferometer.record.RunStatus;
import org.inferometer.record.Verdict;
import org.inferometer.ui.fx.Messages;
import org.kordamp.ikonli.javafx.FontIcon;

/// Small coloured words that carry a state; the word and the icon say it too, never the colour alone.
public final class Chips {
    private Chips() {}

    /// A chip for a verdict's grade.
    public static Label of(Verdict.Grade grade) {
        return switch (grade) {
            case VALID -> chip(Messages.text("verdict.valid"), "mdal-check_circle", "chip-good");
            case INVALID -> chip(Messages.text("verdict.invalid"), "mdal-error", "chip-bad");
            case PREVIEW -> chip(Messages.text("verdict.preview"), "mdal-hourglass_empty", "chip-neutral");
        };
    }

    /// A chip for a status.
    public static Label of(RunStatus status) {
        return switch (status) {
            case RUNNING -> chip(Messages.text("status.running"), "mdmz-play_circle_outline", "chip-accent");
            case COMPLETE -> chip(Messages.text("status.complete"), "mdal-check_circle", "chip-good");
            case CANCELLED -> chip(Messages.text("status.cancelled"), "mdmz-stop", "chip-neutral");
            case FAILED -> chip(Messages.text("status.failed"), "mdal-error", "chip-bad");
            case INTERRUPTED -> chip(Messages.text("status.interrupted"), "mdmz-warning", "chip-warn");
        };
    }

    /// A chip for something that cannot be read.
    public static Label damaged() {
        return chip(Messages.text("status.damaged"), "mdmz-warning", "chip-warn");
    }

    /// A chip of any word.
    public static Label chip(String word, String icon, String styleClass) {
        Label label = new Label(word, new FontIcon(icon));
        label.getStyleClass().addAll("chip", styleClass);
        label.setMinWidth(javafx.scene.layout.Region.USE_PREF_SIZE);
        return label;
    }
}
