package org.inferometer.ui.timeline;

import static org.inferometer.ui.fx.Messages.text;

import java.util.EnumSet;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.Predicate;
import javafx.scene.control.CheckMenuItem;
import javafx.scene.control.MenuButton;
import javafx.scene.control.SeparatorMenuItem;
import javafx.scene.control.Tooltip;
import javafx.scene.layout.Region;
import org.inferometer.record.MemoryOwner;
import org.kordamp.ikonli.javafx.FontIcon;

/// The menu of what rows of values show: owners of memory, and the scale of KV blocks.
final class RowMenu extends MenuButton {
    private final TimelineViewModel model;

    RowMenu(TimelineViewModel model) {
        super(null, new FontIcon("mdmz-visibility"));
        this.model = model;
        setId("timeline-rows-menu");
        setMinWidth(Region.USE_PREF_SIZE);
        setTooltip(new Tooltip(text("timeline.rows-hint")));
        setAccessibleText(text("timeline.rows-hint"));
        model.sheet().addListener((observed, before, now) -> fill());
        model.display().addListener((observed, before, now) -> fill());
        fill();
    }

    private void fill() {
        TimelineSheet sheet = model.sheet().get();
        Set<MemoryOwner> owners = EnumSet.noneOf(MemoryOwner.class);
        if (sheet != null) {
            sheet.panels().forEach(timeline -> owners.addAll(timeline.memory().owners()));
        }
        getItems().clear();
        for (MemoryOwner owner : owners) {
            getItems().add(
                    item("timeline-show-" + owner.id().replace('_', '-'), text("timeline.show-owner", owner.label()),
                            now -> !now.hidden().contains(owner), (now, shown) -> now.with(owner, shown)));
        }
        if (!owners.isEmpty()) {
            getItems().add(new SeparatorMenuItem());
        }
        getItems().add(item("timeline-whole-pool", text("timeline.whole-pool"), TimelineDisplay::wholePool,
                TimelineDisplay::withWholePool));
    }

    private CheckMenuItem item(String id, String label, Predicate<TimelineDisplay> now,
            BiFunction<TimelineDisplay, Boolean, TimelineDisplay> changed) {
        CheckMenuItem item = new CheckMenuItem(label);
        item.setMnemonicParsing(false);
        item.setId(id);
        item.setSelected(now.test(model.display().get()));
        item.setOnAction(event -> model.display().set(changed.apply(model.display().get(), item.isSelected())));
        return item;
    }
}
