package org.inferometer.workload;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.ToIntFunction;
import org.inferometer.units.HeapLimit;
import org.inferometer.workload.trace.TraceFile;
import org.inferometer.workload.trace.TraceFormat;
import org.inferometer.workload.trace.TraceRow;

/// The selected requests of a trace; counts those left out or cut.
final class TraceSelection {
    private enum Exclusion {
        NO_ANSWER("failed"), OTHER_MODEL("other model"), NO_QUESTION("no question with an answer"),
        SHORT("shorter than min_tokens"), LONG("longer than max_prompt or max_output"),
        LONG_IN_TOTAL("longer than max_total"), EARLIER_TURN("after a turn that was left out");

        private final String text;

        Exclusion(String text) {
            this.text = text;
        }
    }

    private final TraceReplay replay;
    private final int most;
    private final ToIntFunction<String> lengths;
    private final Consumer<Selected> selected;
    private final Map<Exclusion, Integer> excluded = new EnumMap<>(Exclusion.class);
    private final boolean timed;
    private long context;
    private long conversation;
    private int clipped;
    private int asked;
    private long read;

    /// A selected request.
    ///
    /// @param row of the file
    /// @param atNanos since the start of the window, unscaled; 0 if the trace has no instants
    /// @param contextTokens prompts and answers of the turns before in its session; 0 for other requests
    /// @param promptTokens after cutting, without those
    /// @param outputTokens after cutting
    record Selected(TraceRow row, long atNanos, long contextTokens, int promptTokens, int outputTokens) {}

    private TraceSelection(TraceReplay replay, int most, ToIntFunction<String> lengths, boolean timed,
            Consumer<Selected> selected) {
        this.replay = replay;
        this.most = most;
        this.lengths = lengths;
        this.timed = timed;
        this.selected = selected;
    }

    /// Reads the file until enough requests are selected.
    ///
    /// @param most requests to select; 0 for all
    /// @param lengths of texts, in tokens
    /// @param selected receives the selected requests in order
    /// @throws IOException if the file cannot be used or no request is selected
    static TraceSelection read(TraceReplay replay, int most, ToIntFunction<String> lengths, Consumer<Selected> selected)
            throws IOException {
        TraceOptions options = replay.options();
        TraceFile file = TraceFile.open(path(replay.file()), options.rows());
        boolean window = options.fromSeconds() > 0 || options.toSeconds() > 0;
        if (window && !file.hasInstants()) {
            throw new IOException(replay.file() + ": Its requests have no instants. Leave out from and to.");
        }
        if (options.model() != TraceOptions.Model.ALL && file.format() != TraceFormat.BURSTGPT) {
            throw new IOException(replay.file() + ": Its requests name no model. Leave out model.");
        }
        TraceSelection selection =
                new TraceSelection(replay, most == 0 ? Integer.MAX_VALUE : most, lengths, file.hasInstants(), selected);
        try {
            file.read(selection::take);
        } catch (OutOfMemoryError e) {
            throw HeapLimit.exceeded(path(replay.file()));
        }
        if (selection.asked == 0) {
            throw new IOException(
                    replay.file() + ": No request is selected of " + selection.read + " read. " + selection.summary());
        }
        return selection;
    }

    /// The bytes of a text, the upper bound of its tokens for any tokenizer.
    static int bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8).length;
    }

    /// Parses a path.
    ///
    /// @throws IOException if it is invalid
    static Path path(String file) throws IOException {
        try {
            return Path.of(file);
        } catch (InvalidPathException e) {
            throw new IOException("\"" + file + "\" is not a file path: " + e.getReason() + ".", e);
        }
    }

    /// Whether its requests have instants to replay.
    boolean isTimed() {
        return timed;
    }

    /// Numbers of requests read, selected, left out and cut.
    String summary() {
        StringBuilder text = new StringBuilder(read + " requests of the trace read, " + asked + " selected");
        excluded.forEach((reason, count) -> text.append("; ").append(count).append(" left out (").append(reason.text)
                .append(')'));
        return text.append(clipped == 0 ? "" : "; " + clipped + " cut to max_prompt or max_output").append('.')
                .toString();
    }

    private boolean take(TraceRow row) {
        switch (row) {
            case TraceRow.Single single -> {
                double seconds = single.atNanos() / 1e9;
                TraceOptions options = replay.options();
                if (options.toSeconds() > 0 && seconds >= options.toSeconds()) {
                    return false;
                }
                if (seconds >= options.fromSeconds()) {
                    read++;
                    take(single, Math.max(0, single.atNanos() - Math.round(options.fromSeconds() * 1e9)));
                }
            }
            case TraceRow.Turns turns -> {
                read++;
                if (turns.prompt().isEmpty() || turns.answer().isEmpty()) {
                    exclude(Exclusion.NO_QUESTION);
                } else {
                    // Only the length of the answer is needed.
                    TraceRow promptAlone = new TraceRow.Turns(turns.entry(), turns.prompt(), "");
                    select(promptAlone, 0, lengths.applyAsInt(turns.prompt()), lengths.applyAsInt(turns.answer()));
                }
            }
        }
        return asked < most;
    }

    private void take(TraceRow.Single row, long atNanos) {
        boolean later = row instanceof TraceRow.LaterTurn;
        boolean broken = later && conversation == 0;
        context = later ? conversation : 0;
        conversation = 0;
        if (broken) {
            exclude(Exclusion.EARLIER_TURN);
        } else if (row instanceof TraceRow.Lengths known && !replay.options().model().takes(known.model())) {
            exclude(Exclusion.OTHER_MODEL);
        } else if (row.outputTokens() == 0) {
            exclude(Exclusion.NO_ANSWER);
        } else {
            select(row, atNanos, switch (row) {
                case TraceRow.Lengths known -> known.promptTokens();
                case TraceRow.LaterTurn turn -> turn.added().promptTokens();
                case TraceRow.Text text -> lengths.applyAsInt(text.prompt());
            }, row.outputTokens());
        }
    }

    private void select(TraceRow row, long atNanos, int prompt, int output) {
        TraceOptions options = replay.options();
        int mostPrompt = options.maxPrompt() == 0 ? Integer.MAX_VALUE : options.maxPrompt();
        int mostOutput = options.maxOutput() == 0 ? Integer.MAX_VALUE : options.maxOutput();
        boolean tooLong = prompt > mostPrompt || output > mostOutput;
        int askedPrompt = Math.min(prompt, mostPrompt);
        int askedOutput = Math.min(output, mostOutput);
        if (Math.min(prompt, output) < options.minTokens()) {
            exclude(Exclusion.SHORT);
        } else if (tooLong && options.tooLong() == TraceOptions.TooLong.LEAVE_OUT) {
            exclude(Exclusion.LONG);
        } else if (options.maxTotal() > 0 && context + askedPrompt + askedOutput > options.maxTotal()) {
            exclude(Exclusion.LONG_IN_TOTAL);
        } else {
            clipped += tooLong ? 1 : 0;
            asked++;
            conversation = context + askedPrompt + askedOutput;
            selected.accept(new Selected(row, atNanos, context, askedPrompt, askedOutput));
        }
    }

    private void exclude(Exclusion reason) {
        excluded.merge(reason, 1, Integer::sum);
    }
}
