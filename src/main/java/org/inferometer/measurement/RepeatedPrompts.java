package org.inferometer.measurement;

import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.inferometer.experiment.Subject.TargetSubject;
import org.inferometer.record.Figure;
import org.inferometer.record.RequestColumns;
import org.inferometer.record.RequestOutcome;
import org.inferometer.record.RunEvent;
import org.inferometer.record.RunPlan;
import org.inferometer.record.RunRecord;
import org.inferometer.workload.Refinements;

/// How many requests of each run had a prompt of a file that its server got before, in the run or in an earlier one.
///
/// What came before the experiment is not known.
public final class RepeatedPrompts {
    /// @param lasting whether it runs elsewhere; one that the experiment starts ends when another subject is measured
    private record Source(String server, boolean lasting, String prompts) {}

    private RepeatedPrompts() {}

    /// The figures by the numbers of the runs. None for drawn prompts, engines and tools.
    ///
    /// @param runs all runs of an experiment, whatever their end
    public static Map<Integer, Figure> of(List<RunRecord> runs) {
        Map<Integer, Figure> figures = new HashMap<>();
        Map<Source, Integer> sent = new HashMap<>();
        String server = "";
        for (RunRecord run : runs.stream().sorted(Comparator.comparing(run -> run.manifest().plan().index().run()))
                .toList()) {
            Optional<Source> source = source(run);
            String next = source.map(Source::server).orElse("");
            if (!next.equals(server)) {
                sent.keySet().removeIf(known -> !known.lasting());
                server = next;
            }
            source.ifPresent(known -> different(run).ifPresent(different -> {
                RequestColumns all = run.observations().requests().measured();
                int requests = all.count(i -> all.sentNanos(i) != RequestOutcome.ABSENT);
                // They are sent in the order of the file.
                int fresh = Math.min(requests, different);
                int before = Math.min(fresh, sent.getOrDefault(known, 0));
                figures.put(run.manifest().plan().index().run(),
                        new Figure(Metrics.REPEATED_PROMPTS, requests - fresh + before, requests, true));
                sent.merge(known, fresh, Math::max);
            }));
        }
        return figures;
    }

    /// Older records of a file do not tell: as many as there were requests.
    private static Optional<Integer> different(RunRecord run) {
        return run.events().stream()
                .flatMap(event -> event instanceof RunEvent.PromptTexts(long _, int different) ? Stream.of(different)
                        : Stream.empty())
                .findFirst().or(() -> Optional.ofNullable(run.manifest().plan().workload().promptFile())
                        .map(_ -> Integer.MAX_VALUE));
    }

    /// Where its prompts went and came from; of a run alone if prompts or server are new in each run. Empty for what is no server.
    private static Optional<Source> source(RunRecord run) {
        RunPlan plan = run.manifest().plan();
        if (!(plan.subject().subject() instanceof TargetSubject target)
                || (!target.hasAddress() && run.manifest().system().server() == null)) {
            return Optional.empty();
        }
        Map<String, String> options = target.target().options();
        Refinements refined = plan.workload().refinements();
        boolean apart = refined.varyPrompts() || "run".equals(options.get("restart"));
        return Optional.of(new Source(
                target.hasAddress() ? options.get("url") + " " + options.get("model") + " " + options.get("api")
                        : target.target().toString(),
                target.hasAddress(),
                plan.workload().promptFile() + " " + refined.trace() + (apart ? " " + plan.index().run() : "")));
    }
}
