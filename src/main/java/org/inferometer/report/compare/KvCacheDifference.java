package org.inferometer.report.compare;

import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import org.inferometer.record.RunManifest;
import org.inferometer.record.RunRecord;

/// A KV cache whose format changed although the settings are the same: a position of one model has other bytes.
final class KvCacheDifference {
    private KvCacheDifference() {}

    /// Bytes of a position's keys and values in the runs; 0 where that is not known, or differs.
    static long positionBytes(List<RunRecord> runs) {
        List<Long> bytes = runs.stream().map(run -> run.manifest().system().pools())
                .filter(pools -> pools.blockTokens() > 0).map(KvCacheDifference::positionBytes).distinct().toList();
        return bytes.size() == 1 ? bytes.getFirst() : 0;
    }

    private static long positionBytes(RunManifest.Pools pools) {
        return pools.blockBytes() / pools.blockTokens();
    }

    /// A sentence with both sizes; empty if they are equal, not known, or the settings say why they differ.
    static Optional<String> of(ComparedSide base, ComparedSide candidate) {
        long before = base.origin().kvPositionBytes();
        long after = candidate.origin().kvPositionBytes();
        boolean alike = base.model().equals(candidate.model())
                && Stream.of("backend", "backend.kv_dtype").allMatch(name -> Objects
                        .equals(CellSettings.of(base.cell()).get(name), CellSettings.of(candidate.cell()).get(name)));
        return before == after || before == 0 || after == 0 || !alike ? Optional.empty()
                : Optional.of("The KV cache has another format with the same kv_dtype: " + before
                        + " bytes a position (base), " + after + " (candidate). Measure both with one version.");
    }
}
