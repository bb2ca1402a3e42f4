package org.inferometer.ui.results;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.inferometer.record.RunRecord;
import org.inferometer.report.requests.RequestColumn;
import org.inferometer.report.requests.RequestListing;
import org.inferometer.ui.twin.Experiments;
import org.inferometer.ui.twin.InlineUi;
import org.junit.jupiter.api.Test;

class RequestsViewModelTest {
    private static final int ROWS = 7;
    private final List<RunRecord> runs = Experiments.virtual(Path.of("results", "schedulers")).runs();
    private final RequestsViewModel model = new RequestsViewModel(runs, new InlineUi().work(), ROWS);
    private final List<RequestListing.Row> all = RequestListing.of(runs).first(Integer.MAX_VALUE);

    private List<RequestListing.Row> shown() {
        return model.shown().get().first(Integer.MAX_VALUE);
    }

    @Test
    void pagesHoldAllRowsInOrder() {
        List<RequestListing.Row> seen = new ArrayList<>();
        for (int i = 0; i < model.pages(); i++) {
            model.showPage(i);
            assertThat(shown()).hasSizeBetween(1, ROWS);
            seen.addAll(shown());
        }
        assertThat(seen).isEqualTo(all);
        assertThat(model.pages()).isEqualTo((all.size() + ROWS - 1) / ROWS);
    }

    @Test
    void aPageNamesItsRows() {
        model.showPage(1);
        assertThat(model.rows().get()).isEqualTo("Rows 8 to 14 of " + all.size());
        model.showPage(1000);
        assertThat(model.rows().get()).endsWith(" to " + all.size() + " of " + all.size());
        model.showPage(-1);
        assertThat(model.page().get()).isZero();
    }

    @Test
    void anotherOrderBeginsAtItsFirstPage() {
        model.showPage(2);
        model.sort(RequestColumn.E2E, true);
        assertThat(model.page().get()).isZero();
        double slowest = all.stream().mapToDouble(row -> row.value(RequestColumn.E2E)).max().orElseThrow();
        assertThat(shown().getFirst().value(RequestColumn.E2E)).isEqualTo(slowest);
    }

    @Test
    void rowsOfOnePageAreNotCounted() {
        model.filter().set("request = 3");
        assertThat(model.pages()).isEqualTo(1);
        assertThat(model.rows().get()).isEmpty();
        model.filter().set("request = 3 and request = 4");
        assertThat(shown()).isEmpty();
        assertThat(model.rows().get()).isEmpty();
    }
}
