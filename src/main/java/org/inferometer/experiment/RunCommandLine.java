package org.inferometer.experiment;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.inferometer.workload.ArrivalProcess;
import org.inferometer.workload.LengthDistribution;
import org.inferometer.workload.TraceReplay;
import org.inferometer.workload.WorkloadPresets;
import org.inferometer.workload.WorkloadSpec;

/// Writes an experiment as the command that runs it again.
///
/// A command is given only if its options, read back, make an equal experiment; the name alone may differ.
public final class RunCommandLine {
    private static final String RUN = "./inferometer run";
    private static final List<Boolean> BOTH = List.of(true, false);
    private static final Pattern SWEPT = Pattern.compile("(.+)-([a-z_]+)=([^=]+)");
    private static final Set<String> PRESET_NAMES =
            new WorkloadPresets().all().stream().map(WorkloadSpec::name).collect(Collectors.toSet());

    private RunCommandLine() {}

    /// `./inferometer run --engine tiny-fp8 ...`, quoted for a POSIX shell; empty where options cannot say the experiment.
    public static Optional<String> of(ExperimentSpec spec) {
        List<ExperimentSpec> presets = new Presets().all().stream().map(Presets.Preset::spec).toList();
        if (presets.contains(spec)) {
            return Optional.of(RUN + " " + quoted(spec.name()));
        }
        for (ExperimentSpec base : Stream.concat(Stream.of(ExperimentSpec.STANDARD), presets.stream()).toList()) {
            for (Map<String, List<String>> load : loads(spec, base)) {
                Map<String, List<String>> options = options(spec, load);
                SpecOptions read = SpecOptions.over(base, options);
                if (read.faults().isEmpty() && read.spec().named("").equals(spec.named(""))) {
                    return Optional.of(RUN + (presets.contains(base) ? " " + quoted(base.name()) : "") + text(options));
                }
            }
        }
        return Optional.empty();
    }

    /// As [#of]; where options cannot say the experiment, lines for a POSIX shell that write it to a file and run that. Neither
    /// needs the record.
    public static String lines(ExperimentSpec spec) {
        return of(spec).orElseGet(() -> {
            String file = (spec.name().matches("[A-Za-z0-9][A-Za-z0-9_.-]*") ? spec.name() : "experiment") + ".yaml";
            return "cat > " + file + " <<'END'\n" + SpecWriter.text(spec).stripTrailing() + "\nEND\n" + RUN + " "
                    + file;
        });
    }

    private static Map<String, List<String>> options(ExperimentSpec spec, Map<String, List<String>> load) {
        Map<String, List<String>> options = new LinkedHashMap<>();
        for (Field<ExperimentSpec, ?> field : ExperimentFields.ALL) {
            String option = field.option();
            if (option != null) {
                List<String> texts = load.getOrDefault(option, field.write(spec));
                if (!texts.isEmpty()) {
                    options.put(option, texts);
                }
            }
        }
        return options;
    }

    /// Ways to write the workloads over a base, the most explicit first. Reading back shows which are correct.
    private static List<Map<String, List<String>>> loads(ExperimentSpec spec, ExperimentSpec base) {
        boolean named = base.equals(ExperimentSpec.STANDARD);
        List<Map<String, List<String>>> ways = new ArrayList<>();
        for (boolean counted : BOTH) {
            for (boolean arriving : BOTH) {
                ways.add(load(spec, named, counted, arriving));
            }
        }
        swept(spec.workloads()).ifPresent(fields -> {
            for (boolean counted : BOTH) {
                for (boolean arriving : BOTH) {
                    ways.add(swept(spec, fields, named, counted, arriving));
                }
            }
        });
        return ways;
    }

    /// What the names of workloads say of their sweeps: "short-prompt_tokens=64".
    ///
    /// @param bases names without the sweeps
    /// @param values of each swept field, as they were written
    private record SweptNames(Set<String> bases, Map<String, Set<String>> values) {}

    /// The bases and swept fields in the names; empty if a base is no preset.
    private static Optional<SweptNames> swept(List<WorkloadSpec> loads) {
        Set<String> bases = new LinkedHashSet<>();
        Map<String, Set<String>> values = new LinkedHashMap<>();
        for (WorkloadSpec load : loads) {
            String name = load.name();
            LinkedHashMap<String, String> own = new LinkedHashMap<>();
            for (Matcher swept = SWEPT.matcher(name); swept.matches(); swept = SWEPT.matcher(name)) {
                own.putFirst(swept.group(2), swept.group(3));
                name = swept.group(1);
            }
            own.forEach((field, value) -> values.computeIfAbsent(field, each -> new LinkedHashSet<>()).add(value));
            bases.add(name);
        }
        return bases.stream().allMatch(PRESET_NAMES::contains) ? Optional.of(new SweptNames(bases, values))
                : Optional.empty();
    }

    private static Map<String, List<String>> swept(ExperimentSpec spec, SweptNames names, boolean named,
            boolean counted, boolean arriving) {
        Map<String, List<String>> way = load(spec, false, counted, arriving);
        if (named) {
            put(way, ExperimentFields.WORKLOADS, List.copyOf(names.bases));
        }
        lengths(way, spec, names, ExperimentFields.PROMPT_TOKENS, WorkloadFields.PROMPT_TOKENS);
        lengths(way, spec, names, ExperimentFields.OUTPUT_TOKENS, WorkloadFields.OUTPUT_TOKENS);
        List<String> sweeps =
                new ArrayList<>(way.getOrDefault(String.valueOf(ExperimentFields.SWEEP.option()), List.of()));
        names.values.forEach((field, values) -> sweeps.add(field + "=" + String.join(",", values)));
        put(way, ExperimentFields.SWEEP, sweeps);
        return way;
    }

    /// The lengths that all workloads share.
    private static void lengths(Map<String, List<String>> way, ExperimentSpec spec, SweptNames names,
            Field<ExperimentSpec, LengthDistribution> option, Field<WorkloadSpec, LengthDistribution> field) {
        List<String> texts = spec.workloads().stream().flatMap(load -> field.write(load).stream()).distinct().toList();
        if (texts.size() == 1 && !names.values.containsKey(field.name())) {
            put(way, option, texts);
        }
    }

    /// @param named whether presets are named
    /// @param counted whether numbers of requests are given
    /// @param arriving whether arrivals are given
    private static Map<String, List<String>> load(ExperimentSpec spec, boolean named, boolean counted,
            boolean arriving) {
        List<WorkloadSpec> loads = spec.workloads();
        Optional<LoadGrid> grid = LoadGrid.of(loads);
        Map<String, List<String>> way = new LinkedHashMap<>();
        if (named) {
            List<WorkloadSpec> bases = grid.map(LoadGrid::bases).orElse(loads);
            put(way, ExperimentFields.WORKLOADS, bases.stream().flatMap(RunCommandLine::name).toList());
        }
        if (counted) {
            List<Integer> counts =
                    grid.map(LoadGrid::counts).orElseGet(() -> loads.stream().map(WorkloadSpec::requests).toList());
            put(way, ExperimentFields.REQUESTS, List.of(counts.stream().filter(count -> count > 0).distinct()
                    .map(String::valueOf).collect(Collectors.joining(","))));
        }
        if (arriving) {
            grid.flatMap(LoadGrid::sweep).ifPresentOrElse(sweep -> rising(way, sweep, spec.search()),
                    () -> loads.stream().findFirst().ifPresent(load -> arrivals(way, load)));
        }
        put(way, ExperimentFields.DURATION,
                loads.stream().flatMap(load -> WorkloadFields.DURATION.write(load).stream()).distinct().toList());
        put(way, ExperimentFields.STOP_AFTER_FAILURES, loads.stream()
                .flatMap(load -> WorkloadFields.STOP_AFTER_FAILURES.write(load).stream()).distinct().toList());
        put(way, ExperimentFields.IGNORE_EOS,
                loads.stream().flatMap(load -> WorkloadFields.IGNORE_EOS.write(load).stream()).distinct().toList());
        put(way, ExperimentFields.STOP,
                loads.stream().flatMap(load -> WorkloadFields.STOP.write(load).stream()).distinct().toList());
        return way;
    }

    private static void put(Map<String, List<String>> options, Field<ExperimentSpec, ?> field, List<String> texts) {
        List<String> written = texts.stream().filter(text -> !text.isEmpty()).toList();
        if (!written.isEmpty()) {
            options.put(String.valueOf(field.option()), written);
        }
    }

    /// The text that names a workload's shape; empty where none does.
    private static Stream<String> name(WorkloadSpec load) {
        if (load.promptFile() != null) {
            return Stream.of("prompts:" + load.promptFile());
        }
        if (load.refinements().trace() instanceof TraceReplay trace) {
            return Stream.of("trace:" + trace);
        }
        return new WorkloadPresets().all().stream()
                .filter(preset -> preset.promptTokens().equals(load.promptTokens())
                        && preset.outputTokens().equals(load.outputTokens()) && preset.name().equals(load.name()))
                .map(WorkloadSpec::name);
    }

    private static void rising(Map<String, List<String>> way, LoadSweep sweep, boolean search) {
        String word = sweep.measure().id() + "=";
        if (search) {
            put(way, ExperimentFields.SEARCH, sweep.range().map(range -> word + range).stream().toList());
        } else {
            put(way, ExperimentFields.SWEEP, List.of(word + sweep.list()));
        }
    }

    private static void arrivals(Map<String, List<String>> way, WorkloadSpec load) {
        switch (load.arrivals()) {
            case ArrivalProcess.ClosedLoop(int concurrency) ->
                put(way, ExperimentFields.CONCURRENCY, List.of(Integer.toString(concurrency)));
            case ArrivalProcess.Poisson(double rate) -> put(way, ExperimentFields.RATE, List.of(FieldType.plain(rate)));
            case ArrivalProcess.OpenLoop other -> put(way, ExperimentFields.ARRIVALS, List.of(other.toString()));
        }
    }

    private static String text(Map<String, List<String>> options) {
        return options.entrySet().stream()
                .flatMap(option -> option.getValue().stream().map(text -> " " + option.getKey() + " " + quoted(text)))
                .collect(Collectors.joining());
    }

    /// One word of a command line for a POSIX shell: in single quotes, unless all its characters are plain.
    public static String quoted(String word) {
        return word.matches("[A-Za-z0-9_.,:=/-]+") ? word : "'" + word.replace("'", "'\\''") + "'";
    }
}
