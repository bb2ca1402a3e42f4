package org.inferometer.ui.fx;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import javafx.scene.control.Label;
import javafx.scene.control.Tooltip;
import javafx.scene.layout.Region;
import org.inferometer.record.RunStatus;
import org.inferometer.record.Verdict;
import org.inferometer.ui.theme.StyleClasses;
import org.kordamp.ikonli.javafx.FontIcon;

/// Small coloured labels for states; text and icon carry the state too.
public final class Chips {
    private Chips() {}

    /// A chip for a verdict's grade.
    public static Label of(Verdict.Grade grade) {
        return switch (grade) {
            case VALID -> chip(label(grade), "mdal-check_circle", StyleClasses.CHIP_GOOD);
            case INVALID -> chip(label(grade), "mdal-error", StyleClasses.CHIP_BAD);
            case PREVIEW -> chip(label(grade), "mdal-hourglass_empty", StyleClasses.CHIP_NEUTRAL);
        };
    }

    /// A grade in words: "Preview".
    public static String label(Verdict.Grade grade) {
        return Messages.text("verdict." + grade.name().toLowerCase(Locale.ROOT));
    }

    /// A chip for a status.
    public static Label of(RunStatus status) {
        return switch (status) {
            case RUNNING -> chip(label(status), "mdmz-play_circle_outline", StyleClasses.CHIP_ACCENT);
            case COMPLETE -> chip(label(status), "mdal-check_circle", StyleClasses.CHIP_GOOD);
            case CANCELLED -> chip(label(status), "mdmz-stop", StyleClasses.CHIP_NEUTRAL);
            case FAILED -> chip(label(status), "mdal-error", StyleClasses.CHIP_BAD);
            case INTERRUPTED -> chip(label(status), "mdmz-warning", StyleClasses.CHIP_WARN);
        };
    }

    /// A status in words: "Stopped".
    public static String label(RunStatus status) {
        return Messages.text("status." + status.name().toLowerCase(Locale.ROOT));
    }

    /// A chip for something that cannot be read.
    public static Label damaged() {
        return chip(Messages.text("status.damaged"), "mdmz-warning", StyleClasses.CHIP_WARN);
    }

    /// Tags that say where a result comes from.
    ///
    /// @param place key of the word for its folder among the messages; empty for a result of the workspace
    public static List<Label> tags(Optional<String> place, boolean imported) {
        List<Label> tags = new ArrayList<>();
        place.ifPresent(key -> tags.add(Labels.fixed(Messages.text(key), StyleClasses.TAG, StyleClasses.TAG_QUIET)));
        if (imported) {
            tags.add(Labels.fixed(Messages.text("results.imported"), StyleClasses.TAG, StyleClasses.TAG_PRECISION));
        }
        return tags;
    }

    /// A chip as its icon alone, for narrow lists; the word is its tooltip.
    public static Label dot(Label chip) {
        String word = chip.getText();
        chip.setText("");
        chip.setAccessibleText(word);
        chip.setTooltip(new Tooltip(word));
        chip.getStyleClass().add(StyleClasses.CHIP_DOT);
        return chip;
    }

    /// A chip of any text.
    public static Label chip(String word, String icon, String styleClass) {
        Label label = Panes.styled(new Label(word, new FontIcon(icon)), StyleClasses.CHIP, styleClass);
        label.setMinWidth(Region.USE_PREF_SIZE);
        return label;
    }
}
