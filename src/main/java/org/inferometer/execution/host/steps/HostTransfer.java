package org.inferometer.execution.host.steps;

import java.util.List;
import org.inferometer.execution.KvTransfer;
import org.inferometer.execution.StepOutcome;
import org.inferometer.execution.backend.LaneWork;
import org.inferometer.units.Clock;

/// Copies a request's blocks from one pool to another, all layers, keys and values.
///
/// Copies and counts whole blocks, including a partly filled last one. No step uses them, because the request is in
/// flight.
///
/// @param caches the pools, by index
record HostTransfer(List<KvCache> caches, Clock clock) implements LaneWork<KvTransfer> {
    @Override
    public StepOutcome perform(KvTransfer transfer) {
        long start = clock.nanos();
        KvCache from = caches.get(transfer.from().index());
        KvCache to = caches.get(transfer.to().index());
        int blocks = Math.ceilDiv(transfer.positions(), from.geometry().blockTokens());
        long bytes = from.copyTo(to, transfer.fromBlocks(), transfer.toBlocks(), blocks);
        return new StepOutcome.Transferred(bytes, start, clock.nanos());
    }

    @Override
    public void close() {}
}
