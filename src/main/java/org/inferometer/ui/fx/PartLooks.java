package org.inferometer.ui.fx;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import java.util.function.Function;
import javafx.scene.Node;

/// The looks of the parts of a page, such as charts, by the id of the part. A part that is made later gets the look that was kept for
/// it. Belongs to the JavaFX thread.
public final class PartLooks<P extends Node, L> {
    private final Function<L, String> id;
    private final Function<P, Optional<L>> read;
    private final BiConsumer<P, L> show;
    private final Map<String, L> kept = new TreeMap<>();
    private final Map<String, P> parts = new TreeMap<>();

    /// @param id of the part that a look belongs to
    /// @param read the look of a part; empty while it is as it was made
    /// @param show gives a part a look
    public PartLooks(Function<L, String> id, Function<P, Optional<L>> read, BiConsumer<P, L> show) {
        this.id = id;
        this.read = read;
        this.show = show;
    }

    /// A part was made and has its data.
    public void add(P part) {
        parts.put(part.getId(), part);
        Optional.ofNullable(kept.remove(part.getId())).ifPresent(look -> show.accept(part, look));
    }

    /// The parts are given up; those that are made in their place get their looks.
    public void release() {
        parts.forEach((name, part) -> read.apply(part).ifPresent(look -> kept.put(name, look)));
        parts.clear();
    }

    /// Other parts come, whose looks have nothing to do with those before.
    public void forget() {
        parts.clear();
        kept.clear();
    }

    /// Shows looks as they were taken down.
    public void show(List<L> looks) {
        for (L look : looks) {
            P part = parts.get(id.apply(look));
            if (part == null) {
                kept.put(id.apply(look), look);
            } else {
                show.accept(part, look);
            }
        }
    }

    /// The looks of all parts, also of those that are not made yet, by their ids.
    public List<L> all() {
        Map<String, L> all = new TreeMap<>(kept);
        parts.forEach((name, part) -> read.apply(part).ifPresent(look -> all.put(name, look)));
        return List.copyOf(all.values());
    }
}
