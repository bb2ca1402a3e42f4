package org.inferometer.report.requests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.inferometer.record.RequestOutcome;
import org.inferometer.record.RequestStatus;
import org.inferometer.record.RunObservations;
import org.inferometer.record.RunRecord;
import org.inferometer.record.RunStatus;
import org.inferometer.report.requests.RequestListing.Conditions;
import org.inferometer.results.SampleRecords;
import org.inferometer.workload.RequestId;
import org.junit.jupiter.api.Test;

class RequestListingTest {
    private static final long MS = 1_000_000;
    private static final RunRecord RUN = run(List.of(request(0, true, 1, 90), request(1, false, 30, 80),
            request(2, false, 10, 40), failed(3), request(4, false, 20, 60)));

    private static RunRecord run(List<RequestOutcome> requests) {
        return new RunRecord("run-000", SampleRecords
                .manifest(SampleRecords.plan(SampleRecords.spec(1), 0, 0, Path.of("x")), RunStatus.COMPLETE),
                new RunObservations(requests, List.of(), List.of(), null), List.of());
    }

    /// Sent at id seconds, 1 ms late.
    private static RequestOutcome request(int id, boolean warmUp, long ttftMillis, long e2eMillis) {
        long due = id * 1000 * MS;
        return new RequestOutcome(new RequestId(id), warmUp, 10 * id, 2, due, due + MS, due + 3 * MS, due + 3 * MS,
                due + e2eMillis * MS, RequestStatus.OK, "", new long[]{due + ttftMillis * MS, due + e2eMillis * MS});
    }

    private static RequestOutcome failed(int id) {
        long due = id * 1000 * MS;
        return new RequestOutcome(new RequestId(id), false, 10, 2, due, due, RequestOutcome.ABSENT,
                RequestOutcome.ABSENT, due + 5 * MS, RequestStatus.FAILED, "refused", new long[0]);
    }

    private static List<Integer> ids(String filter, RequestColumn by, boolean descending) {
        RequestListing listing = RequestListing.of(List.of(RUN)).arranged(new Conditions(filter), by, descending);
        return listing.first(10).stream().map(row -> row.request().id().index()).toList();
    }

    @Test
    void warmUpIsLeftOutAndUnknownValuesComeLast() {
        assertThat(ids("", RequestColumn.RUN, false)).containsExactly(1, 2, 3, 4);
        assertThat(ids("", RequestColumn.TTFT, true)).containsExactly(1, 4, 2, 3);
        assertThat(ids("", RequestColumn.TTFT, false)).containsExactly(2, 4, 1, 3);
    }

    @Test
    void aPartKeepsTheOrderOfItsRows() {
        RequestListing listing = RequestListing.of(List.of(RUN)).arranged(new Conditions(""), RequestColumn.TTFT, true);
        assertThat(listing.part(1, 3).first(10)).isEqualTo(listing.first(10).subList(1, 3));
        assertThat(listing.part(4, 4).size()).isZero();
        assertThatExceptionOfType(IndexOutOfBoundsException.class).isThrownBy(() -> listing.part(3, 5));
    }

    @Test
    void conditionsAreAllMet() {
        assertThat(ids("ttft > 15ms", RequestColumn.REQUEST, false)).containsExactly(1, 4);
        assertThat(ids("ttft>15ms AND e2e <= 0.06", RequestColumn.REQUEST, false)).containsExactly(4);
        assertThat(ids("status != ok", RequestColumn.REQUEST, false)).containsExactly(3);
        assertThat(ids("prompt = 10", RequestColumn.REQUEST, true)).containsExactly(3, 1);
        assertThat(ids("queue > 0 and gap >= 40ms", RequestColumn.REQUEST, true)).containsExactly(4, 1);
    }

    @Test
    void valuesReadAsAPersonReadsThem() {
        RequestListing.Row row = RequestListing.of(List.of(RUN)).row(0);
        List<String> texts = new ArrayList<>();
        for (RequestColumn column : RequestColumn.values()) {
            texts.add(column.id() + " " + row.text(column));
        }
        assertThat(texts).containsExactly("run 0", "request 1", "sent 1.0", "late 1.0", "queue 2.0", "ttft 30.0",
                "tpot 50.0", "gap 50.0", "e2e 80.0", "prompt 10", "output 2");
        assertThat(RequestListing.of(List.of(RUN)).row(2).text(RequestColumn.TTFT)).isEmpty();
    }

    @Test
    void conditionsThatAreNotUnderstoodAreExplained() {
        assertThatIllegalArgumentException().isThrownBy(() -> new Conditions("slow"))
                .withMessage("\"slow\" is not a condition. For example: ttft > 2s and status != ok");
        assertThatIllegalArgumentException().isThrownBy(() -> new Conditions("ttf > 2s"))
                .withMessageStartingWith("Unknown column \"ttf\". Did you mean ttft? Valid: run, request,");
        assertThatIllegalArgumentException().isThrownBy(() -> new Conditions("ttft > soon"))
                .withMessage("\"soon\" is not a duration such as 250ms or 2s.");
        assertThatIllegalArgumentException().isThrownBy(() -> new Conditions("status = fail"))
                .withMessageStartingWith("Unknown status \"fail\".");
        assertThatIllegalArgumentException().isThrownBy(() -> new Conditions("status > ok"))
                .withMessage("A status is compared with = or !=.");
        assertThatIllegalArgumentException().isThrownBy(() -> new Conditions("a = 1 and "));
        assertThatIllegalArgumentException().isThrownBy(() -> new Conditions("x".repeat(1001)))
                .withMessage("Conditions have at most 1000 characters.");
    }
}
