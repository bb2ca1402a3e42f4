package org.inferometer.ui.results;

import static org.inferometer.ui.fx.Messages.text;

import java.util.List;
import javafx.beans.property.ReadOnlyIntegerProperty;
import javafx.beans.property.ReadOnlyIntegerWrapper;
import javafx.beans.property.ReadOnlyObjectProperty;
import javafx.beans.property.ReadOnlyObjectWrapper;
import javafx.beans.property.ReadOnlyStringProperty;
import javafx.beans.property.ReadOnlyStringWrapper;
import javafx.beans.property.SimpleStringProperty;
import javafx.beans.property.StringProperty;
import org.inferometer.record.RunRecord;
import org.inferometer.report.requests.RequestColumn;
import org.inferometer.report.requests.RequestListing;
import org.inferometer.report.requests.RequestListing.Conditions;
import org.inferometer.ui.fx.BackgroundWork;
import org.inferometer.ui.fx.ErrorText;
import org.inferometer.ui.fx.LatestWork;
import org.inferometer.ui.fx.WindowWork;
import org.jspecify.annotations.Nullable;

/// The requests of a result that meet conditions, sorted in the background. Belongs to the UI thread.
///
/// Many requests are shown by pages: with each layout JavaFX walks all rows of a table up to those that are seen.
final class RequestsViewModel {
    /// Rows of a page. A scroll step takes about half the time of one through 1,000,000 rows (docs/performance.md).
    private static final int PAGE_ROWS = 100_000;
    private final List<RunRecord> runs;
    private final LatestWork work;
    private final int pageRows;
    private final StringProperty filter = new SimpleStringProperty("");
    private final ReadOnlyObjectWrapper<RequestListing> shown =
            new ReadOnlyObjectWrapper<>(RequestListing.of(List.of()));
    private final ReadOnlyStringWrapper problem = new ReadOnlyStringWrapper("");
    private final ReadOnlyStringWrapper count = new ReadOnlyStringWrapper("");
    private final ReadOnlyIntegerWrapper page = new ReadOnlyIntegerWrapper();
    private final ReadOnlyStringWrapper rows = new ReadOnlyStringWrapper("");
    private RequestColumn column = RequestColumn.RUN;
    private boolean descending;
    private @Nullable RequestListing whole;
    private RequestListing arranged = RequestListing.of(List.of());

    /// What was listed.
    private record Listed(RequestListing all, RequestListing arranged) {}

    /// Lists all requests at once.
    RequestsViewModel(List<RunRecord> runs, BackgroundWork work) {
        this(runs, work, PAGE_ROWS);
    }

    /// @param pageRows rows of a page
    RequestsViewModel(List<RunRecord> runs, BackgroundWork work, int pageRows) {
        this.pageRows = pageRows;
        this.runs = List.copyOf(runs);
        this.work = new LatestWork(work);
        filter.subscribe(now -> list());
    }

    /// Sorts by a column.
    void sort(RequestColumn by, boolean largestFirst) {
        if (by != column || largestFirst != descending) {
            column = by;
            descending = largestFirst;
            list();
        }
    }

    private void list() {
        Conditions conditions;
        try {
            conditions = new Conditions(filter.get());
        } catch (IllegalArgumentException e) {
            problem.set(e.getMessage());
            return;
        }
        problem.set("");
        RequestColumn by = column;
        boolean largestFirst = descending;
        RequestListing known = whole;
        work.run(WindowWork.REQUEST_TABLE, () -> {
            RequestListing all = known == null ? RequestListing.of(runs) : known;
            return new Listed(all, all.arranged(conditions, by, largestFirst));
        }, listed -> {
            whole = listed.all;
            arranged = listed.arranged;
            count.set(text("requests.count", arranged.size(), listed.all.size()));
            showPage(0);
        }, failure -> problem.set(ErrorText.sentence(failure)));
    }

    /// Shows a page of the requests; the nearest one if there is no such page.
    ///
    /// @param index from 0
    void showPage(int index) {
        page.set(Math.clamp(index, 0, pages() - 1));
        int from = page.get() * pageRows;
        int to = Math.min(arranged.size(), from + pageRows);
        rows.set(pages() > 1 ? text("requests.rows", from + 1, to, arranged.size()) : "");
        shown.set(pages() > 1 ? arranged.part(from, to) : arranged);
    }

    /// Pages of the requests that meet the conditions; at least 1.
    int pages() {
        return Math.max(1, (arranged.size() + pageRows - 1) / pageRows);
    }

    /// The shown page, from 0.
    ReadOnlyIntegerProperty page() {
        return page.getReadOnlyProperty();
    }

    /// "Rows 100,001 to 200,000 of 1,000,000"; empty if all are on one page.
    ReadOnlyStringProperty rows() {
        return rows.getReadOnlyProperty();
    }

    /// The conditions; what is not understood stays in [#problem], and the list as it was.
    StringProperty filter() {
        return filter;
    }

    /// A page of the requests that meet the conditions.
    ReadOnlyObjectProperty<RequestListing> shown() {
        return shown.getReadOnlyProperty();
    }

    /// What is wrong with the conditions; empty if nothing.
    ReadOnlyStringProperty problem() {
        return problem.getReadOnlyProperty();
    }

    /// "12 of 3,000 requests".
    ReadOnlyStringProperty count() {
        return count.getReadOnlyProperty();
    }
}
