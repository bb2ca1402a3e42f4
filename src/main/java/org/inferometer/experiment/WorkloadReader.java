package org.inferometer.experiment;

import java.util.List;
import java.util.Optional;
import org.inferometer.units.QuantityText;
import org.inferometer.workload.ArrivalProcess;
import org.inferometer.workload.DeadlineDistribution;
import org.inferometer.workload.LengthDistribution;
import org.inferometer.workload.Refinements;
import org.inferometer.workload.Sessions;
import org.inferometer.workload.TimeDistribution;
import org.inferometer.workload.WorkloadPresets;
import org.inferometer.workload.WorkloadSpec;
import org.inferometer.yaml.YamlMapping;

/// Reads a workload that is written as keys and values over a preset, a file of prompts or a trace.
final class WorkloadReader {
    /// What can be written.
    static final List<String> KEYS = List.of("preset", "name", "prompt_tokens", "output_tokens", "prompts", "trace",
            "shared_prefix", "prefix_groups", "arrivals", "requests", "duration", "turns", "think", "max_context",
            "timeout", "cancel_rate", "cancel_after", "temperature");

    private static final int MOST_TOKENS = 1 << 20;
    private static final int MOST_GROUPS = 10_000;

    private final WorkloadPresets presets;

    WorkloadReader(WorkloadPresets presets) {
        this.presets = presets;
    }

    /// The workload of a mapping; faults are collected there.
    WorkloadSpec read(YamlMapping mapping) {
        mapping.allowOnly(KEYS);
        WorkloadSpec preset = mapping.value("preset", presets::find).orElse(presets.find("short"));
        // Read as the name of a workload is, so that file and options are written in one way everywhere.
        WorkloadSpec base = mapping.value("trace", written -> presets.find("trace:" + written)).orElse(preset);
        String promptFile = mapping.text("prompts").orElse(base.promptFile());
        WorkloadSpec spec = base.withName(mapping.text("name").orElse(base.name()))
                .withLengths(mapping.value("prompt_tokens", LengthDistribution::parse).orElse(base.promptTokens()),
                        mapping.value("output_tokens", LengthDistribution::parse).orElse(base.outputTokens()))
                .withPromptFile(promptFile)
                .withSharedPrefix(mapping.value("shared_prefix", SpecReader.whole(0, MOST_TOKENS))
                        .orElse(base.sharedPrefixTokens()))
                .withArrivals(mapping.value("arrivals", ArrivalProcess::parse).orElse(base.arrivals()))
                .withTemperature(mapping.value("temperature", WorkloadReader::temperature).orElse(base.temperature()))
                .withRefinements(refinements(mapping, base.refinements()));
        boolean ownEnd = promptFile != null || mapping.text("duration").isPresent();
        return spec.withRequests(
                mapping.value("requests", SpecReader.whole(1, 10_000_000)).orElse(ownEnd ? 0 : base.requests()));
    }

    private static Refinements refinements(YamlMapping mapping, Refinements base) {
        return base.withDuration(mapping.value("duration", WorkloadReader::someTime).orElse(base.durationNanos()))
                .withPrefixGroups(
                        mapping.value("prefix_groups", SpecReader.whole(1, MOST_GROUPS)).orElse(base.prefixGroups()))
                .withSessions(sessions(mapping, Optional.ofNullable(base.sessions())).orElse(null))
                .withDeadlines(new DeadlineDistribution(
                        mapping.value("timeout", WorkloadReader::someTime).orElse(base.deadlines().timeoutNanos()),
                        mapping.value("cancel_rate", WorkloadReader::share).orElse(base.deadlines().cancelRate()),
                        mapping.value("cancel_after", TimeDistribution::parse).orElse(base.deadlines().cancelAfter())));
    }

    private static Optional<Sessions> sessions(YamlMapping mapping, Optional<Sessions> base) {
        Optional<LengthDistribution> turns =
                mapping.value("turns", LengthDistribution::parse).or(() -> base.map(Sessions::turns));
        Optional<TimeDistribution> think =
                mapping.value("think", text -> ofSessions("think", turns, TimeDistribution.parse(text)));
        Optional<Integer> most = mapping.value("max_context", text -> ofSessions("max_context", turns, tokens(text)));
        return turns
                .map(each -> new Sessions(each, think.or(() -> base.map(Sessions::think)).orElse(TimeDistribution.NONE),
                        most.or(() -> base.map(Sessions::mostTokens)).orElse(0)));
    }

    private static <T> T ofSessions(String key, Optional<LengthDistribution> turns, T value) {
        if (turns.isEmpty()) {
            throw new IllegalArgumentException(
                    "\"" + key + "\" is of sessions, and there is no \"turns\". Add turns, such as turns: 2..6.");
        }
        return value;
    }

    private static long someTime(String text) {
        long nanos = QuantityText.parseNanos(text);
        if (nanos < 1 || nanos > TimeDistribution.LONGEST_NANOS) {
            throw new IllegalArgumentException(
                    "\"" + text + "\" is out of range; write a time of at most a day, such as 250ms or 2s.");
        }
        return nanos;
    }

    private static int tokens(String text) {
        long tokens = QuantityText.parseCount(text);
        if (tokens < 1 || tokens > MOST_TOKENS) {
            throw new IllegalArgumentException(
                    "\"" + text + "\" is out of range; write 1 to " + MOST_TOKENS + " tokens.");
        }
        return (int) tokens;
    }

    private static double share(String text) {
        return number(text, 1, "share of requests; write a number from 0 to 1, such as 0.05");
    }

    private static double temperature(String text) {
        return number(text, 100, "temperature; write a number from 0 to 100");
    }

    private static double number(String text, double most, String expected) {
        double value;
        try {
            value = Double.parseDouble(text);
        } catch (NumberFormatException e) {
            value = Double.NaN;
        }
        if (!(value >= 0 && value <= most)) {
            throw new IllegalArgumentException("\"" + text + "\" is no " + expected + ".");
        }
        return value;
    }
}
