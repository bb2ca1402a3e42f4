package org.inferometer.cli.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.inferometer.cli.Samples;
import org.inferometer.experiment.ExperimentFields;
import org.inferometer.experiment.ExperimentSpec;
import org.inferometer.options.Selection;
import org.inferometer.run.BenchmarkService.Estimate;
import org.inferometer.workload.WorkloadPresets;
import org.inferometer.workload.WorkloadSpec;
import org.junit.jupiter.api.Test;

class PlanTextTest {
    @Test
    void planStatesHowEachLoadEnds() {
        WorkloadSpec chat = new WorkloadPresets().find("chat").withRequests(0);
        WorkloadSpec timed = chat.withRefinements(chat.refinements().withDuration(20_000_000_000L));
        assertThat(first(List.of(timed))).isEqualTo("2 runs, each for 20 s. Ctrl+C stops and keeps the measurements.");
        assertThat(first(List.of(new WorkloadPresets().find("prompts:questions.txt"))))
                .isEqualTo("2 runs, each all of its file. Ctrl+C stops and keeps the measurements.");
        assertThat(first(List.of(chat.withRequests(25))))
                .isEqualTo("2 runs, 50 measured requests. Ctrl+C stops and keeps the measurements.");
    }

    @Test
    void productOfTheCellsIsNamed() {
        ExperimentSpec one = Samples.oneCell(2);
        ExperimentSpec swept = ExperimentFields.BACKEND.with(one,
                List.of(Selection.parse("host:threads=1"), Selection.parse("host:threads=2")));
        ExperimentSpec mixed = ExperimentFields.TARGETS.with(one,
                List.of(Selection.parse("http:url=http://127.0.0.1:8000,name=acme")));
        assertThat(first(swept))
                .isEqualTo("2 cells (tiny-fp8 x naive x host:threads=1, host:threads=2 x basic), 2 runs each.");
        assertThat(first(mixed))
                .isEqualTo("2 cells ((tiny-fp8 x naive beside http:url=http://127.0.0.1:8000,name=acme) x basic), "
                        + "2 runs each.");
    }

    @Test
    void planSaysWhoseMemoryItIs() {
        assertThat(memory("host", 8L << 30)).isEqualTo("Weights 1.00 MiB, KV pool 1.00 MiB, machine memory 8.00 GiB.");
        assertThat(memory("cuda:device=1", 8L << 30))
                .isEqualTo("Weights 1.00 MiB, KV pool 1.00 MiB, GPU memory 8.00 GiB.");
        assertThat(memory("cuda", 0)).isEqualTo("Weights 1.00 MiB, KV pool 1.00 MiB.");
    }

    @Test
    void planForAnotherMachineNamesNoMemory() {
        assertThat(PlanText.of(Samples.oneCell(2), new Estimate(2, 50, 0, 0, 0), List.of(), List.of(), 200))
                .isEqualTo("2 runs, 50 measured requests. Ctrl+C stops and keeps the measurements.\n");
    }

    @Test
    void planSaysNumberTimeAndRateOfEachTrace() {
        Estimate estimate = new Estimate(2, 50, 0, 0, 0,
                List.of("trace:a: 3 requests over 2.00 ms, 1500 req/s.", "trace:b: 1 request."));
        assertThat(PlanText.of(Samples.oneCell(2), estimate, List.of(), List.of(), 200))
                .endsWith("measurements.\ntrace:a: 3 requests over 2.00 ms, 1500 req/s.\ntrace:b: 1 request.\n");
    }

    @Test
    void warningsEndThePlan() {
        assertThat(PlanText.of(Samples.oneCell(2), new Estimate(2, 50, 0, 0, 0), List.of(), List.of("Too many."), 200))
                .endsWith("measurements.\nWarning: Too many.\n");
    }

    private static String memory(String backend, long bytes) {
        ExperimentSpec spec = ExperimentFields.BACKEND.with(Samples.oneCell(2), List.of(Selection.parse(backend)));
        return PlanText.of(spec, new Estimate(2, 50, 1 << 20, 1 << 20, bytes), List.of(), List.of(), 200).lines()
                .reduce((before, last) -> last).orElseThrow();
    }

    private static String first(List<WorkloadSpec> loads) {
        return first(Samples.oneCell(2).withWorkloads(loads));
    }

    private static String first(ExperimentSpec spec) {
        int requests = spec.workloads().stream().mapToInt(load -> load.requests() * spec.runs()).sum();
        return PlanText.of(spec, new Estimate(2, requests, 1 << 20, 1 << 20, 1 << 20), List.of(), List.of(), 200)
                .lines().findFirst().orElseThrow();
    }
}
