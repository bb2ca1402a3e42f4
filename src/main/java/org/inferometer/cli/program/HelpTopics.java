package org.inferometer.cli.program;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.inferometer.cli.CliServices;
import org.inferometer.engine.build.EngineEntry;
import org.inferometer.execution.Backend;
import org.inferometer.experiment.ExperimentSpec;
import org.inferometer.experiment.Presets;
import org.inferometer.experiment.ServiceObjective;
import org.inferometer.experiment.Sweep;
import org.inferometer.measurement.MetricFamily;
import org.inferometer.measurement.Metrics;
import org.inferometer.options.OptionDescription;
import org.inferometer.options.OptionException;
import org.inferometer.options.OptionKind;
import org.inferometer.options.OptionRecords;
import org.inferometer.options.Selection;
import org.inferometer.record.Metric;
import org.inferometer.report.AlignedColumns;
import org.inferometer.run.SchedulerLanes;
import org.inferometer.scheduling.SchedulerDescription;
import org.inferometer.target.TargetKind;
import org.inferometer.units.FileFault;
import org.inferometer.units.LetterCase;
import org.inferometer.units.QuantityText;
import org.inferometer.workload.ArrivalProcess;
import org.inferometer.workload.LengthDistribution;
import org.inferometer.workload.TraceOptions;
import org.inferometer.workload.WorkloadPresets;
import org.inferometer.workload.WorkloadSpec;

/// The help topics, listed from the registries that the program itself reads.
public final class HelpTopics {
    /// The topics; `engines` is a command with a longer list.
    public static final List<String> NAMES = List.of("presets", "schedulers", "workloads", "arrivals", "backends",
            "targets", "sweeps", "slos", "metrics");

    private final CliServices services;
    private final int columns;

    HelpTopics(CliServices services, int columns) {
        this.services = services;
        this.columns = columns;
    }

    /// Something that is selected by name and takes options.
    ///
    /// @param details further sentences; may be empty
    private record HelpEntry(String name, String summary, List<String> details, List<OptionDescription> options) {
        static HelpEntry of(SchedulerDescription<?> scheduler) {
            List<String> details = new ArrayList<>();
            if (!scheduler.whenItWins().isEmpty()) {
                details.add(scheduler.whenItWins());
            }
            try {
                Selection standard = Selection.of(scheduler.name());
                SchedulerLanes lanes = new SchedulerLanes(standard, scheduler.layout(standard, 0), List.of());
                details.add("Lanes: " + lanes.describe() + ".");
            } catch (OptionException e) {
                throw new IllegalStateException("The default options of " + scheduler.name() + " are invalid.", e);
            }
            return new HelpEntry(scheduler.name(), scheduler.summary(), details, scheduler.options());
        }

        static HelpEntry of(Backend backend) {
            return new HelpEntry(backend.name(), backend.summary(), List.of(), backend.options());
        }

        static HelpEntry of(TargetKind target) {
            return new HelpEntry(target.name(), target.help(), List.of(), target.options());
        }

        static HelpEntry ofArrivals(String name) {
            String summary = switch (name) {
                case "closed" -> "Keeps a fixed number of requests in flight; each response releases the next request.";
                case "constant" -> "Equal gaps.";
                case "poisson" -> "Poisson process: independent, exponential gaps.";
                case "gamma" -> "Gamma-distributed gaps, from regular to bursty.";
                case "offline" -> "All requests at once, as in MLPerf's offline scenario: throughput at saturation.";
                case "ramp" -> "A rate that rises or falls linearly, then stays constant.";
                default -> "The timestamps of a workload trace:FILE.";
            };
            return new HelpEntry(name, summary, List.of(), OptionRecords.describe(ArrivalProcess.options(name)));
        }
    }

    /// The text of a topic, ending with a line feed; empty for an unknown topic.
    Optional<String> text(String topic) {
        return switch (topic) {
            case "presets" -> Optional.of(presets());
            case "schedulers" -> Optional.of(entries(
                    "Schedulers decide which requests run in each step. Write --scheduler NAME or NAME:option=value,option=value;"
                            + " short option names work too. A lane runs one step at a time. On the host a lane is a group of threads;"
                            + " --backend host:lanes=2 requests more lanes where the scheduler supports them.",
                    schedulers()));
            case "workloads" -> Optional.of(workloads());
            case "arrivals" -> Optional.of(entries(
                    "Arrivals define when requests are sent. Write --arrivals NAME:option=value,option=value, or arrivals: in a file."
                            + " --concurrency means closed, --rate means poisson.",
                    ArrivalProcess.NAMES.stream().map(HelpEntry::ofArrivals).toList()));
            case "backends" ->
                Optional.of(entries("Backends run the engines. Write --backend NAME or NAME:option=value,option=value.",
                        backends()));
            case "targets" -> Optional.of(entries(
                    "Targets are servers and tools that a run measures instead of an engine. Write --target"
                            + " NAME:option=value,option=value. With several targets, give each its own name= option.",
                    targets()));
            case "sweeps" -> Optional.of(sweeps());
            case "slos" -> Optional.of(objectives());
            case "metrics" -> Optional.of(metrics());
            default -> Optional.empty();
        };
    }

    private String sweeps() {
        return paragraph(
                "A sweep makes a cell of each value of a field: --sweep prompt_tokens=64,256,1024. Several sweeps make a"
                        + " product.")
                + paragraph("Fields: " + String.join(", ", Sweep.fields()) + ", and every option of the experiment's"
                        + " schedulers, backends and targets, such as threads. If several of these have the option, name the"
                        + " owner: scheduler.NAME, backend.NAME or target.NAME.");
    }

    /// Every name that `run` accepts, in short.
    String names() {
        AlignedColumns presets = new AlignedColumns("", "");
        new Presets().all().forEach(preset -> presets.row("  " + preset.spec().name(), preset.purpose()));
        List<String> engines = services.engines().entries().stream().map(EngineEntry::name).toList();
        String workloads =
                new WorkloadPresets().all().stream().map(WorkloadSpec::name).collect(Collectors.joining(", "));
        Map<String, String> sections = new LinkedHashMap<>();
        sections.put("Presets (inferometer help presets)", presets.render(columns));
        sections.put("Engines (inferometer engines list)", AlignedColumns
                .paragraph(engines.isEmpty() ? "none in this workspace" : String.join(", ", engines), "  ", columns));
        sections.put("Schedulers and their options (inferometer help schedulers)", brief(schedulers()));
        sections.put("Backends and their options (inferometer help backends)", brief(backends()));
        sections.put("Targets and their options (inferometer help targets)", brief(targets()));
        sections.put("Workloads (inferometer help workloads)",
                AlignedColumns.paragraph(workloads + ", prompts:FILE, trace:FILE", "  ", columns));
        return sections.entrySet().stream().map(section -> "\n" + section.getKey() + ":\n" + section.getValue())
                .collect(Collectors.joining());
    }

    private List<HelpEntry> schedulers() {
        return services.registries().schedulers().descriptions().stream().map(HelpEntry::of).toList();
    }

    private List<HelpEntry> backends() {
        return services.registries().backends().all().stream().map(HelpEntry::of).toList();
    }

    private List<HelpEntry> targets() {
        return services.registries().targets().all().stream().map(HelpEntry::of).toList();
    }

    private String brief(List<HelpEntry> entries) {
        AlignedColumns table = new AlignedColumns("", "");
        for (HelpEntry entry : entries) {
            String options = entry.options().stream().map(HelpTopics::withDefault).collect(Collectors.joining(", "));
            table.row("  " + entry.name(), entry.summary() + (options.isEmpty() ? "" : " Options: " + options + "."));
        }
        return table.render(columns);
    }

    private String presets() {
        StringBuilder out = new StringBuilder(
                "Presets are predefined experiments. Write inferometer run NAME; options override the preset.\n\n");
        for (Presets.Preset preset : new Presets().all()) {
            ExperimentSpec spec = preset.spec();
            out.append(AlignedColumns.paragraph(spec.name() + ": " + preset.purpose(), "  ", columns));
            AlignedColumns facts = new AlignedColumns("", "");
            facts.row("      engines", String.join(", ", spec.engines()));
            facts.row("      schedulers", joined(spec.schedulers(), Selection::toString));
            facts.row("      workloads", joined(spec.workloads(), WorkloadSpec::name));
            facts.row("      runs",
                    spec.runs() + " per cell, each after " + spec.warmUpRequests() + " warm-up requests");
            out.append(facts.render(columns)).append('\n');
        }
        return out + AlignedColumns.paragraph(savedPresets(), "", columns);
    }

    private String savedPresets() {
        try {
            List<String> names = services.presets().names();
            return "Saved in this workspace: " + (names.isEmpty() ? "none" : String.join(", ", names))
                    + ". To save an experiment under a name, add --save NAME.";
        } catch (IOException e) {
            return "The saved presets cannot be read. " + FileFault.sentence(e);
        }
    }

    private static <T> String joined(List<T> values, Function<T, String> text) {
        return values.stream().map(text).collect(Collectors.joining(", "));
    }

    private String purposes() {
        WorkloadPresets presets = new WorkloadPresets();
        AlignedColumns purposes = new AlignedColumns("", "");
        presets.all().forEach(each -> purposes.row(each.name(), presets.purpose(each.name())));
        return purposes.render(columns);
    }

    private String workloads() {
        AlignedColumns table =
                new AlignedColumns("NAME", "PROMPT TOKENS", "OUTPUT TOKENS", "N>", "ARRIVALS", "PREFIX>");
        for (WorkloadSpec each : new WorkloadPresets().all()) {
            table.row(each.name(), length(each.promptTokens()), length(each.outputTokens()),
                    Integer.toString(each.requests()), each.arrivals().toString(),
                    each.sharedPrefixTokens() == 0 ? "-" : Integer.toString(each.sharedPrefixTokens()));
        }
        AlignedColumns traceOptions = new AlignedColumns("  OPTION=DEFAULT", "MEANING");
        OptionRecords.describe(TraceOptions.class)
                .forEach(option -> traceOptions.row("  " + withDefault(option), meaning(option)));
        return paragraph(
                "Workloads define request lengths and arrivals. Write --workload NAME, or prompts:FILE for a file with"
                        + " one prompt per line (or JSON lines with \"prompt\" and \"output_tokens\").")
                + paragraph(
                        "--requests, --concurrency and --rate override any workload. N is the number of measured requests."
                                + " PREFIX is the number of tokens that all prompts share, like a system prompt.")
                + paragraph("In the -sessions workloads each prompt is the conversation so far plus new tokens;"
                        + " arrivals are arrivals of sessions.")
                + "\n" + table.render(columns) + "\n" + purposes() + "\n"
                + paragraph(
                        "trace:FILE or trace:FILE,option=value,... replays recorded traffic: an Azure or BurstGPT CSV file,"
                                + " JSON lines of Mooncake, Bailian or AIPerf, or conversations such as ShareGPT. Conversations have no timestamps: add --rate or --concurrency."
                                + " The file name ends before the first comma followed by NAME=, so C:\\traces\\a, b.csv needs no quoting.")
                + "\n" + traceOptions.render(columns);
    }

    private String objectives() {
        AlignedColumns table = new AlignedColumns("NAME", "TTFT", "TPOT");
        ServiceObjective.presets()
                .forEach((name, limits) -> table.row(name, QuantityText.latency(limits.ttftNanos().orElseThrow()),
                        QuantityText.latency(limits.tpotNanos().orElseThrow())));
        return paragraph("Service-level objectives (SLOs) are latency limits per request. Write --slo"
                + " ttft=500ms,tpot=50ms,e2e=10s with any of the three, or an MLPerf Inference limit by name."
                + " share=0.99 sets the share of requests that must meet them. Goodput is the rate of requests that meet every limit.")
                + "\n" + table.render(columns);
    }

    private static String length(LengthDistribution length) {
        return length.toString().replace(".0,", ",");
    }

    private String entries(String lead, List<HelpEntry> entries) {
        StringBuilder out = new StringBuilder(paragraph(lead));
        for (HelpEntry entry : entries) {
            out.append('\n').append(AlignedColumns.paragraph(entry.name() + ": " + entry.summary(), "  ", columns));
            entry.details().forEach(detail -> out.append(AlignedColumns.paragraph(detail, "      ", columns)));
            out.append(options(entry.options()));
        }
        return out.toString();
    }

    private String options(List<OptionDescription> options) {
        if (options.isEmpty()) {
            return "      no options\n";
        }
        AlignedColumns table = new AlignedColumns("      OPTION=DEFAULT", "MEANING");
        options.forEach(option -> table.row("      " + withDefault(option), meaning(option)));
        return table.render(columns);
    }

    private String paragraph(String text) {
        return AlignedColumns.paragraph(text, "", columns);
    }

    private static String withDefault(OptionDescription option) {
        return option.name() + "=" + option.standard();
    }

    private static String meaning(OptionDescription option) {
        String unit = option.unit().isEmpty() ? "" : " " + option.unit();
        String aliases = option.aliases().isEmpty() ? "" : " Short: " + String.join(", ", option.aliases()) + ".";
        return option.help() + " " + range(option) + unit + "." + aliases;
    }

    /// The range of an option as the beginning of a sentence; values keep their spelling.
    private static String range(OptionDescription option) {
        return switch (option.kind()) {
            case OptionKind.Choice choice -> "One of " + option.range();
            case OptionKind.Flag flag -> "True or false";
            case OptionKind.Whole whole -> LetterCase.capitalized(option.range());
            case OptionKind.Decimal decimal -> LetterCase.capitalized(option.range());
            case OptionKind.Text text -> LetterCase.capitalized(option.range());
        };
    }

    private String metrics() {
        AlignedColumns table = new AlignedColumns("ID", "UNIT", "BETTER", "DEFINITION");
        List<MetricFamily> shown = new ArrayList<>();
        for (Metric metric : Metrics.all()) {
            String unit = unit(metric.unit());
            String better = metric.better().name().toLowerCase(Locale.ROOT);
            Optional<MetricFamily> family =
                    Metrics.families().stream().filter(each -> each.metrics().contains(metric)).findFirst();
            if (family.isEmpty()) {
                table.row(metric.id(), unit, better, metric.definition());
            } else if (!shown.contains(family.get())) {
                shown.add(family.get());
                table.row(family.get().id() + "_*", unit, better, family.get().definition());
            }
        }
        return paragraph(
                "Metrics of a result, by their names in files. A metric that was not measured is absent, never 0.")
                + paragraph("_* stands for _mean, _p50, _p90, _p95 and _p99; where higher is better, for _mean, _p50,"
                        + " _p10, _p5 and _p1.")
                + "\n" + table.render(columns);
    }

    private static String unit(Metric.Unit unit) {
        return switch (unit) {
            case NANOSECONDS -> "ns";
            case PER_SECOND_REQUESTS -> "req/s";
            case PER_SECOND_TOKENS -> "tok/s";
            case FRACTION -> "share";
            case BYTES -> "bytes";
            case COUNT -> "count";
            case JOULES_PER_TOKEN -> "J/token";
            case WATTS -> "W";
            case PRICE_PER_MILLION_TOKENS -> "per 1M tokens";
            case RATIO -> "ratio";
        };
    }
}
