package org.inferometer.ui.fx;

import atlantafx.base.theme.Styles;
import javafx.scene.control.Button;
import javafx.scene.control.Hyperlink;
import javafx.scene.control.MenuItem;
import javafx.scene.control.Tooltip;
import javafx.scene.layout.Region;
import org.kordamp.ikonli.javafx.FontIcon;

/// Makes buttons.
public final class Buttons {
    private Buttons() {}

    /// A button with an icon and a text that is never cut.
    ///
    /// @param icon Ikonli code
    public static Button of(String id, String icon, String text, Runnable action) {
        Button button = new Button(text, new FontIcon(icon));
        button.setId(id);
        button.setMinWidth(Region.USE_PREF_SIZE);
        button.setOnAction(event -> action.run());
        return button;
    }

    /// A flat button with an icon alone; its text is the tooltip and the accessible text.
    ///
    /// @param icon Ikonli code
    public static Button icon(String id, String icon, String text, Runnable action) {
        Button button = of(id, icon, "", action);
        button.getStyleClass().addAll(Styles.FLAT, Styles.BUTTON_ICON);
        button.setTooltip(new Tooltip(text));
        button.setAccessibleText(text);
        return button;
    }

    /// A link that never looks visited.
    public static Hyperlink link(String id, String text, Runnable action) {
        Hyperlink link = new Hyperlink(text);
        link.setId(id);
        link.setOnAction(event -> {
            link.setVisited(false);
            action.run();
        });
        return link;
    }

    /// An item of a menu.
    public static MenuItem item(String id, String text, Runnable action) {
        MenuItem item = new MenuItem(text);
        item.setId(id);
        // An underscore is part of a name.
        item.setMnemonicParsing(false);
        item.setOnAction(event -> action.run());
        return item;
    }
}
