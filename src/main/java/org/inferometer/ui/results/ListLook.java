package org.inferometer.ui.results;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import javafx.scene.control.TableView;
import org.inferometer.results.bundle.SavedLook.TableLook;
import org.inferometer.ui.fx.TableColumns;
import org.inferometer.ui.results.ResultFilter.ResultFacet;
import org.jspecify.annotations.Nullable;

/// What the list of results shows: its filter, and the order of its columns and rows.
///
/// @param search words that are searched
/// @param starred whether only results with a star are shown
/// @param chosen values of facets
/// @param table absent for the usual order
public record ListLook(@JsonProperty("search") String search, @JsonProperty("starred") boolean starred,
        @JsonProperty("chosen") List<Chosen> chosen, @JsonProperty("table") @Nullable TableLook table) {
    /// All results in the usual order.
    public static final ListLook NONE = new ListLook("", false, List.of(), null);
    private static final int MOST = 200;

    public ListLook {
        search = search == null ? "" : search;
        chosen = chosen == null ? List.of() : chosen.stream().filter(Objects::nonNull).limit(MOST).toList();
    }

    /// A chosen value.
    ///
    /// @param facet name of a [ResultFacet]; an unknown one is ignored
    public record Chosen(@JsonProperty("facet") String facet, @JsonProperty("value") String value) {
        public Chosen {
            facet = facet == null ? "" : facet;
            value = value == null ? "" : value;
        }
    }

    /// What is shown now.
    static ListLook of(ResultFilter filter, TableView<ResultRow> table) {
        return new ListLook(filter.search().get(), filter.starredOnly().get(),
                filter.chosen().stream().map(each -> new Chosen(each.facet().name(), each.value()))
                        .sorted(Comparator.comparing(Chosen::facet).thenComparing(Chosen::value)).toList(),
                TableColumns.order(table));
    }

    void show(ResultFilter filter, TableView<ResultRow> rows) {
        filter.clear();
        for (Chosen each : chosen) {
            Arrays.stream(ResultFacet.values()).filter(facet -> facet.name().equals(each.facet())).findFirst()
                    .ifPresent(facet -> filter.chosen().add(new ResultFilter.Choice(facet, each.value())));
        }
        filter.starredOnly().set(starred);
        filter.search().set(search);
        if (table != null) {
            TableColumns.order(rows, table);
        }
    }
}
