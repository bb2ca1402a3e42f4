package org.inferometer.ui.shell;

import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import javafx.beans.property.ReadOnlyObjectProperty;
import javafx.beans.property.ReadOnlyObjectWrapper;
import javafx.scene.Node;
import org.inferometer.ui.chart.ContentArea;

/// Which view the window shows. A view that is left keeps its state and is told that it is hidden. Belongs to the JavaFX thread.
final class ShownView {
    private final ContentArea content = new ContentArea();
    private final NavigationRail rail;
    private final Map<NavigationRail.View, Entry> entries = new EnumMap<>(NavigationRail.View.class);
    private final ReadOnlyObjectWrapper<NavigationRail.View> shown =
            new ReadOnlyObjectWrapper<>(NavigationRail.View.BENCH);

    /// @param showing is told whether the view is seen
    private record Entry(Node node, Consumer<Boolean> showing) {}

    /// @param chosen is called when a button of the rail is pressed
    ShownView(Consumer<NavigationRail.View> chosen) {
        rail = new NavigationRail(chosen);
    }

    /// @param showing is told whether the view is seen
    void add(NavigationRail.View view, Node node, Consumer<Boolean> showing) {
        entries.put(view, new Entry(node, showing));
    }

    NavigationRail rail() {
        return rail;
    }

    ContentArea content() {
        return content;
    }

    NavigationRail.View get() {
        return shown.get();
    }

    boolean is(NavigationRail.View view) {
        return shown.get() == view;
    }

    /// The view that is shown.
    ReadOnlyObjectProperty<NavigationRail.View> shown() {
        return shown.getReadOnlyProperty();
    }

    /// Marks a view as the one that [#show] shows next.
    void select(NavigationRail.View view) {
        shown.set(view);
        rail.select(view);
    }

    /// Whether there is a window: without one no view is seen.
    void setWindow(boolean open) {
        entries.forEach((view, entry) -> entry.showing().accept(open && view == shown.get()));
    }

    /// Shows the selected view. The focus moves to its button if it was in the view that leaves.
    void show() {
        Node node = Objects.requireNonNull(entries.get(shown.get())).node();
        boolean focusLeaves = content.holdsFocus();
        if (content.show(node) && focusLeaves) {
            // Otherwise the focus would jump to the Run or Stop button.
            rail.focus(shown.get());
        }
        entries.forEach((view, entry) -> entry.showing().accept(view == shown.get()));
    }
}
