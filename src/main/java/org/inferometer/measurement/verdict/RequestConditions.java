package org.inferometer.measurement.verdict;

import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.inferometer.measurement.FailureReasons;
import org.inferometer.measurement.LatencyFigures;
import org.inferometer.record.RequestColumns;
import org.inferometer.record.RequestOutcome;
import org.inferometer.record.RequestStatus;
import org.inferometer.record.RunEvent;
import org.inferometer.record.TokenSource;
import org.inferometer.record.Verdict.Condition;
import org.inferometer.record.Verdict.Requirement;
import org.inferometer.record.Verdict.State;
import org.inferometer.workload.RequestId;

/// The conditions of a verdict on the requests themselves: successes, failures, counts and lengths.
///
/// @param measured requests without warm-up
record RequestConditions(List<RequestOutcome> measured) {
    /// The share by which prompts may differ from what was asked: another tokenizer splits a few words differently.
    static final double PROMPT_SHARE = 0.05;

    Condition answered() {
        long ok = measured.stream().filter(RequestOutcome::ok).count();
        return VerdictRules.condition(Requirement.ANSWERED, "at least 1 successful request", ok > 0, State.BROKEN,
                ok + " of " + measured.size(), "See the failure reasons of the requests.");
    }

    /// Requests that users give up are part of the load, not failures.
    Condition failures() {
        List<RequestOutcome> judged =
                measured.stream().filter(request -> request.status() != RequestStatus.GAVE_UP).toList();
        long failed = judged.stream().filter(request -> !request.ok()).count();
        int gaveUp = measured.size() - judged.size();
        return VerdictRules.condition(Requirement.NO_FAILURES, "no failed requests", failed == 0, State.BROKEN,
                failed + " of " + judged.size() + " failed" + (gaveUp == 0 ? "" : ", " + gaveUp + " given up")
                        + (failed == 0 ? "" : ": " + FailureReasons.of(judged).text()),
                "Remove the cause, or lower the load or the lengths.");
    }

    Condition tokenCounts() {
        String name = "output tokens counted by engine, server or tokenizer";
        long answered = measured.stream().filter(request -> request.outputTokens() > 0).count();
        if (answered == 0) {
            return new Condition(Requirement.COUNTED_TOKENS, name, State.NOT_CHECKED, "no output", "");
        }
        long guessed = measured.stream()
                .filter(request -> request.ok() && request.outputTokens() > 0 && request.source() == TokenSource.CHUNKS)
                .count();
        return VerdictRules.condition(Requirement.COUNTED_TOKENS, name, guessed == 0, State.BROKEN,
                guessed == 0 ? "all" : guessed + " of " + answered + " responses count chunks as tokens",
                "Let the server send usage, or set the tokenizer of its model.");
    }

    /// Only for runs in which a server counts.
    Optional<Condition> contradictions(List<RunEvent> events) {
        Set<RequestId> counted =
                measured.stream().filter(request -> request.ok() && request.source() == TokenSource.SERVER_USAGE)
                        .map(RequestOutcome::id).collect(Collectors.toSet());
        if (counted.isEmpty()) {
            return Optional.empty();
        }
        long wrong = events.stream().filter(RunEvent.TokenCountsContradicted.class::isInstance)
                .map(event -> ((RunEvent.TokenCountsContradicted) event).request()).filter(counted::contains).distinct()
                .count();
        return Optional.of(VerdictRules.condition(Requirement.AGREEING_TOKEN_COUNTS,
                "server's token counts agree with its events", wrong == 0, State.BROKEN,
                wrong == 0 ? "all"
                        : wrong + " of " + counted.size()
                                + " requests: the server's token counts contradict its events",
                "Update or repair the server; it does not count the tokens that it sends."));
    }

    /// Events at one instant were held back somewhere. Only for requests with events of a server.
    Optional<Condition> separateEvents() {
        RequestColumns columns = RequestColumns.of(measured);
        if (columns.count(i -> columns.ok(i) && columns.events(i) > 1) == 0
                || measured.stream().anyMatch(request -> request.source() == TokenSource.ENGINE)) {
            return Optional.empty();
        }
        double share = LatencyFigures.togetherShare(columns);
        return Optional.of(VerdictRules.condition(Requirement.SEPARATE_EVENTS, "tokens arrive one by one",
                share <= LatencyFigures.BUFFERED, State.WARNING,
                String.format(Locale.ROOT, "%.0f %% of the events came with the one before", 100 * share),
                "Something on the way holds events back, or this machine was too busy to read them: turn off buffering, or leave it a core."));
    }

    /// Prompts that the target counts shorter than asked were cut. Longer ones are only warned of: a chat template adds tokens.
    Condition promptLengths() {
        String name = "prompt lengths as requested";
        List<RequestOutcome> known =
                measured.stream().filter(request -> request.ok() && request.askedPromptTokens() > 0).toList();
        if (known.isEmpty()) {
            return new Condition(Requirement.PROMPT_LENGTHS, name, State.NOT_CHECKED,
                    "requested or received lengths are not known", "");
        }
        double asked = known.stream().mapToInt(RequestOutcome::askedPromptTokens).sum();
        double received = known.stream().mapToInt(RequestOutcome::promptTokens).sum();
        long cut = known.stream()
                .filter(request -> request.promptTokens() < (1 - PROMPT_SHARE) * request.askedPromptTokens()).count();
        if (received < (1 - PROMPT_SHARE) * asked || cut > PROMPT_SHARE * known.size()) {
            RequestOutcome worst = known.stream().reduce((a,
                    b) -> b.askedPromptTokens() - b.promptTokens() > a.askedPromptTokens() - a.promptTokens() ? b : a)
                    .orElseThrow();
            return new Condition(Requirement.PROMPT_LENGTHS, name, State.BROKEN,
                    cut + " of " + known.size() + " prompts were cut, the most from " + worst.askedPromptTokens()
                            + " tokens to " + worst.promptTokens(),
                    "Ask for shorter prompts or raise the server's context.");
        }
        boolean longer = received > (1 + PROMPT_SHARE) * asked;
        String observed = longer ? String.format(Locale.ROOT, "the server counts %.0f %% more tokens",
                (received / asked - 1) * 100) : cut == 0 ? "all"
                : cut + " of " + known.size() + " are more than 5 % shorter";
        return VerdictRules.condition(Requirement.PROMPT_LENGTHS, name, !longer, State.WARNING, observed,
                "A chat template adds tokens, or the server's tokenizer splits words differently.");
    }

    /// @param earlyEnds whether answers may end before their length
    Condition outputLengths(boolean earlyEnds) {
        if (earlyEnds) {
            return lengthsAtMost();
        }
        long wrong = measured.stream().filter(RequestOutcome::ok)
                .filter(request -> request.outputTokens() != request.askedOutputTokens()).count();
        return VerdictRules.condition(Requirement.OUTPUT_LENGTHS, "output lengths as requested", wrong == 0,
                State.BROKEN, wrong == 0 ? "all" : wrong + " differ",
                "Let the server ignore the end-of-sequence token (ignore_eos).");
    }

    private Condition lengthsAtMost() {
        List<RequestOutcome> ok = measured.stream().filter(RequestOutcome::ok).toList();
        long longer = ok.stream().filter(request -> request.outputTokens() > request.askedOutputTokens()).count();
        long shorter = ok.stream().filter(request -> request.outputTokens() < request.askedOutputTokens()).count();
        return VerdictRules.condition(Requirement.OUTPUT_LENGTHS, "output lengths at most as requested", longer == 0,
                State.BROKEN,
                longer == 0 ? "all; " + shorter + " of " + ok.size() + " ended early" : longer + " are longer",
                "Let the server keep to max_tokens.");
    }

    Condition done(int asked) {
        return VerdictRules.condition(Requirement.ALL_REQUESTS, asked + " requests completed", measured.size() >= asked,
                State.BROKEN, measured.size() + " ended", "The run stopped early. Run it again.");
    }
}
