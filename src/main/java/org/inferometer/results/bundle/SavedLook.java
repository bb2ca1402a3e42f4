package org.inferometer.results.bundle;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.List;
import java.util.Objects;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/// How what is shown looks: tab, charts, tables and rows. Bundles and the session of the window hold it.
///
/// Longer lists and texts than a window makes are cut, missing parts are empty, so that files of others are safe.
///
/// @param page of the open result
/// @param comparison of the open comparison
/// @param timeline of the Timeline
public record SavedLook(@JsonProperty("page") PageLook page, @JsonProperty("comparison") ComparisonLook comparison,
        @JsonProperty("timeline") TimelineLook timeline) {
    /// Everything as it opens.
    public static final SavedLook NONE = new SavedLook(PageLook.NONE, ComparisonLook.NONE, TimelineLook.NONE);
    private static final int MOST = 200;
    private static final int LONGEST = 2000;

    public SavedLook {
        page = page == null ? PageLook.NONE : page;
        comparison = comparison == null ? ComparisonLook.NONE : comparison;
        timeline = timeline == null ? TimelineLook.NONE : timeline;
    }

    /// The same with texts of a person and of a record changed. Ids stay.
    SavedLook withTexts(UnaryOperator<String> change) {
        return new SavedLook(
                new PageLook(page.tab, charts(page.charts, change), page.tables, change.apply(page.requests)),
                new ComparisonLook(charts(comparison.charts, change), comparison.margins, comparison.strict), timeline);
    }

    private static List<ChartLook> charts(List<ChartLook> charts, UnaryOperator<String> change) {
        return charts.stream()
                .map(each -> new ChartLook(each.chart, each.from, each.to, each.hidden.stream().map(change).toList()))
                .toList();
    }

    private static <T> List<T> few(@Nullable List<T> all) {
        return all == null ? List.of() : all.stream().filter(Objects::nonNull).limit(MOST).toList();
    }

    private static String plain(@Nullable String text) {
        return text == null || text.length() > LONGEST ? "" : text;
    }

    /// @param tab id of the open tab; empty for the first
    /// @param charts those that are zoomed or hide series
    /// @param requests conditions of the table of requests
    public record PageLook(@JsonProperty("tab") String tab, @JsonProperty("charts") List<ChartLook> charts,
            @JsonProperty("tables") List<TableLook> tables, @JsonProperty("requests") String requests) {
        public static final PageLook NONE = new PageLook("", List.of(), List.of(), "");

        public PageLook {
            tab = plain(tab);
            charts = few(charts);
            tables = few(tables);
            requests = plain(requests);
        }
    }

    /// @param margins of the regression gate, as they are typed; empty for the usual ones
    /// @param strict whether undecided checks fail
    public record ComparisonLook(@JsonProperty("charts") List<ChartLook> charts,
            @JsonProperty("margins") String margins, @JsonProperty("strict") boolean strict) {
        public static final ComparisonLook NONE = new ComparisonLook(List.of(), "", false);

        public ComparisonLook {
            charts = few(charts);
            margins = plain(margins);
        }
    }

    /// @param chart id of its tile
    /// @param from lower end of the zoom in units of the x axis; absent without zoom
    /// @param to upper end of the zoom; absent without zoom
    /// @param hidden names of series
    public record ChartLook(@JsonProperty("chart") String chart, @JsonProperty("from") @Nullable Double from,
            @JsonProperty("to") @Nullable Double to, @JsonProperty("hidden") List<String> hidden) {
        public ChartLook {
            chart = plain(chart);
            hidden = few(hidden);
        }
    }

    /// @param table id of the table
    /// @param columns ids, from left to right
    /// @param sorted id of the column that it is sorted by; empty for none
    public record TableLook(@JsonProperty("table") String table, @JsonProperty("columns") List<String> columns,
            @JsonProperty("sorted") String sorted, @JsonProperty("descending") boolean descending) {
        public TableLook {
            table = plain(table);
            columns = few(columns);
            sorted = plain(sorted);
        }
    }

    /// @param compared number of the run below, in execution order from 0; absent without one
    /// @param rules which requests are shown
    /// @param hiddenMemory owners that the memory row leaves out, as in records
    /// @param wholePool whether KV blocks are drawn on the scale of the pool
    public record TimelineLook(@JsonProperty("compared") @Nullable Integer compared,
            @JsonProperty("rules") List<RequestRule> rules, @JsonProperty("hiddenMemory") List<String> hiddenMemory,
            @JsonProperty("wholePool") boolean wholePool) {
        public static final TimelineLook NONE = new TimelineLook(null, List.of(), List.of(), false);

        public TimelineLook {
            rules = few(rules);
            hiddenMemory = few(hiddenMemory);
        }
    }

    /// @param criterion "status", "lane" or "slow"
    /// @param value the status or the number of the lane; empty for slow requests
    /// @param keeps true to show only what meets the criterion, false to hide it
    public record RequestRule(@JsonProperty("criterion") String criterion, @JsonProperty("value") String value,
            @JsonProperty("keeps") boolean keeps) {
        public RequestRule {
            criterion = plain(criterion);
            value = plain(value);
        }
    }
}
