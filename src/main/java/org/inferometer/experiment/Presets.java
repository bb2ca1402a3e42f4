package org.inferometer.experiment;

import java.util.List;
import java.util.stream.IntStream;
import org.inferometer.options.Selection;
import org.inferometer.units.NearMisses;
import org.inferometer.workload.ArrivalProcess;
import org.inferometer.workload.LengthDistribution;
import org.inferometer.workload.WorkloadPresets;
import org.inferometer.workload.WorkloadSpec;

/// The experiments that have a name.
public final class Presets {
    private static final Selection HOST = Selection.of("host");
    private static final long SEED = 42;
    private static final int SAMPLE_MILLIS = 100;

    private final WorkloadPresets workloads = new WorkloadPresets();

    /// A named experiment and what it is for, in one sentence.
    public record Preset(ExperimentSpec spec, String purpose) {}

    /// All presets, in the order of the documentation.
    public List<Preset> all() {
        return List.of(
                new Preset(quick(),
                        "Two precisions under two schedulers, about half a minute: a first look, no verdict."),
                new Preset(engines(), "FP8 against INT4 of one model on short, medium and long requests."),
                new Preset(schedulers(),
                        "Six schedulers, naive as the baseline, with 25, 50 and 100 mixed requests: six to seven minutes on 2 cores."),
                new Preset(sweep(), "One cell over rising concurrency: throughput against latency."),
                new Preset(prefixes(),
                        "Prefix caching off and on where all prompts begin alike, as with a system prompt: about 1 minute."),
                new Preset(memory(), "Memory by owner over prompts of 64 to 4096 tokens."),
                new Preset(batch(),
                        "Batch limits 1 to 16 under sixteen requests in flight: throughput against latency."),
                new Preset(graphs(), "CUDA graphs off and on, with 1 and 16 requests in flight: needs a GPU."));
    }

    /// The preset of that name.
    ///
    /// @throws IllegalArgumentException with near misses and the valid set
    public ExperimentSpec find(String name) {
        return all().stream().map(Preset::spec).filter(spec -> spec.name().equals(name)).findFirst()
                .orElseThrow(() -> new IllegalArgumentException(NearMisses.sentence("preset", name,
                        all().stream().map(preset -> preset.spec().name()).toList())));
    }

    private ExperimentSpec quick() {
        WorkloadSpec workload = new WorkloadSpec("quick", new LengthDistribution.LognormalLength(48, 0.5, 8, 160),
                new LengthDistribution.LognormalLength(24, 0.5, 4, 64), null, 0, new ArrivalProcess.ClosedLoop(8), 24,
                0);
        // One thread leaves the load generator a core on the smallest machine.
        return ExperimentFields.BACKEND.with(spec("quick", List.of("tiny-fp8", "tiny-int4"),
                schedulers("naive", "continuous"), List.of(workload), 1, 8),
                List.of(Selection.parse("host:threads=1")));
    }

    private ExperimentSpec engines() {
        List<WorkloadSpec> shapes = List.of(sized("short", 16), sized("medium", 16), sized("long", 16));
        return spec("engines", List.of("smollm-135m-fp8", "smollm-135m-int4"), schedulers("continuous"), shapes, 3, 4);
    }

    private ExperimentSpec schedulers() {
        List<WorkloadSpec> sizes = IntStream.of(25, 50, 100).mapToObj(count -> {
            WorkloadSpec mixed = workloads.find("mixed-medium");
            return new WorkloadSpec("mixed-" + count, mixed.promptTokens(), mixed.outputTokens(), null, 0,
                    new ArrivalProcess.ClosedLoop(16), count, 0);
        }).toList();
        List<Selection> all =
                schedulers("naive", "dynamic", "simple", "parallel:streams=2", "continuous", "disaggregated");
        return spec("schedulers", List.of("tiny-int4"), all, sizes, 3, 4).withBaseline("naive");
    }

    private ExperimentSpec sweep() {
        List<WorkloadSpec> loads = IntStream.of(1, 2, 4, 8, 16).mapToObj(concurrency -> {
            WorkloadSpec chat = workloads.find("short");
            return new WorkloadSpec("short-c" + concurrency, chat.promptTokens(), chat.outputTokens(), null, 0,
                    new ArrivalProcess.ClosedLoop(concurrency), Math.max(20, 6 * concurrency), 0);
        }).toList();
        return spec("sweep", List.of("tiny-int4"), schedulers("continuous"), loads, 3, 4);
    }

    private ExperimentSpec prefixes() {
        WorkloadSpec alike = new WorkloadSpec("shared-192", new LengthDistribution.LognormalLength(32, 0.6, 8, 128),
                new LengthDistribution.LognormalLength(24, 0.6, 4, 64), null, 192, new ArrivalProcess.ClosedLoop(16),
                80, 0);
        String without = "continuous:enable_prefix_caching=false";
        return spec("prefixes", List.of("tiny-int4"), schedulers(without, "continuous"), List.of(alike), 3, 4)
                .withBaseline(without);
    }

    private ExperimentSpec memory() {
        WorkloadSpec few = new WorkloadSpec("context", new LengthDistribution.FixedLength(64),
                new LengthDistribution.FixedLength(16), null, 0, new ArrivalProcess.ClosedLoop(4), 4, 0);
        return swept("prompt_tokens=64,256,1024,4096",
                spec("memory", List.of("qwen2.5-0.5b-int4"), schedulers("continuous"), List.of(few), 3, 1));
    }

    private ExperimentSpec batch() {
        WorkloadSpec full = workloads.find("short").withRequests(48).withArrivals(new ArrivalProcess.ClosedLoop(16));
        return swept("max_batch_size=1,2,4,8,16",
                spec("batch", List.of("smollm-135m-int4"), schedulers("continuous"), List.of(full), 3, 4));
    }

    private ExperimentSpec graphs() {
        WorkloadSpec alone = workloads.find("short").withRequests(64);
        return swept("concurrency=1,16",
                ExperimentFields.BACKEND.with(
                        spec("graphs", List.of("smollm-135m-int4"), schedulers("continuous"), List.of(alone), 3, 4),
                        List.of(Selection.parse("cuda:graphs=false"), Selection.parse("cuda:graphs=true"))));
    }

    private static ExperimentSpec swept(String sweep, ExperimentSpec spec) {
        return Sweep.parse(sweep).over(spec, KnownOptions.NONE);
    }

    private WorkloadSpec sized(String name, int requests) {
        return workloads.find(name).withRequests(requests).withArrivals(new ArrivalProcess.ClosedLoop(4));
    }

    private static List<Selection> schedulers(String... written) {
        return List.of(written).stream().map(Selection::parse).toList();
    }

    private static ExperimentSpec spec(String name, List<String> engines, List<Selection> schedulers,
            List<WorkloadSpec> workloads, int runs, int warmUp) {
        return new ExperimentSpec(name, engines, schedulers, workloads, HOST, runs, warmUp, SEED, SAMPLE_MILLIS, 0,
                ExperimentSpec.AskedLimits.DEFAULTS);
    }
}
