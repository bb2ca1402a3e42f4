package org.inferometer.ui.results;

import static org.inferometer.ui.fx.Messages.text;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Stream;
import javafx.beans.property.BooleanProperty;
import javafx.beans.property.SimpleBooleanProperty;
import javafx.beans.property.SimpleStringProperty;
import javafx.beans.property.StringProperty;
import javafx.collections.FXCollections;
import javafx.collections.ObservableSet;
import javafx.collections.SetChangeListener;
import org.inferometer.ui.fx.Chips;

/// Which results a list shows: those with every word of a search, and with one chosen value of each facet that has any.
///
/// @param starredOnly whether only results with a star are shown
/// @param chosen values of facets; may be changed
public record ResultFilter(StringProperty search, BooleanProperty starredOnly,
        ObservableSet<ResultFilter.Choice> chosen) {
    ResultFilter() {
        this(new SimpleStringProperty(""), new SimpleBooleanProperty(), FXCollections.observableSet());
    }

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

    /// A property of results by which a list is filtered.
    public enum ResultFacet {
        /// Measured here, imported, or a sample.
        ORIGIN {
            @Override
            List<String> values(ResultRow row) {
                return List.of(text(switch (row.origin()) {
                    case SAMPLE -> "facet.sample";
                    case ELSEWHERE -> "facet.elsewhere";
                    case OWN -> row.imported() ? "facet.imported" : "facet.own";
                }));
            }
        },
        /// Grade of the verdict.
        VERDICT {
            @Override
            List<String> values(ResultRow row) {
                return List.of(row.grade().map(Chips::label).orElse(text("results.not-judged")));
            }
        },
        /// Models of the engines and servers.
        ENGINE {
            @Override
            List<String> values(ResultRow row) {
                return split(row.engines());
            }
        },
        /// Schedulers, and servers by their names.
        SCHEDULER {
            @Override
            List<String> values(ResultRow row) {
                return split(row.schedulers());
            }
        },
        /// Names of the workloads.
        WORKLOAD {
            @Override
            List<String> values(ResultRow row) {
                return row.manifest().stream().flatMap(known -> known.spec().workloads().stream())
                        .map(load -> load.name()).distinct().toList();
            }
        },
        /// Words that a person gave.
        TAG {
            @Override
            List<String> values(ResultRow row) {
                return row.notes().tags();
            }
        };

        /// Its values of a result, without repetition; none if the result has none.
        abstract List<String> values(ResultRow row);

        String heading() {
            return text("facet." + name().toLowerCase(Locale.ROOT));
        }

        private static List<String> split(String names) {
            return Stream.of(names).filter(each -> !each.isEmpty()).flatMap(each -> Arrays.stream(each.split(", ")))
                    .distinct().toList();
        }
    }
}
