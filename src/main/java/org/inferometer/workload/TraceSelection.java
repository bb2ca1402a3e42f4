package org.inferometer.workload;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.ToIntFunction;
import org.inferometer.workload.trace.TraceFile;
import org.inferometer.workload.trace.TraceFormat;
import org.inferometer.workload.trace.TraceRow;

/// The requests of a trace that are asked for, with what was left out or cut, counted.
final class TraceSelection {
    private enum Because {
        NO_ANSWER("had no answer (a failed request)"), OTHER_MODEL("went to another model"),
        NO_TWO_TURNS("had no two turns"), SHORT("were shorter than min_tokens"),
        LONG("were longer than max_prompt or max_output"), LONG_IN_TOTAL("were longer than max_total");

        private final String words;

        Because(String words) {
            this.words = words;
        }
    }

    private final TraceReplay replay;
    private final int most;
    private final ToIntFunction<String> lengths;
    private final Consumer<Selected> selected;
    private final Map<Because, Integer> leftOut = new EnumMap<>(Because.class);
    private final TraceFormat format;
    private int clipped;
    private int asked;
    private long read;

    /// One request that is asked.
    ///
    /// @param row as it stands in the file
    /// @param atNanos since the start of the window, unscaled; 0 where the trace has no instants
    /// @param promptTokens after cutting
    /// @param outputTokens after cutting
    record Selected(TraceRow row, long atNanos, int promptTokens, int outputTokens) {}

    private TraceSelection(TraceReplay replay, int most, ToIntFunction<String> lengths, TraceFormat format,
            Consumer<Selected> selected) {
        this.replay = replay;
        this.most = most;
        this.lengths = lengths;
        this.format = format;
        this.selected = selected;
    }

    /// Reads the file as far as it is needed.
    ///
    /// @param most requests to select; 0 for all
    /// @param lengths of texts, in tokens
    /// @param selected hears each request that is asked, in order
    /// @throws IOException in one sentence, where the file cannot be used or nothing of it is left
    static TraceSelection read(TraceReplay replay, int most, ToIntFunction<String> lengths, Consumer<Selected> selected)
            throws IOException {
        TraceFile file = TraceFile.open(path(replay.file()));
        TraceOptions options = replay.options();
        boolean window = options.fromSeconds() > 0 || options.toSeconds() > 0;
        if (window && !file.format().hasInstants()) {
            throw new IOException(
                    replay.file() + ": its requests have no instants, so there is no window. Leave from and to out.");
        }
        if (options.model() != TraceOptions.Model.ALL && file.format() != TraceFormat.BURSTGPT) {
            throw new IOException(replay.file() + ": its requests name no model. Leave model out.");
        }
        TraceSelection selection =
                new TraceSelection(replay, most == 0 ? Integer.MAX_VALUE : most, lengths, file.format(), selected);
        file.read(selection::take);
        if (selection.asked == 0) {
            throw new IOException(
                    replay.file() + ": no request is left of " + selection.read + " read. " + selection.sentence());
        }
        return selection;
    }

    /// How many bytes a text has: no tokenizer makes more tokens of it.
    static int bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8).length;
    }

    /// A path as people write it.
    ///
    /// @throws IOException where it can be none
    static Path path(String file) throws IOException {
        try {
            return Path.of(file);
        } catch (InvalidPathException e) {
            throw new IOException("\"" + file + "\" is no path of a file: " + e.getReason() + ".", e);
        }
    }

    TraceFormat format() {
        return format;
    }

    /// What was read, asked, left out and cut, in one sentence.
    String sentence() {
        StringBuilder text = new StringBuilder(read + " requests of the trace read, " + asked + " asked");
        leftOut.forEach(
                (reason, count) -> text.append("; ").append(count).append(" left out that ").append(reason.words));
        return text.append(clipped == 0 ? "" : "; " + clipped + " cut to max_prompt or max_output").append('.')
                .toString();
    }

    private boolean take(TraceRow row) {
        switch (row) {
            case TraceRow.Lengths lengthsOnly -> {
                double seconds = lengthsOnly.atNanos() / 1e9;
                TraceOptions options = replay.options();
                if (options.toSeconds() > 0 && seconds >= options.toSeconds()) {
                    return false;
                }
                if (seconds >= options.fromSeconds()) {
                    read++;
                    take(lengthsOnly, lengthsOnly.atNanos() - Math.round(options.fromSeconds() * 1e9));
                }
            }
            case TraceRow.Turns turns -> {
                read++;
                if (turns.prompt().isEmpty() || turns.answer().isEmpty()) {
                    leaveOut(Because.NO_TWO_TURNS);
                } else {
                    // The answer is not held: its length is all that is asked of it.
                    TraceRow promptAlone = new TraceRow.Turns(turns.entry(), turns.prompt(), "");
                    select(promptAlone, 0, lengths.applyAsInt(turns.prompt()), lengths.applyAsInt(turns.answer()));
                }
            }
        }
        return asked < most;
    }

    private void take(TraceRow.Lengths row, long atNanos) {
        if (!replay.options().model().takes(row.model())) {
            leaveOut(Because.OTHER_MODEL);
        } else if (row.outputTokens() == 0) {
            leaveOut(Because.NO_ANSWER);
        } else {
            select(row, Math.max(0, atNanos), row.promptTokens(), row.outputTokens());
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
            leaveOut(Because.SHORT);
        } else if (tooLong && options.tooLong() == TraceOptions.TooLong.LEAVE_OUT) {
            leaveOut(Because.LONG);
        } else if (options.maxTotal() > 0 && (long) askedPrompt + askedOutput > options.maxTotal()) {
            leaveOut(Because.LONG_IN_TOTAL);
        } else {
            clipped += tooLong ? 1 : 0;
            asked++;
            selected.accept(new Selected(row, atNanos, askedPrompt, askedOutput));
        }
    }

    private void leaveOut(Because reason) {
        leftOut.merge(reason, 1, Integer::sum);
    }
}
