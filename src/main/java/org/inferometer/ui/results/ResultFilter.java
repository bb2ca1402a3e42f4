package org.inferometer.ui.results;

import static org.inferometer.ui.fx.Messages.text;

import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;
import javafx.beans.property.BooleanProperty;
import javafx.beans.property.SimpleBooleanProperty;
import javafx.beans.property.SimpleStringProperty;
import javafx.beans.property.StringProperty;
import javafx.collections.FXCollections;
import javafx.collections.ObservableSet;
import javafx.collections.SetChangeListener;

/// Which results a list shows: those with every word of a search, and with one chosen value of each facet that has any.
public final class ResultFilter {
    private final StringProperty search = new SimpleStringProperty("");
    private final BooleanProperty starredOnly = new SimpleBooleanProperty();
    private final ObservableSet<Choice> chosen = FXCollections.observableSet();

    /// A value of a facet.
    ///
    /// @param value as in [ResultFacet#values]
    public record Choice(ResultFacet facet, String value) {}

    /// Runs after each change.
    void onChange(Runnable changed) {
        search.addListener((observed, before, now) -> changed.run());
        starredOnly.addListener((observed, before, now) -> changed.run());
        chosen.addListener((SetChangeListener<Choice>) change -> changed.run());
    }

    /// Whether a result is shown.
    boolean shows(ResultRow row) {
        return (!starredOnly.get() || row.notes().starred()) && row.matches(search.get()) && hasChosen(row);
    }

    private boolean hasChosen(ResultRow row) {
        for (ResultFacet facet : ResultFacet.values()) {
            Predicate<Choice> ofFacet = choice -> choice.facet == facet;
            if (chosen.stream().anyMatch(ofFacet)
                    && facet.values(row).stream().noneMatch(value -> chosen.contains(new Choice(facet, value)))) {
                return false;
            }
        }
        return true;
    }

    /// The values of a facet over results, in the order of the alphabet, with the number of results that have each.
    static Map<String, Integer> counts(ResultFacet facet, Iterable<ResultRow> rows) {
        Map<String, Integer> counts = new TreeMap<>();
        for (ResultRow row : rows) {
            facet.values(row).forEach(value -> counts.merge(value, 1, Integer::sum));
        }
        return counts;
    }

    /// Shows all results again.
    public void clear() {
        search.set("");
        starredOnly.set(false);
        chosen.clear();
    }

    /// Shows only the results that come with the program.
    public void samplesOnly() {
        clear();
        chosen.add(new Choice(ResultFacet.ORIGIN, text("facet.sample")));
    }

    /// The search text.
    public StringProperty search() {
        return search;
    }

    /// Whether only results with a star are shown.
    public BooleanProperty starredOnly() {
        return starredOnly;
    }

    /// The chosen values; may be changed.
    public ObservableSet<Choice> chosen() {
        return chosen;
    }
}
