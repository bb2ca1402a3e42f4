package org.inferometer.ui.results;

import static org.inferometer.ui.fx.Messages.text;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import javafx.collections.ObservableSet;
import javafx.collections.SetChangeListener;
import javafx.scene.control.CheckBox;
import javafx.scene.control.CustomMenuItem;
import javafx.scene.control.MenuButton;
import javafx.scene.control.MenuItem;
import javafx.scene.control.SeparatorMenuItem;
import javafx.scene.control.Tooltip;
import javafx.scene.layout.Region;
import org.inferometer.ui.fx.Buttons;
import org.inferometer.ui.fx.Labels;
import org.inferometer.ui.results.ResultFilter.ResultFacet;
import org.inferometer.ui.theme.StyleClasses;
import org.kordamp.ikonli.javafx.FontIcon;

/// A menu of the properties by which results are filtered. It stays open while values are chosen.
final class FacetMenu extends MenuButton {
    private final ResultsViewModel model;
    private final ResultFilter filter;

    FacetMenu(ResultsViewModel model) {
        this.model = model;
        this.filter = model.filter();
        setId("results-facets");
        setGraphic(new FontIcon("mdal-filter_list"));
        setTooltip(new Tooltip(text("facet.tooltip")));
        setMinWidth(Region.USE_PREF_SIZE);
        getItems().add(new MenuItem());
        setOnShowing(event -> fill());
        filter.chosen().addListener((SetChangeListener<ResultFilter.Choice>) change -> label());
        label();
    }

    private void label() {
        ObservableSet<ResultFilter.Choice> chosen = filter.chosen();
        setText(chosen.isEmpty() ? text("facet.filter") : text("facet.filtered", chosen.size()));
    }

    private void fill() {
        List<MenuItem> items = new ArrayList<>();
        for (ResultFacet facet : ResultFacet.values()) {
            Map<String, Integer> counts = ResultFilter.counts(facet, model.all());
            if (!counts.isEmpty()) {
                CustomMenuItem heading =
                        new CustomMenuItem(Labels.fixed(facet.heading(), StyleClasses.TILE_TITLE), false);
                heading.setDisable(true);
                items.add(heading);
                counts.forEach((value, count) -> items.add(item(new ResultFilter.Choice(facet, value), count)));
            }
        }
        items.add(new SeparatorMenuItem());
        items.add(Buttons.item("results-facets-clear", text("results.clear-filter"), filter::clear));
        getItems().setAll(items);
    }

    private MenuItem item(ResultFilter.Choice choice, int count) {
        CheckBox box = new CheckBox(text("facet.value", choice.value(), count));
        box.setMnemonicParsing(false);
        box.setSelected(filter.chosen().contains(choice));
        box.selectedProperty().addListener((observed, before, now) -> {
            if (now) {
                filter.chosen().add(choice);
            } else {
                filter.chosen().remove(choice);
            }
        });
        CustomMenuItem item = new CustomMenuItem(box, false);
        item.setOnAction(event -> box.setSelected(!box.isSelected()));
        return item;
    }
}
