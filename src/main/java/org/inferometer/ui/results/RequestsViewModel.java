package org.inferometer.ui.results;

import static org.inferometer.ui.fx.Messages.text;

import java.util.List;
import javafx.beans.property.ReadOnlyBooleanProperty;
import javafx.beans.property.ReadOnlyObjectProperty;
import javafx.beans.property.ReadOnlyObjectWrapper;
import javafx.beans.property.ReadOnlyStringProperty;
import javafx.beans.property.ReadOnlyStringWrapper;
import javafx.beans.property.SimpleStringProperty;
import javafx.beans.property.StringProperty;
import org.inferometer.record.RunRecord;
import org.inferometer.report.requests.RequestColumn;
import org.inferometer.report.requests.RequestFilter;
import org.inferometer.report.requests.RequestListing;
import org.inferometer.ui.fx.BackgroundWork;
import org.inferometer.ui.fx.ErrorText;
import org.inferometer.ui.fx.LatestWork;
import org.inferometer.ui.fx.WindowWork;
import org.jspecify.annotations.Nullable;

/// The requests of a result that meet conditions, sorted in the background. Belongs to the UI thread.
final class RequestsViewModel {
    private final List<RunRecord> runs;
    private final LatestWork work;
    private final StringProperty filter = new SimpleStringProperty("");
    private final ReadOnlyObjectWrapper<RequestListing> shown =
            new ReadOnlyObjectWrapper<>(RequestListing.of(List.of()));
    private final ReadOnlyStringWrapper problem = new ReadOnlyStringWrapper("");
    private final ReadOnlyStringWrapper count = new ReadOnlyStringWrapper("");
    private RequestColumn column = RequestColumn.RUN;
    private boolean descending;
    private @Nullable RequestListing whole;

    /// What was listed.
    private record Listed(RequestListing all, RequestListing shown) {}

    /// Lists all requests at once.
    RequestsViewModel(List<RunRecord> runs, BackgroundWork work) {
        this.runs = List.copyOf(runs);
        this.work = new LatestWork(work);
        filter.addListener((observed, before, now) -> list());
        list();
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
        RequestFilter conditions;
        try {
            conditions = new RequestFilter(filter.get());
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
            shown.set(listed.shown);
            count.set(text("requests.count", listed.shown.size(), listed.all.size()));
        }, failure -> problem.set(ErrorText.sentence(failure)));
    }

    /// The conditions; what is not understood stays in [#problem], and the list as it was.
    StringProperty filter() {
        return filter;
    }

    /// The requests that meet the conditions.
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

    /// Whether requests are being listed.
    ReadOnlyBooleanProperty listing() {
        return work.running();
    }
}
