package org.inferometer.ui.twin;

import java.util.ArrayList;
import java.util.List;
import org.inferometer.record.RequestOutcome;
import org.inferometer.record.RunObservations;
import org.inferometer.record.RunRecord;
import org.inferometer.record.TelemetrySample;
import org.inferometer.record.TelemetrySample.GpuSample;

/// Adds telemetry by rule to a record: memory by owner, a GPU, collections, and send times that are late by rule.
public final class SampledRuns {
    private static final long MIB = 1 << 20;
    private static final long EVERY_NANOS = 10_000_000;
    private static final int SAMPLES = 85;

    private SampledRuns() {}

    /// The record with a sample each 10 ms; a Java runtime that dwarfs the engine, and a spike of workspace in one sample.
    public static RunRecord of(RunRecord run) {
        RunObservations seen = run.observations();
        List<TelemetrySample> samples = new ArrayList<>();
        for (int i = 0; i < SAMPLES; i++) {
            long kv = (4 + i % 30 / 3) * MIB;
            long workspace = i == 50 ? 14 * MIB : MIB;
            long[] owners = {15 * MIB, kv, 2 * MIB, workspace, 180 * MIB, 60 * MIB};
            long total = 0;
            for (long bytes : owners) {
                total += bytes;
            }
            samples.add(new TelemetrySample(i * EVERY_NANOS, owners, total, i * 17_000_000L + i % 7 * 1_000_000L,
                    (60 + i % 20) * MIB, i / 20, i / 20 * 3L, new GpuSample(0, total, 40 + i % 11 * 5, 212 + i % 9 * 8,
                            i * 2.2, 1410 + i % 5 * 15, 51 + i / 20, 0, 30, Double.NaN)));
        }
        List<RequestOutcome> late = seen.requests().stream()
                .map(request -> new RequestOutcome(request.id(), request.warmUp(), request.promptTokens(),
                        request.askedOutputTokens(), request.sentNanos() - 20_000 - request.id().index() % 9 * 40_000,
                        request.sentNanos(), request.admittedNanos(), request.prefillStartNanos(), request.endNanos(),
                        request.status(), request.reason(), request.eventNanos()))
                .toList();
        return new RunRecord(run.folderName(), run.manifest(),
                new RunObservations(late, seen.steps(), samples, seen.setup(), seen.events()), run.notes());
    }
}
