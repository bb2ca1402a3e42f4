package org.inferometer.cli.engines;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.DoubleConsumer;
import org.inferometer.cli.CommandException;
import org.inferometer.cli.ExitCodes;
import org.inferometer.cli.JsonCommand;
import org.inferometer.cli.ProgressLine;
import org.inferometer.cli.RootCommand;
import org.inferometer.cli.ShutdownHooks;
import org.inferometer.cli.UsageException;
import org.inferometer.engine.Engine;
import org.inferometer.engine.EngineQuality;
import org.inferometer.engine.EngineQuality.Mean;
import org.inferometer.engine.EngineQuality.Reading;
import org.inferometer.engine.build.EngineEntry;
import org.inferometer.engine.files.EngineFormatException;
import org.inferometer.engine.files.Sha256;
import org.inferometer.engine.files.SideFile;
import org.inferometer.execution.Backend;
import org.inferometer.execution.ExecutorException;
import org.inferometer.options.Selection;
import org.inferometer.quality.QualityRun;
import org.inferometer.report.AlignedColumns;
import org.inferometer.results.AtomicFile;
import org.inferometer.units.FileFault;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// `engines quality`: how far engines are from a reference on a text.
@Command(name = "quality",
        description = "Compare the predictions of engines with those of a reference engine, token by token on a text: perplexity, KL divergence, agreement of the likeliest token. The figures are kept with each engine.",
        footer = {"", "Examples:",
                "  inferometer engines quality llama-fp8 llama-int4 --reference llama-bf16 --text wiki.txt",
                "  inferometer engines quality llama-int4 --reference llama-bf16 --text wiki.txt --tokens 20000 --window 4096",
                ""})
public final class EnginesQualityCommand extends JsonCommand {
    private static final int BAR = 30;
    private static final int STANDARD_WINDOW = 2048;
    private static final int LEAST_TOKENS = 2;
    private static final long MOST_TEXT_BYTES = 256L << 20;

    @Parameters(arity = "1..*", paramLabel = "NAME", description = "Engines to judge.")
    List<String> names = new ArrayList<>();

    @Option(names = "--reference", paramLabel = "NAME", required = true,
            description = "Engine of the same model to judge by, usually in BF16.")
    String reference = "";

    @Option(names = "--text", paramLabel = "FILE", required = true, description = "Text in UTF-8.")
    Path file = Path.of("");

    @Option(names = "--tokens", paramLabel = "N", defaultValue = "0",
            description = "Tokens from the begin of the text; 0 for all. Default: 0.")
    int most;

    @Option(names = "--window", paramLabel = "N",
            description = "Tokens that are read at once. Default: 2048, or the model's positions.")
    @Nullable
    Integer window;

    @Option(names = "--stride", paramLabel = "N",
            description = "Tokens between the begins of windows; the others of a window are context. Default: half a window.")
    @Nullable
    Integer stride;

    @Option(names = "--backend", paramLabel = "NAME[:opt=value,...]", defaultValue = "host",
            description = "Backend of both engines. Default: host.")
    String backend = "host";

    @Option(names = "--progress-lines",
            description = "Print each whole percent as a line, and end with the program that started this one.")
    boolean progressLines;

    public EnginesQualityCommand(RootCommand root) {
        super(root);
    }

    /// A judged engine.
    private record Judged(String engine, EngineQuality quality) {}

    @Override
    public Integer call() throws UsageException, CommandException, EngineFormatException, InterruptedException {
        Selection selection = Selection.parse(backend);
        Backend chosen = new BackendChoice(services().registries().backends()).of(selection);
        EngineEntry first = EngineNames.find(services().engines(), List.of(reference)).getFirst();
        List<EngineEntry> judged = EngineNames.find(services().engines(), names);
        byte[] text = text();
        Thread here = Thread.currentThread();
        List<Judged> done = new ArrayList<>();
        try (Engine expected = Engine.open(first.folder());
                ShutdownHooks.Registration hook = services().shutdown().onShutdown(here::interrupt)) {
            int[] tokens = expected.tokenizer().encode(new String(text, StandardCharsets.UTF_8));
            int[] used = most > 0 && most < tokens.length ? Arrays.copyOf(tokens, most) : tokens;
            Reading reading = reading(text, used.length, expected.descriptor().shape().maxPositions());
            QualityRun run = new QualityRun(chosen, selection, used, reading, services().clock());
            for (EngineEntry entry : judged) {
                done.add(new Judged(entry.name(), judge(run, expected, entry)));
            }
        } catch (ExecutorException e) {
            throw new CommandException(String.valueOf(e.getMessage()), e);
        } catch (UncheckedIOException e) {
            throw new CommandException(FileFault.sentence(Objects.requireNonNull(e.getCause())), e);
        }
        print(done, () -> table(done));
        return ExitCodes.DONE;
    }

    private byte[] text() throws UsageException, CommandException {
        try {
            if (!Files.isRegularFile(file) || Files.size(file) > MOST_TEXT_BYTES) {
                throw new UsageException(
                        "--text " + file + (Files.isRegularFile(file) ? ": It is too large." : ": It is no file.")
                                + " Give a text of at most " + (MOST_TEXT_BYTES >> 20) + " MiB.");
            }
            return Files.readAllBytes(file);
        } catch (IOException e) {
            throw new CommandException(FileFault.sentence(e), e);
        }
    }

    private Reading reading(byte[] text, int tokens, int positions) throws UsageException {
        int read = window == null ? Math.min(STANDARD_WINDOW, positions) : window;
        int step = stride == null ? Math.max(1, read / 2) : stride;
        List<String> faults = new ArrayList<>();
        if (tokens < LEAST_TOKENS) {
            faults.add("The text has " + tokens + " tokens; " + LEAST_TOKENS + " are needed.");
        }
        if (read < 2 || read > positions) {
            faults.add("--window " + read + ": give a number from 2 to " + positions + ", the model's positions.");
        }
        if (step < 1 || step > read) {
            faults.add("--stride " + step + ": give a number from 1 to the window, " + read + ".");
        }
        UsageException.throwIfAny(faults);
        String sha256 = HexFormat.of().formatHex(Sha256.digest().digest(text));
        return new Reading(String.valueOf(file.getFileName()), sha256, read, step);
    }

    private EngineQuality judge(QualityRun run, Engine expected, EngineEntry entry)
            throws UsageException, CommandException, EngineFormatException, ExecutorException, InterruptedException {
        try (Engine actual = Engine.open(entry.folder())) {
            if (!actual.descriptor().shape().equals(expected.descriptor().shape())) {
                throw new UsageException(
                        entry.name() + " is no engine of the reference's model: its shape is another.");
            }
            ProgressLine line = new ProgressLine(terminal(), services().clock());
            try {
                EngineQuality quality = run.judge(expected, actual, progress(entry.name(), line));
                AtomicFile.write(entry.folder().resolve(EngineQuality.FILE.name()), SideFile.bytes(quality));
                return quality;
            } catch (IOException e) {
                throw new CommandException("The quality cannot be kept. " + FileFault.sentence(e), e);
            } finally {
                line.clear();
            }
        }
    }

    private DoubleConsumer progress(String engine, ProgressLine line) {
        if (!progressLines) {
            return fraction -> line.draw("judging " + engine + " " + ProgressLine.bar(fraction, BAR) + " "
                    + Math.round(100 * fraction) + " %");
        }
        Optional<ProcessHandle> caller = ProcessHandle.current().parent();
        AtomicInteger printed = new AtomicInteger(-1);
        return fraction -> {
            int percent = (int) (100 * fraction);
            if (printed.getAndSet(percent) != percent) {
                line.print(percent + " %");
                if (caller.filter(ProcessHandle::isAlive).isEmpty()) {
                    Thread.currentThread().interrupt();
                }
            }
        };
    }

    private String table(List<Judged> judged) {
        AlignedColumns table = new AlignedColumns("ENGINE", "PERPLEXITY>", "TO REFERENCE>", "KL MEAN>", "KL P99>",
                "SAME TOP TOKEN>", "TOKENS>");
        EngineQuality any = judged.getFirst().quality();
        table.row(any.reference(), number("%.3f", any.referencePerplexity()), "1", "0", "0", "100 %",
                String.valueOf(any.tokens()));
        for (Judged each : judged) {
            EngineQuality quality = each.quality();
            table.row(each.engine(), number("%.3f", quality.perplexity()), ratio(quality),
                    spread("%.5f", quality.divergence(), 1), number("%.4f", quality.divergenceP99()),
                    spread("%.2f", quality.topAgreement(), 100) + " %", String.valueOf(quality.tokens()));
        }
        return table.render(terminal().columns()) + "\n" + (any.divergence().halfWidth() == null
                ? "Fewer than 200 tokens: no intervals.\n"
                : "± is a 95 % interval over 20 batches of the text. KL divergence in nats a token, from the reference.\n");
    }

    /// The interval of a ratio is that of its logarithm.
    private static String ratio(EngineQuality quality) {
        Double half = quality.logLikelihoodLoss().halfWidth();
        double ratio = quality.perplexityRatio();
        return number("%.4f", ratio) + (half == null ? "" : " ±" + number("%.4f", ratio * Math.expm1(half)));
    }

    private static String spread(String format, Mean mean, double factor) {
        Double half = mean.halfWidth();
        return number(format, factor * mean.mean()) + (half == null ? "" : " ±" + number(format, factor * half));
    }

    private static String number(String format, double value) {
        return String.format(Locale.ROOT, format, value);
    }
}
