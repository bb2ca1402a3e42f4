package org.inferometer.results.exchange;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.inferometer.experiment.Cell;
import org.inferometer.experiment.DeploymentGoal;
import org.inferometer.experiment.ExperimentFields;
import org.inferometer.experiment.ExperimentSpec;
import org.inferometer.experiment.Subject.TargetSubject;
import org.inferometer.options.Selection;
import org.inferometer.record.PlannedSubject.PlannedTarget;
import org.inferometer.record.RunPlan;
import org.inferometer.results.ResultFiles;
import org.inferometer.workload.LengthDistribution;
import org.inferometer.workload.WorkloadSpec;

/// The runs of a file as an experiment: models on servers × workloads. Runs of equal model, server, workload and settings are
/// repetitions of a cell. The settings that vary are part of the names.
///
/// @param plans one per run, in order
record ForeignMatrix(ExperimentSpec spec, List<RunPlan> plans) {
    private static final int MOST_NAMED = 4;

    /// What serves a run.
    private record Server(String model, String name, Map<String, String> settings) {
        static Server of(ForeignRun run) {
            return new Server(run.model(), run.server(), run.settings().ofServer());
        }
    }

    /// What is asked of it.
    private record Load(String name, int concurrency, double ratePerSecond, Map<String, String> settings) {
        static Load of(ForeignRun run) {
            return new Load(run.workload(), run.concurrency(), run.ratePerSecond(), run.settings().ofLoad());
        }
    }

    /// Number of cells of the runs.
    static long cellCount(List<ForeignRun> runs) {
        return runs.stream().map(Server::of).distinct().count() * runs.stream().map(Load::of).distinct().count();
    }

    /// @param runs at most [ExperimentSpec#MOST_CELLS] in number and in cells
    static ForeignMatrix of(String experiment, List<ForeignRun> runs) {
        Map<Server, Selection> targets = targets(runs);
        Map<Load, WorkloadSpec> workloads = workloads(runs);
        ExperimentSpec spec = ExperimentSpec.STANDARD.named(experiment).onTargetsOnly(List.copyOf(targets.values()))
                .withWorkloads(List.copyOf(workloads.values()));
        spec = ExperimentFields.WARM_UP.with(spec, List.of(0));
        ExperimentSpec matrix = ExperimentFields.SEED.with(spec, List.of(0L));
        Map<Cell, Integer> places = new HashMap<>();
        matrix.cells().forEach(cell -> places.put(cell, places.size()));
        Map<Integer, Integer> repetitions = new HashMap<>();
        List<RunPlan> plans = new ArrayList<>();
        for (int i = 0; i < runs.size(); i++) {
            Selection target = Objects.requireNonNull(targets.get(Server.of(runs.get(i))));
            Cell cell =
                    new Cell(new TargetSubject(target), Objects.requireNonNull(workloads.get(Load.of(runs.get(i)))));
            int index = Objects.requireNonNull(places.get(cell));
            int repetition = repetitions.merge(index, 1, Integer::sum) - 1;
            plans.add(new RunPlan(new RunPlan.RunIndex(experiment, i, index, repetition), new PlannedTarget(target),
                    cell.workload(), String.format(Locale.ROOT, "run-%03d", i),
                    new RunPlan.Procedure(0, repetition, 100), DeploymentGoal.NONE, null));
        }
        int most = repetitions.values().stream().mapToInt(Integer::intValue).max().orElse(1);
        return new ForeignMatrix(matrix.withRuns(most), List.copyOf(plans));
    }

    private static Map<Server, Selection> targets(List<ForeignRun> runs) {
        Map<Server, Selection> targets = new LinkedHashMap<>();
        Set<String> taken = new HashSet<>();
        Map<String, Set<String>> varying =
                varying(runs, run -> run.model() + "\n" + run.server(), run -> run.settings().ofServer());
        for (ForeignRun run : runs) {
            Server server = Server.of(run);
            if (!targets.containsKey(server)) {
                Map<String, String> options = new LinkedHashMap<>();
                if (!run.model().equals(ForeignRun.UNNAMED)) {
                    options.put("model", plain(run.model()));
                }
                String name = named(run.server(), server.settings(),
                        Objects.requireNonNull(varying.get(run.model() + "\n" + run.server())));
                options.put("name", plain(untaken(taken, options.get("model") + "\n", name)));
                server.settings().forEach((key, value) -> options.putIfAbsent(plain(key), plain(value)));
                targets.put(server, new Selection(ResultFiles.IMPORTED, options));
            }
        }
        return targets;
    }

    private static Map<Load, WorkloadSpec> workloads(List<ForeignRun> runs) {
        Map<Load, WorkloadSpec> workloads = new LinkedHashMap<>();
        Set<String> taken = new HashSet<>();
        Map<String, Set<String>> varying = varying(runs, ForeignRun::workload, run -> run.settings().ofLoad());
        for (ForeignRun run : runs) {
            Load load = Load.of(run);
            if (!workloads.containsKey(load)) {
                String name =
                        named(run.workload(), load.settings(), Objects.requireNonNull(varying.get(run.workload())));
                workloads.put(load, workload(run, untaken(taken, "", name)));
            }
        }
        return workloads;
    }

    /// The names of the settings that have several values among the runs of each group.
    private static Map<String, Set<String>> varying(List<ForeignRun> runs, Function<ForeignRun, String> group,
            Function<ForeignRun, Map<String, String>> settings) {
        Map<String, Map<String, String>> seen = new HashMap<>();
        Map<String, Set<String>> varying = new HashMap<>();
        for (ForeignRun run : runs) {
            Map<String, String> first = seen.computeIfAbsent(group.apply(run), key -> new HashMap<>());
            Set<String> names = varying.computeIfAbsent(group.apply(run), key -> new HashSet<>());
            settings.apply(run).forEach((name, value) -> {
                if (!value.equals(first.computeIfAbsent(name, key -> value))) {
                    names.add(name);
                }
            });
        }
        return varying;
    }

    private static String named(String name, Map<String, String> settings, Set<String> varying) {
        return name + settings.entrySet().stream().filter(each -> varying.contains(each.getKey())).limit(MOST_NAMED)
                .map(each -> " " + each.getKey() + " " + each.getValue()).collect(Collectors.joining());
    }

    /// The name, with a number where an equal one is taken.
    private static String untaken(Set<String> taken, String scope, String name) {
        String free = name;
        for (int again = 2; !taken.add(scope + plain(free)); again++) {
            free = name + " (" + again + ")";
        }
        return free;
    }

    /// Text without the separators of a selection.
    private static String plain(String text) {
        String plain = text.replaceAll("[,=:\\s]+", "_");
        return plain.isEmpty() ? "not-named" : plain;
    }

    /// The recorded lengths and arrivals.
    private static WorkloadSpec workload(ForeignRun run, String name) {
        int fewest = run.requests().stream().mapToInt(request -> request.promptTokens()).min().orElse(1);
        int most = run.requests().stream().mapToInt(request -> request.promptTokens()).max().orElse(1);
        int shortest = run.requests().stream().mapToInt(request -> request.askedOutputTokens()).min().orElse(1);
        int longest = run.requests().stream().mapToInt(request -> request.askedOutputTokens()).max().orElse(1);
        int requests = run.requests().isEmpty() ? reportedRequests(run) : run.requests().size();
        return new WorkloadSpec(name, length(fewest, most), length(shortest, longest), null, 0,
                ReportedArrivals.of(run, requests), requests, 0);
    }

    /// The requests that a summary says were sent; 0 where it does not.
    private static int reportedRequests(ForeignRun run) {
        Map<String, String> load = run.settings().ofLoad();
        String sent = load.getOrDefault("num_prompts", load.getOrDefault("num_requests", ""));
        return sent.matches("\\d{1,8}") ? Integer.parseInt(sent) : 0;
    }

    private static LengthDistribution length(int least, int most) {
        return least >= most ? new LengthDistribution.FixedLength(Math.max(1, least))
                : new LengthDistribution.UniformLength(Math.max(1, least), most);
    }
}
