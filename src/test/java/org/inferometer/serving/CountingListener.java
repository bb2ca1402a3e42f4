package org.inferometer.serving;

import java.util.concurrent.CountDownLatch;
import org.inferometer.record.RequestStatus;
import org.inferometer.target.RequestListener;
import org.inferometer.workload.RequestId;

/// Passes everything on to a journal and counts ends down, so that a test can wait for them without sleeping.
public class CountingListener implements RequestListener {
    private final EventJournal journal;
    private final CountDownLatch ended;

    public CountingListener(EventJournal journal, CountDownLatch ended) {
        this.journal = journal;
        this.ended = ended;
    }

    @Override
    public void admitted(RequestId request, long nanos) {
        journal.admitted(request, nanos);
    }

    @Override
    public void prefillStarted(RequestId request, long nanos) {
        journal.prefillStarted(request, nanos);
    }

    @Override
    public void tokens(RequestId request, long nanos, int[] tokens) {
        journal.tokens(request, nanos, tokens);
    }

    @Override
    public void ended(RequestId request, long nanos, RequestStatus status, String reason) {
        journal.ended(request, nanos, status, reason);
        ended.countDown();
    }
}
