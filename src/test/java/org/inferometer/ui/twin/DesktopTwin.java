package org.inferometer.ui.twin;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.inferometer.chart.JFreeCharts;
import org.inferometer.engine.ModelFamily;
import org.inferometer.engine.ModelShape;
import org.inferometer.engine.Precision;
import org.inferometer.engine.build.EngineEntry;
import org.inferometer.engine.build.Recipe;
import org.inferometer.experiment.SavedPresets;
import org.inferometer.experiment.SpecReader;
import org.inferometer.options.Option;
import org.inferometer.options.OptionRecords;
import org.inferometer.options.Selection;
import org.inferometer.prompting.PromptProcess;
import org.inferometer.run.BenchmarkService;
import org.inferometer.scheduling.SchedulerDescription;
import org.inferometer.ui.bench.BenchView.MachineSummary;
import org.inferometer.ui.chart.ChartDrawing;
import org.inferometer.ui.designer.BackendForm.BackendChoice;
import org.inferometer.ui.designer.DesignerServices;
import org.inferometer.ui.fx.Settings;
import org.inferometer.ui.shell.DesktopServices;
import org.inferometer.units.SystemClock;

/// A desktop's services made of twins.
public final class DesktopTwin {
    /// What a machine without GPU says.
    public static final MachineSummary CPU_ONLY = new MachineSummary("Intel Xeon Platinum 8481C, 2 cores, AVX-512",
            "No NVIDIA GPU found: the CPU runs the engines.",
            "The driver library libcuda.so.1 is not installed. With an NVIDIA driver, restart to use the GPU.");

    private DesktopTwin() {}

    /// Options as a dynamic scheduler has them.
    public record BatchOptions(
            @Option(name = "max_batch_size", standard = "16", min = 1, max = 256, unit = "requests",
                    help = "Requests in a step.") int maxBatchSize,
            @Option(name = "max_wait", standard = "0.05", min = 0, max = 10, unit = "s",
                    help = "How long the first request waits for company.") double maxWaitSeconds,
            @Option(name = "chunked_prefill", standard = "true",
                    help = "Whether long prompts are cut into chunks.") boolean chunkedPrefill,
            @Option(name = "policy", standard = "fcfs", help = "Who goes first.") Policy policy) {
        /// Who goes first.
        public enum Policy {
            FCFS, SHORTEST
        }
    }

    /// Options of a scheduler that has none.
    public record NoOptions() {}

    /// Four schedulers.
    public static List<SchedulerDescription<?>> schedulers() {
        return List.of(scheduler("naive", NoOptions.class), scheduler("dynamic", BatchOptions.class),
                scheduler("continuous", BatchOptions.class), scheduler("parallel", BatchOptions.class));
    }

    /// Engines as the catalogue would list them.
    public static List<EngineEntry> engines() {
        return List.of(entry("tiny-bf16", Precision.BF16), entry("tiny-fp8", Precision.FP8),
                entry("tiny-int4", Precision.INT4), entry("smollm-135m-fp8", Precision.FP8),
                entry("smollm-135m-int4", Precision.INT4), entry("qwen2.5-0.5b-fp8", Precision.FP8),
                entry("qwen2.5-0.5b-int4", Precision.INT4), entry("llama-3.1-8b-int4", Precision.INT4),
                new EngineEntry("broken-fp8", Path.of("engines/broken-fp8"), null, EngineEntry.State.DAMAGED, null,
                        "weights.safetensors is too short: build it again."));
    }

    /// Options as the CPU backend has them.
    public record HostOptions(
            @Option(name = "lanes", standard = "0", max = 64, unit = "lanes",
                    help = "Steps that run side by side; 0 takes what the scheduler needs.") int lanes,
            @Option(name = "threads", standard = "0", max = 1024, unit = "threads",
                    help = "Threads of each lane; 0 divides the cores.") int threads) {}

    /// Some options of a server.
    record ServerOptions(@Option(name = "url", standard = "", help = "Address.") String url,
            @Option(name = "name", standard = "http", help = "Name in tables.") String name) {}

    /// What experiments can be made of.
    public static DesignerServices designer(BenchmarkService service) {
        return designer(service, schedulers());
    }

    /// The same with other schedulers.
    public static DesignerServices designer(BenchmarkService service, List<SchedulerDescription<?>> schedulers) {
        return designer(service, schedulers, Path.of("no-such-folder", "presets"));
    }

    /// The same with saved presets.
    public static DesignerServices designer(BenchmarkService service, List<SchedulerDescription<?>> schedulers,
            Path presets) {
        return new DesignerServices(service, Path.of("engines"), DesktopTwin::engines, schedulers,
                List.of(Experiments.SHORT, Experiments.CHAT),
                List.of(new BackendChoice(Selection.of("host"), "CPU (host), 2 cores",
                        OptionRecords.describe(HostOptions.class), false),
                        new BackendChoice(Selection.of("http"), "Server (OpenAI API)",
                                OptionRecords.describe(ServerOptions.class), true)),
                Map.of(), Experiments.QUICK, new SavedPresets(presets), new SpecReader());
    }

    /// All services.
    public static DesktopServices services(ScriptedBenchmark service, LibraryTwin library, LibraryTwin samples,
            ChartDrawing.Composer composer) {
        return services(designer(service), library, samples, composer);
    }

    /// All services around other choices.
    public static DesktopServices services(DesignerServices designer, LibraryTwin library, LibraryTwin samples,
            ChartDrawing.Composer composer) {
        return new DesktopServices(designer, library.tools(samples.folder()), () -> CPU_ONLY,
                DevicesTwin.withoutGpu().source(), composer, new JFreeCharts(),
                new Settings(library.folder().resolveSibling("settings.properties")),
                new MachinesTwin(host -> designer.benchmarks()), new PromptProcess(List.of("true"), Path.of("")),
                new SystemClock(), "0.1.0");
    }

    private static <R extends Record> SchedulerDescription<R> scheduler(String name, Class<R> options) {
        return new SchedulerDescription<>(name, name + " batches requests in its own way.", "Any load.", options,
                read -> {
                    throw new IllegalStateException("A twin schedules nothing.");
                });
    }

    private static EngineEntry entry(String name, Precision precision) {
        ModelShape shape =
                new ModelShape(ModelFamily.values()[0], 4, 256, 768, 4, 2, 64, 8192, 2048, true, 10_000, null, 1e-5);
        return new EngineEntry(name, Path.of("engines", name), new Recipe("tiny", shape, precision, 1),
                EngineEntry.State.RECIPE_ONLY, null, "");
    }
}
