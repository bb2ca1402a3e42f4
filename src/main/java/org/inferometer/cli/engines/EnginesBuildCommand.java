package org.inferometer.cli.engines;

import java.nio.file.Path;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.DoubleConsumer;
import java.util.stream.Collectors;
import org.inferometer.cli.ExitCodes;
import org.inferometer.cli.JsonCommand;
import org.inferometer.cli.ProgressLine;
import org.inferometer.cli.RootCommand;
import org.inferometer.cli.ShutdownHooks;
import org.inferometer.cli.UsageException;
import org.inferometer.cli.engines.CheckpointBuild.Planned;
import org.inferometer.engine.EngineDescriptor;
import org.inferometer.engine.EngineDescriptor.EngineDefaults;
import org.inferometer.engine.EngineInspection;
import org.inferometer.engine.build.DiskNeeds;
import org.inferometer.engine.build.EngineBuilder;
import org.inferometer.engine.build.EngineBuilder.EngineMaterial;
import org.inferometer.engine.build.EngineEntry;
import org.inferometer.engine.build.Recipe;
import org.inferometer.engine.checkpoint.Checkpoint;
import org.inferometer.engine.files.EngineFormatException;
import org.inferometer.engine.files.FreeSpace;
import org.inferometer.prompting.ChatPrompt;
import org.inferometer.quantising.AwqBuild;
import org.inferometer.report.AlignedColumns;
import org.inferometer.units.QuantityText;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// `engines build`: prints the needs of engines, builds them and prints what was written.
@Command(name = "build",
        description = "Build engines from recipes, or from a checkpoint. Prints disk and memory needs first. The same command continues an interrupted build.",
        footer = {"", "Examples:", "  inferometer engines build tiny-fp8 tiny-int4",
                "  inferometer engines build llama --checkpoint Llama-3.2-1B --precision bf16,fp8,int4",
                "  inferometer engines build qwen --checkpoint qwen2.5-0.5b-q8_0.gguf --precision int8",
                "  inferometer engines build llama --checkpoint Llama-3.2-1B --precision int4-awq --calibration notes.txt",
                "  inferometer engines build qwen-awq --checkpoint Qwen2.5-7B-Instruct-AWQ", ""})
public final class EnginesBuildCommand extends JsonCommand {
    private static final int BAR = 30;
    private static final long MOST_WAIT_SECONDS = 10;

    @Parameters(arity = "1..*", paramLabel = "NAME",
            description = "Engines to build (see: inferometer engines list), or the name of a checkpoint's engines.")
    List<String> names = new ArrayList<>();

    @Option(names = "--checkpoint", paramLabel = "DIR|FILE",
            description = "Folder of a Hugging Face checkpoint (config.json beside *.safetensors), or a GGUF file. Engines are named NAME-PRECISION.")
    @Nullable
    Path checkpoint;

    @Option(names = "--precision", paramLabel = "LIST", split = ",",
            description = "Precisions of the checkpoint's engines: bf16, fp8, int8, int4, int4-awq (scales that a text helps to choose). Default: that of a quantised checkpoint whose values are kept, else bf16.")
    List<String> precisions = List.of();

    @Option(names = "--group-size", paramLabel = "N",
            description = "Inputs of a group with a scale, where a checkpoint is quantised now: 128, 64 or 32 for int4, 128 for fp8. Default: 128 for int4; fp8 has a scale for each output.")
    @Nullable
    Integer groupSize;

    @Option(names = "--calibration", paramLabel = "FILE",
            description = "Text in UTF-8 for int4-awq, like that the model will read. Default: a short text of the program.")
    @Nullable
    Path calibration;

    @Option(names = "--calibration-tokens", paramLabel = "N", defaultValue = "2048",
            description = "Tokens of the text that the model reads at most. Default: 2048.")
    int calibrationTokens;

    @Option(names = "--max-batch-size", paramLabel = "N",
            description = "Most requests in a step of experiments that give no --max-batch-size. Default: what their workload can use.")
    @Nullable
    Integer maxBatchSize;

    @Option(names = "--max-length", paramLabel = "N",
            description = "Most positions of a request of experiments that give no --max-length. Default: what their workload can reach.")
    @Nullable
    Integer maxLength;

    @Option(names = "--rebuild",
            description = "Build engines that are already built, too. The same recipe gives the same bytes.")
    boolean rebuild;

    public EnginesBuildCommand(RootCommand root) {
        super(root);
    }

    @Override
    public Integer call() throws UsageException, EngineFormatException {
        EngineDefaults defaults = defaults();
        if (checkpoint != null) {
            return fromCheckpoint(checkpoint, defaults);
        }
        if (calibration != null) {
            throw new UsageException(
                    "--calibration is for --precision int4-awq of a checkpoint. Add --checkpoint DIR.");
        }
        if (!precisions.isEmpty()) {
            throw new UsageException("--precision is for checkpoints; a recipe has its own. Add --checkpoint DIR.");
        }
        if (groupSize != null) {
            throw new UsageException(
                    "--group-size is for checkpoints; a recipe has its own group_size. Add --checkpoint DIR.");
        }
        List<EngineEntry> chosen = EngineNames.find(services().engines(), names);
        List<EngineEntry> missing =
                chosen.stream().filter(entry -> rebuild || entry.state() != EngineEntry.State.BUILT).toList();
        requireRecipes(missing);
        announce(missing);
        List<EngineDescriptor> built = new ArrayList<>();
        boolean whole = stoppable(() -> {
            for (EngineEntry entry : missing) {
                built.add(build(entry, defaults));
            }
        });
        if (!whole) {
            return ExitCodes.RUN_FAILED;
        }
        print(built, () -> chosen.stream().map(entry -> outcome(entry.name(), entry.folder(), built, defaults))
                .collect(Collectors.joining()));
        return ExitCodes.DONE;
    }

    private EngineDefaults defaults() throws UsageException {
        return new EngineDefaults(limit("--max-batch-size", maxBatchSize, EngineDefaults.MOST_BATCH_SIZE),
                limit("--max-length", maxLength, EngineDefaults.MOST_LENGTH));
    }

    private static int limit(String option, @Nullable Integer value, int most) throws UsageException {
        if (value != null && (value < 1 || value > most)) {
            throw new UsageException(option + " " + value + ": give a number from 1 to " + most + ".");
        }
        return value == null ? 0 : value;
    }

    private int fromCheckpoint(Path folder, EngineDefaults defaults) throws UsageException, EngineFormatException {
        CheckpointBuild wanted = CheckpointBuild.of(names, services().workspace().engines(), precisions, groupSize);
        try (Checkpoint opened = Checkpoint.open(folder)) {
            List<Planned> planned = wanted.plan(opened);
            Calibrator calibrator = Calibrator.of(calibration, calibrationTokens, planned);
            CheckpointBuild.requireTokenizer(opened, planned);
            List<Planned> missing = planned.stream().filter(each -> rebuild || !each.isBuilt()).toList();
            announceNeeds(missing.stream().map(Planned::name).toList(),
                    missing.stream().map(Planned::inspection).toList());
            for (Planned each : missing) {
                opened.treatment(each.material().formats())
                        .ifPresent(what -> terminal().err().println(each.name() + ": " + what));
            }
            opened.textFault().filter(fault -> !missing.isEmpty())
                    .ifPresent(fault -> terminal().err().println("warning: " + opened.name() + ": " + fault));
            warnOfTemplate(opened, missing);
            List<EngineDescriptor> built = new ArrayList<>();
            boolean whole = stoppable(() -> {
                for (Planned each : missing) {
                    EngineMaterial material =
                            each.kind().isCalibrated() ? calibrated(each, opened, calibrator) : each.material();
                    built.add(drawn("building " + each.name(),
                            progress -> builder(each.name()).build(each.folder(), material, defaults, progress)));
                }
            });
            if (!whole) {
                return ExitCodes.RUN_FAILED;
            }
            print(built, () -> planned.stream().map(each -> outcome(each.name(), each.folder(), built, defaults))
                    .collect(Collectors.joining()));
            return ExitCodes.DONE;
        }
    }

    /// Told now, because a prompt needs it much later.
    private void warnOfTemplate(Checkpoint checkpoint, List<Planned> missing) {
        LocalDateTime now = LocalDateTime.ofInstant(services().clock().wall(), ZoneId.systemDefault());
        checkpoint.chat().filter(chat -> !missing.isEmpty()).flatMap(chat -> ChatPrompt.fault(chat, now))
                .ifPresent(fault -> terminal().err().println("warning: " + fault
                        + " The engines answer prompts with --raw only. Correct the checkpoint's template for others."));
    }

    private EngineMaterial calibrated(Planned engine, Checkpoint checkpoint, Calibrator calibrator)
            throws UsageException, EngineFormatException {
        AwqBuild.Calibrated calibrated = drawn("calibrating " + engine.name(),
                progress -> calibrator.calibrate(checkpoint, engine.material(), progress));
        terminal().err().println(engine.name() + ": " + calibrated.calibration().sentence());
        return calibrated.material();
    }

    private static void requireRecipes(List<EngineEntry> entries) throws UsageException {
        List<String> faults = entries.stream().filter(entry -> entry.recipe() == null).map(entry -> entry.name()
                + " has no valid recipe." + (entry.problem().isEmpty() ? "" : " " + entry.problem())).toList();
        UsageException.throwIfAny(faults);
    }

    private void announce(List<EngineEntry> entries) throws EngineFormatException {
        // The recipe, since the files of a damaged engine cannot be read.
        announceNeeds(entries.stream().map(EngineEntry::name).toList(),
                entries.stream().map(EngineEntry::recipe).filter(Objects::nonNull).map(Recipe::inspection).toList());
    }

    private void announceNeeds(List<String> engines, List<EngineInspection> insides) throws EngineFormatException {
        if (engines.isEmpty()) {
            return;
        }
        AlignedColumns table = new AlignedColumns("ENGINE", "DISK>", "MEMORY TO RUN", "WEIGHTS");
        long diskBytes = 0;
        for (int i = 0; i < engines.size(); i++) {
            EngineInspection inside = insides.get(i);
            EngineInspection.MemoryNeeds memory = inside.memory();
            diskBytes += memory.weightBytes();
            table.row(engines.get(i), QuantityText.bytes(memory.weightBytes()),
                    QuantityText.bytes(memory.weightBytes()) + " + "
                            + QuantityText.bytes(memory.kvBytesPerToken(Short.BYTES)) + " KV cache per token (BF16)",
                    inside.origin());
        }
        terminal().err().print(table.render(terminal().columns()));
        if (engines.size() > 1) {
            terminal().err().println("Total on disk: " + QuantityText.bytes(diskBytes) + ".");
        }
        terminal().err().flush();
        DiskNeeds.require(services().workspace().engines(), engines, diskBytes, FreeSpace.DISK);
    }

    private EngineDescriptor build(EngineEntry entry, EngineDefaults defaults)
            throws EngineFormatException, UsageException {
        return drawn("building " + entry.name(), progress -> builder(entry.name()).build(entry, defaults, progress));
    }

    private EngineBuilder builder(String engine) {
        return new EngineBuilder(note -> terminal().err().println(engine + ": " + note));
    }

    /// Work that says how far it is.
    private interface Work<T> {
        T run(DoubleConsumer progress) throws EngineFormatException, UsageException;
    }

    private <T> T drawn(String title, Work<T> work) throws EngineFormatException, UsageException {
        ProgressLine line = new ProgressLine(terminal(), services().clock());
        if (!line.isLive()) {
            line.print(title);
        }
        try {
            return work.run(fraction -> line
                    .draw(title + " " + ProgressLine.bar(fraction, BAR) + " " + Math.round(100 * fraction) + " %"));
        } finally {
            line.clear();
        }
    }

    /// Builds that a termination signal may interrupt.
    private interface Builds {
        void run() throws EngineFormatException, UsageException;
    }

    /// Runs builds. After a signal the process ends as soon as they have stopped; so what they kept is told here.
    ///
    /// @return whether all were built
    private boolean stoppable(Builds builds) throws EngineFormatException, UsageException {
        CountDownLatch done = new CountDownLatch(1);
        Thread builder = Thread.currentThread();
        try (ShutdownHooks.Registration hook = services().shutdown().onShutdown(() -> stop(builder, done))) {
            builds.run();
            return true;
        } catch (EngineFormatException failed) {
            if (!Thread.currentThread().isInterrupted()) {
                throw failed;
            }
            terminal().fault(String.valueOf(failed.getMessage()));
            return false;
        } finally {
            done.countDown();
        }
    }

    /// Interrupts the build and waits until it has kept or removed its files.
    private static void stop(Thread builder, CountDownLatch done) {
        builder.interrupt();
        try {
            done.await(MOST_WAIT_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static String outcome(String name, Path folder, List<EngineDescriptor> built, EngineDefaults defaults) {
        return built.stream().filter(engine -> engine.name().equals(name)).findFirst()
                .map(engine -> "built " + engine.name() + ": " + EnginesListCommand.parameters(engine.parameters())
                        + " parameters, " + QuantityText.bytes(engine.weightBytes()) + ", "
                        + EngineInspection.originText(engine.origin()) + ", in " + folder + "\n")
                .orElse(name + " is already built" + (defaults.equals(EngineDefaults.NONE) ? "" : "; its limits stay")
                        + ". Add --rebuild to build it again.\n");
    }
}
