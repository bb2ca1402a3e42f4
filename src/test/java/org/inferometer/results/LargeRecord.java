package org.inferometer.results;

import java.io.IOException;
import java.nio.file.Path;
import java.util.random.RandomGenerator;
import org.inferometer.experiment.ExperimentSpec;
import org.inferometer.record.RecordSink;
import org.inferometer.record.RequestOutcome;
import org.inferometer.record.RequestStatus;
import org.inferometer.record.RunPlan;
import org.inferometer.record.RunStatus;
import org.inferometer.units.Seed;
import org.inferometer.workload.RequestId;

/// Writes the record of one run of many requests of eight tokens each, drawn from a seed, in the order in which they would have ended.
final class LargeRecord {
    static final int TOKENS = 8;

    private LargeRecord() {}

    static void write(Path folder, int requests) throws IOException {
        ExperimentSpec spec = SampleRecords.spec(1);
        RunPlan plan = SampleRecords.plan(spec, 0, 0, folder);
        RandomGenerator random = new Seed(1_000_000).generator();
        try (ResultFiles files = new ResultFiles();
                RecordSink sink = files.openRun(folder, SampleRecords.manifest(plan, RunStatus.RUNNING))) {
            for (int i = 0; i < requests; i++) {
                sink.request(request((i ^ 1) < requests ? i ^ 1 : i, i, random));
                if (i % 10_000 == 0) {
                    sink.flush();
                }
            }
            sink.manifest(SampleRecords.manifest(plan, RunStatus.COMPLETE));
        }
    }

    private static RequestOutcome request(int id, int at, RandomGenerator random) {
        long intended = at * 1_000_000L;
        long[] tokens = new long[TOKENS];
        long now = intended + 300_000;
        for (int t = 0; t < TOKENS; t++) {
            now += random.nextLong(1_000_000, 50_000_000);
            tokens[t] = now;
        }
        return new RequestOutcome(new RequestId(id), false, 64, TOKENS, intended, intended + random.nextLong(100_000),
                intended + 200_000, intended + 300_000, now + 1, RequestStatus.OK, "", tokens);
    }
}
