package org.inferometer.prompting;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.inferometer.engine.tokenizer.StoppedText;
import org.inferometer.engine.tokenizer.TextStream;
import org.inferometer.engine.tokenizer.Tokenizer;
import org.inferometer.execution.ExecutorException;
import org.inferometer.execution.LaneJob.Step;
import org.inferometer.execution.LaneJob.StepSlice;
import org.inferometer.prompting.Answer.End;
import org.inferometer.workload.Sampling;

/// Answers a prompt token by token. One thread.
public final class PromptAnswer {
    private final SingleLane lane;
    private final TextStream decoded;
    private final StoppedText stopped;
    private final AnswerLimits stop;
    private final Sampling sampling;
    private final Consumer<String> shown;
    private final StringBuilder text = new StringBuilder();

    /// @param shown receives the text as it comes, on the calling thread
    public PromptAnswer(SingleLane lane, Tokenizer tokenizer, Sampling sampling, AnswerLimits stop,
            Consumer<String> shown) {
        this.lane = lane;
        this.decoded = new TextStream(tokenizer);
        this.stopped = new StoppedText(stop.stopTexts());
        this.stop = stop;
        this.sampling = sampling;
        this.shown = shown;
    }

    /// Answers the prompt; called once.
    ///
    /// @param prompt at least one token, fewer than the lane's positions
    /// @param cancelled asked before each token
    /// @throws ExecutorException if a step fails
    public Answer to(int[] prompt, BooleanSupplier cancelled) throws ExecutorException, InterruptedException {
        if (prompt.length == 0 || prompt.length >= lane.positions()) {
            throw new IllegalArgumentException(prompt.length + " tokens for " + lane.positions() + " positions");
        }
        int position = 0;
        while (prompt.length - position > SingleLane.STEP_POSITIONS) {
            int end = position + SingleLane.STEP_POSITIONS;
            computed(position, Arrays.copyOfRange(prompt, position, end), false);
            position = end;
        }
        return continued(prompt, position, cancelled);
    }

    private Answer continued(int[] prompt, int first, BooleanSupplier cancelled)
            throws ExecutorException, InterruptedException {
        List<Integer> tokens = new ArrayList<>();
        int position = first;
        int[] input = Arrays.copyOfRange(prompt, first, prompt.length);
        while (true) {
            int token = computed(position, input, true)[0];
            tokens.add(token);
            position += input.length;
            input = new int[]{token};
            Optional<End> end = end(token, tokens.size(), position, cancelled);
            if (end.isPresent()) {
                if (end.get() != End.STOP_TEXT) {
                    show(stopped.next(decoded.rest()) + stopped.rest());
                }
                return new Answer(text.toString(), tokens, end.get(), prompt.length);
            }
        }
    }

    private int[] computed(int position, int[] tokens, boolean sample) throws ExecutorException, InterruptedException {
        return lane.compute(new Step(lane.nextStep(),
                List.of(new StepSlice(position, tokens, lane.blocks(), sample, sampling)), 0, false)).tokens();
    }

    private Optional<End> end(int token, int tokens, int position, BooleanSupplier cancelled) {
        if (stop.endTokens().contains(token)) {
            return Optional.of(End.END_TOKEN);
        }
        show(stopped.next(decoded.next(token)));
        if (stopped.isStopped()) {
            return Optional.of(End.STOP_TEXT);
        }
        if (tokens == stop.mostTokens()) {
            return Optional.of(End.LENGTH);
        }
        if (position >= lane.positions()) {
            return Optional.of(End.POSITIONS);
        }
        return cancelled.getAsBoolean() ? Optional.of(End.CANCELLED) : Optional.empty();
    }

    private void show(String next) {
        if (!next.isEmpty()) {
            text.append(next);
            shown.accept(next);
        }
    }
}
