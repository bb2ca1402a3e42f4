package org.inferometer.cli.engines;

import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import org.inferometer.cli.CommandException;
import org.inferometer.cli.ExitCodes;
import org.inferometer.cli.JsonCommand;
import org.inferometer.cli.RootCommand;
import org.inferometer.cli.ShutdownHooks;
import org.inferometer.cli.UsageException;
import org.inferometer.engine.ChatFormat;
import org.inferometer.engine.Engine;
import org.inferometer.engine.build.EngineEntry;
import org.inferometer.engine.files.EngineFormatException;
import org.inferometer.execution.Backend;
import org.inferometer.execution.ExecutorException;
import org.inferometer.options.Selection;
import org.inferometer.prompting.Answer;
import org.inferometer.prompting.AnswerLimits;
import org.inferometer.prompting.ChatPrompt;
import org.inferometer.prompting.PromptAnswer;
import org.inferometer.prompting.SingleLane;
import org.inferometer.prompting.template.TemplateException;
import org.inferometer.units.FileFault;
import org.inferometer.workload.Sampling;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// `engines prompt`: a model's answer to a text, streamed.
@Command(name = "prompt",
        description = "Let an engine continue a text, to try it. Text goes to standard output, how it ended to standard error. Nothing is measured.",
        footer = {"", "A model with a chat template gets TEXT as a person's message, as the template writes it.", "",
                "Examples:", "  inferometer engines prompt llama-int4 \"The capital of France is\"",
                "  inferometer engines prompt llama-int4 --system \"Answer in one word.\" \"What is the capital of France?\"",
                "  inferometer engines prompt llama-bf16 --raw --max-tokens 400 --temperature 0.7 --stop \"###\" \"Once\"",
                ""})
public final class EnginesPromptCommand extends JsonCommand {
    private static final int MOST_TOKENS = 1_000_000;
    private static final int MOST_PROMPT_BYTES = 16 << 20;

    @Parameters(index = "0", paramLabel = "NAME", description = "A built engine.")
    String name = "";

    @Parameters(index = "1", arity = "0..1", paramLabel = "TEXT", description = "The prompt. Default: standard input.")
    @Nullable
    String text;

    @Option(names = "--system", paramLabel = "TEXT",
            description = "How the model shall answer, for its chat template. Default: what the template says.")
    String system = "";

    @Option(names = "--raw", description = "Let the model continue TEXT itself, without its chat template.")
    boolean raw;

    @Option(names = "--max-tokens", paramLabel = "N", defaultValue = "128",
            description = "Most tokens of the answer. Default: 128.")
    int mostTokens = 128;

    @Option(names = "--temperature", paramLabel = "T", defaultValue = "0",
            description = "Divisor of the logits; 0 takes the likeliest token. Default: 0.")
    double temperature;

    @Option(names = "--top-k", paramLabel = "N", defaultValue = "0",
            description = "Likeliest tokens to draw from; 0 for all. Default: 0.")
    int topK;

    @Option(names = "--top-p", paramLabel = "P", defaultValue = "1",
            description = "Draw from the likeliest tokens with this probability. Default: 1.")
    double topP = 1;

    @Option(names = "--seed", paramLabel = "N", defaultValue = "42", description = "Seed of the draws. Default: 42.")
    long seed = 42;

    @Option(names = "--stop", paramLabel = "TEXT", description = "A text that ends the answer; repeatable.")
    List<String> stops = List.of();

    @Option(names = "--ignore-end", description = "Go on after the model's end of sequence, as measurements do.")
    boolean ignoreEnd;

    @Option(names = "--backend", paramLabel = "NAME[:opt=value,...]", defaultValue = "host",
            description = "Backend. Default: host.")
    String backend = "host";

    public EnginesPromptCommand(RootCommand root) {
        super(root);
    }

    @Override
    public Integer call() throws UsageException, CommandException, EngineFormatException, InterruptedException {
        check();
        Selection selection = Selection.parse(backend);
        Backend chosen = new BackendChoice(services().registries().backends()).of(selection);
        EngineEntry entry = EngineNames.find(services().engines(), List.of(name)).getFirst();
        try (Engine engine = Engine.open(entry.folder())) {
            Optional<ChatFormat> chat = chat(engine);
            int[] prompt = tokens(engine, chat);
            int most = engine.descriptor().shape().maxPositions();
            if (prompt.length == 0 || prompt.length >= most) {
                throw new UsageException(
                        "The prompt has " + prompt.length + " tokens; " + name + " takes 1 to " + (most - 1) + ".");
            }
            int positions = (int) Math.min(most, (long) prompt.length + mostTokens);
            try (SingleLane lane = SingleLane.open(engine, chosen, selection, positions, 1, services().clock())) {
                Answer answer = answered(engine, lane, prompt);
                print(answer, () -> "\n");
                terminal().err().println(outcome(answer, chat.isPresent()));
                return ExitCodes.DONE;
            }
        } catch (ExecutorException e) {
            throw new CommandException(String.valueOf(e.getMessage()), e);
        } catch (UncheckedIOException e) {
            throw new CommandException(FileFault.sentence(Objects.requireNonNull(e.getCause())), e);
        }
    }

    private void check() throws UsageException {
        List<String> faults = new ArrayList<>();
        if (mostTokens < 1 || mostTokens > MOST_TOKENS) {
            faults.add("--max-tokens " + mostTokens + ": give a number from 1 to " + MOST_TOKENS + ".");
        }
        if (!(temperature >= 0) || Double.isInfinite(temperature)) {
            faults.add("--temperature " + temperature + ": give 0 or a positive number.");
        }
        if (topK < 0) {
            faults.add("--top-k " + topK + ": give 0 or a positive number.");
        }
        if (!(topP > 0 && topP <= 1)) {
            faults.add("--top-p " + topP + ": give a number above 0, at most 1.");
        }
        if (stops.contains("")) {
            faults.add("--stop needs a text.");
        }
        UsageException.throwIfAny(faults);
    }

    private Optional<ChatFormat> chat(Engine engine) throws UsageException, EngineFormatException {
        Optional<ChatFormat> chat = raw ? Optional.empty() : ChatFormat.FILE.read(engine.folder());
        if (chat.isEmpty() && !system.isEmpty()) {
            throw new UsageException(
                    "--system: " + (raw ? "--raw leaves the chat template out." : name + " has no chat template.")
                            + " Write it into the text.");
        }
        return chat;
    }

    private int[] tokens(Engine engine, Optional<ChatFormat> chat) throws UsageException, CommandException {
        if (chat.isEmpty()) {
            return engine.tokenizer().encode(prompt());
        }
        LocalDateTime now = LocalDateTime.ofInstant(services().clock().wall(), ZoneId.systemDefault());
        try {
            return engine.tokenizer().encodeRendered(new ChatPrompt(system, prompt()).rendered(chat.get(), now));
        } catch (TemplateException e) {
            throw new CommandException(name + ": " + e.getMessage() + " With --raw the text goes in as it is.", e);
        }
    }

    private String prompt() throws UsageException, CommandException {
        if (text != null) {
            return text;
        }
        try {
            byte[] read = terminal().in().readNBytes(MOST_PROMPT_BYTES + 1);
            if (read.length == 0 || read.length > MOST_PROMPT_BYTES) {
                throw new UsageException(
                        "Give a TEXT, or on standard input a text of at most " + (MOST_PROMPT_BYTES >> 20) + " MiB.");
            }
            return new String(read, StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new CommandException(FileFault.sentence(e), e);
        }
    }

    private Answer answered(Engine engine, SingleLane lane, int[] prompt)
            throws ExecutorException, InterruptedException {
        Sampling sampling = new Sampling(temperature, topK, topP, seed);
        Set<Integer> ends = ignoreEnd ? Set.of() : Set.copyOf(engine.descriptor().text().endTokens());
        PrintStream out = terminal().out();
        AtomicBoolean cancelled = new AtomicBoolean();
        PromptAnswer answer = new PromptAnswer(lane, engine.tokenizer(), sampling,
                new AnswerLimits(mostTokens, ends, stops), json ? shown -> {} : shown -> {
                    terminal().print(shown);
                    out.flush();
                });
        try (ShutdownHooks.Registration hook = services().shutdown().onShutdown(() -> cancelled.set(true))) {
            return answer.to(prompt, cancelled::get);
        }
    }

    private static String outcome(Answer answer, boolean isChat) {
        int tokens = answer.tokens().size();
        String end = switch (answer.end()) {
            case LENGTH -> "the most tokens were reached";
            case END_TOKEN -> "the model ended its answer";
            case STOP_TEXT -> "a stop text came";
            case POSITIONS -> "the model has no further positions";
            case CANCELLED -> "stopped";
        };
        return answer.promptTokens() + " prompt tokens" + (isChat ? " with the chat template, " : ", ") + tokens
                + " answered: " + end + ".";
    }
}
