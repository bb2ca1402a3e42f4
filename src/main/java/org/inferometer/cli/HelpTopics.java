package org.inferometer.cli;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;
import org.inferometer.experiment.ExperimentSpec;
import org.inferometer.experiment.Presets;
import org.inferometer.experiment.ServiceObjective;
import org.inferometer.measurement.MetricFamily;
import org.inferometer.measurement.Metrics;
import org.inferometer.options.OptionDescription;
import org.inferometer.options.OptionKind;
import org.inferometer.options.OptionRecords;
import org.inferometer.options.Selection;
import org.inferometer.record.Metric;
import org.inferometer.report.AlignedColumns;
import org.inferometer.units.QuantityText;
import org.inferometer.workload.ArrivalProcess;
import org.inferometer.workload.LengthDistribution;
import org.inferometer.workload.TraceOptions;
import org.inferometer.workload.WorkloadPresets;
import org.inferometer.workload.WorkloadSpec;

/// What can be written for a name, listed from the registries themselves so that the help cannot lag behind.
final class HelpTopics {
    /// The topics; `engines` also is a command, whose list shows more.
    static final List<String> NAMES =
            List.of("presets", "schedulers", "workloads", "arrivals", "backends", "targets", "slos", "metrics");

    private final int columns;

    private HelpTopics(int columns) {
        this.columns = columns;
    }

    /// The text of a topic.
    interface Text {
        /// Ends with a line feed.
        String of(Vocabulary vocabulary);
    }

    static Optional<Text> named(String topic, int columns) {
        HelpTopics topics = new HelpTopics(columns);
        return switch (topic) {
            case "presets" -> Optional.of(topics::presets);
            case "schedulers" -> Optional.of(vocabulary -> topics.choices(
                    "Schedulers: who runs when. Write --scheduler NAME or NAME:option=value,option=value; short spellings will do. A lane runs one step at"
                            + " a time; on the host it is a group of threads, and --backend host:lanes=2 asks for more where the scheduler can use them.",
                    vocabulary.schedulers()));
            case "workloads" -> Optional.of(vocabulary -> topics.workloads());
            case "arrivals" -> Optional.of(vocabulary -> topics.choices(
                    "Arrivals: when requests come. In a file write arrivals: NAME:option=value,option=value; --concurrency is closed, --rate is poisson.",
                    ArrivalProcess.NAMES.stream().map(HelpTopics::arrivals).toList()));
            case "backends" -> Optional.of(vocabulary -> topics.choices(
                    "Backends: what computes. Write --backend NAME or NAME:option=value,option=value.",
                    vocabulary.backends()));
            case "targets" -> Optional.of(vocabulary -> topics.choices(
                    "Targets: what is driven in place of engines in this process. Write --target NAME:option=value,option=value; with several, give each"
                            + " a name= of its own.",
                    vocabulary.targets()));
            case "slos" -> Optional.of(vocabulary -> topics.objectives());
            case "metrics" -> Optional.of(vocabulary -> topics.metrics());
            default -> Optional.empty();
        };
    }

    /// Every name that can follow `run`, in short: the end of its help.
    static String names(Vocabulary vocabulary, int columns) {
        StringBuilder out = new StringBuilder("\nPresets (inferometer help presets):\n");
        AlignedColumns presets = new AlignedColumns("", "");
        vocabulary.presets().forEach(preset -> presets.row("  " + preset.spec().name(), preset.purpose()));
        out.append(presets.render(columns)).append("\nEngines (inferometer engines list):\n");
        List<String> engines = vocabulary.engines().get();
        out.append(AlignedColumns.paragraph(engines.isEmpty() ? "none in this workspace" : String.join(", ", engines),
                "  ", columns));
        out.append("\nSchedulers and their options (inferometer help schedulers):\n")
                .append(brief(vocabulary.schedulers(), columns));
        out.append("\nBackends and their options (inferometer help backends):\n")
                .append(brief(vocabulary.backends(), columns));
        out.append("\nTargets and their options (inferometer help targets):\n")
                .append(brief(vocabulary.targets(), columns));
        String workloads =
                new WorkloadPresets().all().stream().map(WorkloadSpec::name).collect(Collectors.joining(", "));
        out.append("\nWorkloads (inferometer help workloads):\n")
                .append(AlignedColumns.paragraph(workloads + ", prompts:FILE, trace:FILE", "  ", columns));
        return out.toString();
    }

    private static String brief(List<Choice> choices, int columns) {
        AlignedColumns table = new AlignedColumns("", "");
        for (Choice choice : choices) {
            String options = choice.options().stream().map(option -> option.name() + "=" + option.standard())
                    .collect(Collectors.joining(", "));
            table.row("  " + choice.name(), choice.summary() + (options.isEmpty() ? "" : " Options: " + options + "."));
        }
        return table.render(columns);
    }

    private String presets(Vocabulary vocabulary) {
        StringBuilder out = new StringBuilder(
                "Presets: experiments that have a name. Write inferometer run NAME; options win over the preset.\n\n");
        for (Presets.Preset preset : vocabulary.presets()) {
            ExperimentSpec spec = preset.spec();
            out.append(AlignedColumns.paragraph(spec.name() + ": " + preset.purpose(), "  ", columns));
            AlignedColumns facts = new AlignedColumns("", "");
            facts.row("      engines", String.join(", ", spec.engines()));
            facts.row("      schedulers",
                    spec.schedulers().stream().map(Selection::toString).collect(Collectors.joining(", ")));
            facts.row("      workloads",
                    spec.workloads().stream().map(WorkloadSpec::name).collect(Collectors.joining(", ")));
            facts.row("      runs",
                    spec.runs() + " of each cell, after " + spec.warmUpRequests() + " warm-up requests");
            out.append(facts.render(columns)).append('\n');
        }
        return out.toString();
    }

    private String workloads() {
        AlignedColumns table =
                new AlignedColumns("NAME", "PROMPT TOKENS", "OUTPUT TOKENS", "N>", "ARRIVALS", "PREFIX>");
        for (WorkloadSpec each : new WorkloadPresets().all()) {
            table.row(each.name(), written(each.promptTokens()), written(each.outputTokens()),
                    Integer.toString(each.requests()), each.arrivals().toString(),
                    each.sharedPrefixTokens() == 0 ? "-" : Integer.toString(each.sharedPrefixTokens()));
        }
        AlignedColumns traced = new AlignedColumns("  OPTION=DEFAULT", "MEANING");
        OptionRecords.describe(TraceOptions.class)
                .forEach(option -> traced.row("  " + option.name() + "=" + option.standard(), meaning(option)));
        return "Workloads: what is asked, and when. Write --workload NAME, or prompts:FILE for a file with one prompt a line\n"
                + "(or JSON lines with \"prompt\" and \"output_tokens\"). --requests, --concurrency and --rate change any of them.\n"
                + "N is of measured requests; PREFIX is of tokens that all prompts begin with, as with a system prompt.\n"
                + "In -sessions each prompt is the whole conversation so far and new tokens, and arrivals are of sessions.\n\n"
                + table.render(columns) + "\n"
                + AlignedColumns.paragraph(
                        "trace:FILE or trace:FILE,option=value,... replays recorded traffic: an Azure or BurstGPT CSV file, Mooncake JSON lines,"
                                + " or a ShareGPT JSON array (which has no instants: give --rate or --concurrency). The file's name ends before the first"
                                + " comma that is followed by WORD=, so paths such as C:\\traces\\a, b.csv can be written as they are.",
                        "", columns)
                + "\n" + traced.render(columns);
    }

    private static Choice arrivals(String name) {
        String summary = switch (name) {
            case "closed" -> "As many in flight as asked; each answer makes room for the next request.";
            case "constant" -> "Equal gaps.";
            case "poisson" -> "Independent of each other: exponential gaps, uncut.";
            case "gamma" -> "Gaps of a gamma distribution, in bursts or evenly.";
            case "ramp" -> "A rate that grows or falls linearly, then stays.";
            default -> "The instants of a workload trace:FILE.";
        };
        return new Choice(name, summary, "", "", OptionRecords.describe(ArrivalProcess.options(name)));
    }

    private String objectives() {
        AlignedColumns table = new AlignedColumns("NAME", "TTFT", "TPOT");
        ServiceObjective.presets()
                .forEach((name, limits) -> table.row(name, QuantityText.latency(limits.ttftNanos().orElseThrow()),
                        QuantityText.latency(limits.tpotNanos().orElseThrow())));
        return AlignedColumns.paragraph(
                "Service-level objectives: limits that each request must meet. Write --slo ttft=500ms,tpot=50ms,e2e=10s (any of them), with"
                        + " share=0.99 for the share of requests that must, or one of MLPerf Inference's limits by name. Goodput counts the requests a second"
                        + " that meet every limit.",
                "", columns) + "\n" + table.render(columns);
    }

    private static String written(LengthDistribution length) {
        return length.toString().replace(".0,", ",");
    }

    private String choices(String lead, List<Choice> choices) {
        StringBuilder out = new StringBuilder(AlignedColumns.paragraph(lead, "", columns));
        for (Choice choice : choices) {
            out.append('\n').append(AlignedColumns.paragraph(choice.name() + ": " + choice.summary(), "  ", columns));
            if (!choice.whenItWins().isEmpty()) {
                out.append(AlignedColumns.paragraph(choice.whenItWins(), "      ", columns));
            }
            if (!choice.lanes().isEmpty()) {
                out.append(AlignedColumns.paragraph("Lanes: " + choice.lanes() + ".", "      ", columns));
            }
            out.append(options(choice.options()));
        }
        return out.toString();
    }

    private String options(List<OptionDescription> options) {
        if (options.isEmpty()) {
            return "      no options\n";
        }
        AlignedColumns table = new AlignedColumns("      OPTION=DEFAULT", "MEANING");
        for (OptionDescription option : options) {
            table.row("      " + option.name() + "=" + option.standard(), meaning(option));
        }
        return table.render(columns);
    }

    private static String meaning(OptionDescription option) {
        String unit = option.unit().isEmpty() ? "" : " " + option.unit();
        String aliases = option.aliases().isEmpty() ? "" : " Short: " + String.join(", ", option.aliases()) + ".";
        return option.help() + " " + range(option) + unit + "." + aliases;
    }

    /// Words stay as they are written; a range of numbers begins a sentence.
    private static String range(OptionDescription option) {
        return switch (option.kind()) {
            case OptionKind.Choice choice -> "One of " + option.range();
            case OptionKind.Flag flag -> "True or false";
            case OptionKind.Whole whole -> capitalised(option.range());
            case OptionKind.Decimal decimal -> capitalised(option.range());
            case OptionKind.Text text -> capitalised(option.range());
        };
    }

    private static String capitalised(String range) {
        return range.isEmpty() ? range : Character.toUpperCase(range.charAt(0)) + range.substring(1);
    }

    private String metrics() {
        AlignedColumns table = new AlignedColumns("ID", "UNIT", "BETTER", "DEFINITION");
        List<MetricFamily> shown = new ArrayList<>();
        for (Metric metric : Metrics.all()) {
            Optional<MetricFamily> family =
                    Metrics.families().stream().filter(each -> each.metrics().contains(metric)).findFirst();
            if (family.isEmpty()) {
                table.row(metric.id(), unit(metric.unit()), word(metric.better()), metric.definition());
            } else if (!shown.contains(family.get())) {
                shown.add(family.get());
                table.row(family.get().id() + "_*", unit(metric.unit()), word(metric.better()),
                        family.get().definition());
            }
        }
        return "Metrics: every figure of a result, as files name it. A figure that could not be measured is absent, never 0.\n"
                + "_* stands for _mean, _p50, _p90, _p95 and _p99 (where higher is better: _mean, _p50, _p10, _p5 and _p1).\n\n"
                + table.render(columns);
    }

    private static String word(Metric.Better better) {
        return better.name().toLowerCase(Locale.ROOT);
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
            case PRICE_PER_MILLION_TOKENS -> "per 1M tokens";
            case RATIO -> "ratio";
        };
    }
}
