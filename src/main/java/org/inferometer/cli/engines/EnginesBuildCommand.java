package org.inferometer.cli.engines;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.inferometer.cli.ExitCodes;
import org.inferometer.cli.JsonCommand;
import org.inferometer.cli.ProgressLine;
import org.inferometer.cli.RootCommand;
import org.inferometer.cli.ShutdownHooks;
import org.inferometer.cli.UsageException;
import org.inferometer.engine.EngineDescriptor;
import org.inferometer.engine.EngineFormatException;
import org.inferometer.engine.EngineInspection;
import org.inferometer.engine.build.EngineBuilder;
import org.inferometer.engine.build.EngineEntry;
import org.inferometer.report.AlignedColumns;
import org.inferometer.units.QuantityText;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// `engines build`: prints the needs of engines, builds them and prints what was written.
@Command(name = "build", description = "Build engines from recipes. Prints disk and memory needs first.",
        footer = {"", "Example:", "  inferometer engines build tiny-fp8 tiny-int4", ""})
public final class EnginesBuildCommand extends JsonCommand {
    private static final int BAR = 30;
    private static final long MOST_WAIT_SECONDS = 10;

    @Parameters(arity = "1..*", paramLabel = "NAME", description = "Engines to build. See: inferometer engines list.")
    List<String> names = new ArrayList<>();

    @Option(names = "--rebuild",
            description = "Build engines that are already built, too. The same recipe gives the same bytes.")
    boolean rebuild;

    public EnginesBuildCommand(RootCommand root) {
        super(root);
    }

    @Override
    public Integer call() throws UsageException, EngineFormatException {
        List<EngineEntry> chosen = EngineNames.find(services().engines(), names);
        List<EngineEntry> missing =
                chosen.stream().filter(entry -> rebuild || entry.state() != EngineEntry.State.BUILT).toList();
        requireRecipes(missing);
        announce(missing);
        List<EngineDescriptor> built = new ArrayList<>();
        CountDownLatch done = new CountDownLatch(1);
        Thread builder = Thread.currentThread();
        try (ShutdownHooks.Registration hook = services().shutdown().onShutdown(() -> stop(builder, done))) {
            for (EngineEntry entry : missing) {
                built.add(build(entry));
            }
        } finally {
            done.countDown();
        }
        print(built, () -> chosen.stream().map(entry -> outcome(entry, built)).collect(Collectors.joining()));
        return ExitCodes.DONE;
    }

    private static void requireRecipes(List<EngineEntry> entries) throws UsageException {
        List<String> faults = entries.stream().filter(entry -> entry.recipe() == null).map(entry -> entry.name()
                + " has no valid recipe." + (entry.problem().isEmpty() ? "" : " " + entry.problem())).toList();
        UsageException.throwIfAny(faults);
    }

    private void announce(List<EngineEntry> entries) throws EngineFormatException {
        if (entries.isEmpty()) {
            return;
        }
        AlignedColumns table = new AlignedColumns("ENGINE", "DISK>", "MEMORY TO RUN", "WEIGHTS");
        long diskBytes = 0;
        for (EngineEntry entry : entries) {
            EngineInspection inside = entry.inspect();
            EngineInspection.MemoryNeeds memory = inside.memory();
            diskBytes += memory.weightBytes();
            table.row(entry.name(), QuantityText.bytes(memory.weightBytes()),
                    QuantityText.bytes(memory.weightBytes()) + " + "
                            + QuantityText.bytes(memory.kvBytesPerToken(Float.BYTES)) + " KV cache per token (FP32)",
                    inside.origin());
        }
        terminal().err().print(table.render(terminal().columns()));
        if (entries.size() > 1) {
            terminal().err().println("Total on disk: " + QuantityText.bytes(diskBytes) + ".");
        }
        terminal().err().flush();
    }

    private EngineDescriptor build(EngineEntry entry) throws EngineFormatException {
        ProgressLine line = new ProgressLine(terminal(), services().clock());
        if (!line.isLive()) {
            line.print("building " + entry.name());
        }
        try {
            return new EngineBuilder().build(entry, fraction -> line.draw("building " + entry.name() + " "
                    + ProgressLine.bar(fraction, BAR) + " " + Math.round(100 * fraction) + " %"));
        } finally {
            line.clear();
        }
    }

    /// Interrupts the build and waits until it has removed its files.
    private static void stop(Thread builder, CountDownLatch done) {
        builder.interrupt();
        try {
            done.await(MOST_WAIT_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static String outcome(EngineEntry entry, List<EngineDescriptor> built) {
        return built.stream().filter(engine -> engine.name().equals(entry.name())).findFirst()
                .map(engine -> "built " + engine.name() + ": " + EnginesListCommand.parameters(engine.parameters())
                        + " parameters, " + QuantityText.bytes(engine.weightBytes()) + ", "
                        + EngineInspection.originText(engine.origin()) + ", in " + entry.folder() + "\n")
                .orElse(entry.name() + " is already built. Add --rebuild to build it again.\n");
    }
}
