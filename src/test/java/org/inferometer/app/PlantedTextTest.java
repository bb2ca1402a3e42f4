package org.inferometer.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.annotation.JsonValue;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.stream.Stream;
import org.inferometer.cli.Terminal;
import org.inferometer.cli.program.Cli;
import org.inferometer.experiment.ExperimentFields;
import org.inferometer.experiment.PrecisionTarget;
import org.inferometer.record.ExperimentManifest;
import org.inferometer.record.ExperimentManifest.CellSummary;
import org.inferometer.record.ExperimentManifest.ExperimentOutcome;
import org.inferometer.record.MeasuredQuality;
import org.inferometer.record.MeasuredQuality.TokenMean;
import org.inferometer.record.Phase;
import org.inferometer.record.RunEvent;
import org.inferometer.record.RunManifest;
import org.inferometer.record.RunMarker;
import org.inferometer.record.RunStatus;
import org.inferometer.record.ServerIdentity;
import org.inferometer.record.WindowAction;
import org.inferometer.record.WindowUse;
import org.inferometer.results.SampleRecords;
import org.inferometer.results.exchange.ForeignSamples;
import org.inferometer.scheduling.SchedulerPlugin;
import org.inferometer.units.EnvironmentVariables;
import org.inferometer.units.FolderTree;
import org.inferometer.units.PlainJson;
import org.inferometer.units.PlainText;
import org.inferometer.units.ShellWord;
import org.inferometer.workload.RequestId;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import tools.jackson.core.json.JsonReadFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.MappingIterator;
import tools.jackson.databind.json.JsonMapper;

/// Text in any string of a record that would steer a terminal, hide text or begin a line does not reach an output.
@Execution(ExecutionMode.CONCURRENT)
class PlantedTextTest {
    private static final String BEGIN = "BEGINS";
    private static final String PLANTED =
            "p\u0000\u001b[8mq\u001b]0;t\u0007\b\u007f\u009b\u202e\u2066\u200b\u00ad\ufeff"
                    + new StringBuilder().appendCodePoint(0xe0041) + "\t\u2028\u2029\u0085\u000b\r\u001b[K\r\n" + BEGIN;
    /// Not planted: the folder of a run, since the run would not be found; and a file that the samples do not name.
    private static final Set<String> KEPT = Set.of("RunPlan.folder", "TraceReplay.file");

    private static final SchedulerPlugin PLUGIN = new SchedulerPlugin("shortest", "1.0", "0123456789abcdef");
    private static final MeasuredQuality QUALITY = new MeasuredQuality("tiny-bf16", "text.txt", "ab", 10, 4, 2, 20,
            new TokenMean(0.1, 0.01), new TokenMean(0.2, 0.01), new TokenMean(0.9, 0.01));

    private final JsonMapper json = JsonMapper.builder().build();
    private final Set<String> planted = new TreeSet<>();
    @TempDir
    Path workspace;

    @BeforeEach
    void writeRecord() throws Exception {
        Path experiment = workspace.resolve("results/planted");
        ExperimentManifest manifest = SampleRecords.writeExperiment(experiment, 1);
        write(experiment.resolve("experiment.json"), judged(manifest)
                .withSpec(ExperimentFields.UNTIL.with(manifest.spec(), List.of(PrecisionTarget.parse("ttft_p50=2%")))));
        for (var plan : manifest.plan()) {
            Path run = experiment.resolve(plan.folderName());
            write(run.resolve("run.json"),
                    judged(SampleRecords.manifest(plan, RunStatus.COMPLETE))
                            .servedBy(new ServerIdentity("tiny", "root", "vllm", "1.0"))
                            .shownBy(new WindowUse("live", 0.1,
                                    List.of(new WindowAction("report", 1_000_000, 2_000_000)),
                                    List.of(new RunMarker(1_500_000, "marker")))));
            StringBuilder events = new StringBuilder();
            for (RunEvent event : List.of(new RunEvent.Gauge(1, "gauge", 2), new RunEvent.TargetMessage(2, "message"),
                    new RunEvent.HistogramGrew(2, "histogram", true, new TreeMap<>(Map.of(1.0, 1L))),
                    new RunEvent.EngineFailed(3, "reason"), new RunEvent.ImportNote(4, "tool", "note"),
                    new RunEvent.Note(5, Phase.MEASURE, "note"),
                    new RunEvent.RequestVariant(5, new RequestId(5), "kind"),
                    new RunEvent.RequestText(6, new RequestId(5), "prompt", "answer"))) {
                events.append(json.writeValueAsString(plantedIn(event))).append('\n');
            }
            Files.writeString(run.resolve("events.jsonl"), events);
            String quoted = "\"" + PLANTED + "\"";
            Path requests = run.resolve("requests.csv");
            Files.writeString(requests, Files.readString(requests).replaceAll("\"Refused[^\\n]*test\\.\"",
                    Matcher.quoteReplacement(quoted)));
            assertThat(Files.readString(requests)).contains(quoted);
            Path steps = run.resolve("steps.csv");
            Files.writeString(steps, Files.readString(steps).replace("prefill of new requests", quoted));
        }
    }

    private static ExperimentManifest judged(ExperimentManifest manifest) {
        List<CellSummary> cells = manifest
                .cells().stream().map(cell -> new CellSummary(cell.cellIndex(), cell.cell(), cell.model(),
                        cell.precision(), cell.runs(), cell.invalidRuns(), cell.figures(), cell.slo(), QUALITY))
                .toList();
        return manifest.withOutcome(
                new ExperimentOutcome(manifest.status(), manifest.failure(), cells, manifest.verdict()),
                manifest.times().ended());
    }

    private static RunManifest judged(RunManifest run) {
        return new RunManifest(run.formatVersion(), run.plan(), run.machine(), run.system().with(QUALITY, PLUGIN),
                run.workloadHash(), run.anchorWall(), run.outcome(), run.window());
    }

    private void write(Path file, Record record) throws Exception {
        Files.writeString(file, json.writeValueAsString(plantedIn(record)));
    }

    @Test
    void everyStringOfTheFormatIsPlanted() {
        Set<String> strings = new TreeSet<>();
        Set<Class<?>> seen = new HashSet<>();
        for (Class<?> root : List.of(ExperimentManifest.class, RunManifest.class, RunEvent.class)) {
            walk(root, strings, seen);
        }
        strings.removeAll(planted);
        assertThat(planted.size()).isGreaterThan(30);
        assertThat(strings).isEqualTo(KEPT);
    }

    @Test
    void plantedTextReachesNoOutput() throws IOException {
        String shown = "";
        List<String> commands = new ArrayList<>(List.of("results list", "results list --json", "results show planted",
                "results show planted --json", "results steps planted --run 1", "results steps planted --run 1 --json",
                "compare planted#1 planted#2", "compare planted#1 planted#2 --json", "gate planted#1 planted#2",
                "report planted --scheduler-suite " + workspace.resolve("suite"),
                "results share planted --out " + workspace.resolve("shared")));
        for (String format : List.of("html", "md", "text", "csv", "json")) {
            commands.add("report planted --format " + format + " --out -");
        }
        for (String format : List.of("vllm", "sglang", "aiperf", "guidellm", "trtllm-bench", "benchmark-tables",
                "llama-bench", "llama-bench-csv", "llama-bench-jsonl")) {
            commands.add("export planted --format " + format + " --out " + workspace.resolve("exported"));
        }
        for (String command : commands) {
            String output = run(command);
            requirePlain(command, output);
            requireNoLineBegins(command, output);
            shown += output;
        }
        for (String folder : List.of("suite", "shared", "exported")) {
            try (Stream<Path> files = Files.walk(workspace.resolve(folder))) {
                for (Path file : files.filter(file -> file.toString().matches(".*\\.(txt|csv|json|jsonl|md)"))
                        .toList()) {
                    requirePlain(file.toString(), Files.readString(file));
                    // The lines of this one are wrapped.
                    if (!file.endsWith("benchmark_report.txt")) {
                        requireNoLineBegins(file.toString(), Files.readString(file));
                    }
                }
            }
        }
        assertThat(shown).as("planted text is shown").contains("p\ufffd\ufffd[8mq");
    }

    @Test
    void plantedTextReachesNoTerminal() throws Exception {
        boolean present = Files.isExecutable(Path.of("/usr/bin/script"));
        assumeTrue(present, "The program \"script\" of util-linux, which makes a pseudo terminal, is not installed.");
        for (String command : List.of("results list", "results show planted", "compare planted#1 planted#2")) {
            String java = ShellWord.line(FastJava.program(Main.class)) + " --workspace '" + workspace + "' " + command;
            ProcessBuilder builder = new ProcessBuilder("/usr/bin/script", "-qec", java, "/dev/null")
                    .redirectErrorStream(true).redirectInput(Path.of("/dev/null").toFile());
            builder.environment().put("TERM", "xterm");
            Process process = builder.start();
            String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertThat(process.waitFor()).as(output).isIn(0, 1);
            // The program's own: line ends of the terminal, bold, colours.
            requirePlain(command, output.replace("\r\n", "\n").replaceAll("\u001b\\[(0|1|1;31|2[124]|3[1-69]?)?m", ""));
        }
    }

    private static void requirePlain(String what, String output) {
        List<String> unsafe = output.codePoints().filter(c -> c != '\n' && PlainText.isUnsafe(c)).distinct()
                .mapToObj(c -> String.format("U+%04X", c)).toList();
        assertThat(unsafe).as("%s: %s", what, output).isEmpty();
    }

    private static void requireNoLineBegins(String what, String output) {
        assertThat(output.lines().filter(line -> line.startsWith(BEGIN)).toList()).as(what).isEmpty();
    }

    @Test
    void namesOfFoldersAndFilesArePlain() throws IOException {
        String name = PLANTED.replace("\u0000", "");
        Path renamed = Files.move(workspace.resolve("results/planted"), workspace.resolve("results").resolve(name));
        Path suite = Files.createDirectory(workspace.resolve("suite"));
        Files.writeString(suite.resolve(name + ".yaml"), "name: x\n");
        for (List<String> command : List.of(List.of("results", "list"), List.of("results", "list", "--json"),
                List.of("results", "show", renamed.toString()),
                List.of("results", "show", renamed.toString(), "--json"), List.of("report", renamed.toString()),
                List.of("report", renamed.toString(), "--json"), List.of("results", "show", name),
                List.of("results", "prune", "--keep", "0"), List.of("results", "prune", "--keep", "0", "--json"),
                List.of("suite", "validate", suite.toString()),
                List.of("run", suite.resolve(name + ".yaml").toString()))) {
            String output = run(command);
            requirePlain(command.toString(), output);
            requireNoLineBegins(command.toString(), output);
        }
    }

    @Test
    void filesOfOtherToolsAreReadPlain() throws IOException {
        Path results = workspace.resolve("results");
        int imported = 0;
        for (Map.Entry<String, String> sample : ForeignSamples.all().entrySet()) {
            String text = sample.getValue();
            StringBuilder changed = new StringBuilder();
            if (text.strip().startsWith("{") || text.strip().startsWith("[")) {
                JsonMapper lenient = JsonMapper.builder().enable(JsonReadFeature.ALLOW_NON_NUMERIC_NUMBERS).build();
                try (MappingIterator<JsonNode> documents = lenient.readerFor(JsonNode.class).readValues(text)) {
                    documents.forEachRemaining(document -> changed
                            .append(lenient.writeValueAsString(
                                    PlainJson.withTexts(document, each -> each.isEmpty() ? each : each + PLANTED)))
                            .append('\n'));
                }
            } else {
                changed.append(text.replaceAll("(?<=[a-z])(?=,\\d)",
                        Matcher.quoteReplacement(PLANTED.replaceAll("[\r\n]", ""))));
            }
            Path file = Files.writeString(workspace.resolve(sample.getKey()), changed);
            FolderTree.delete(results);
            for (List<String> command : List.of(List.of("import", file.toString()),
                    List.of("import", file.toString(), "--json"), List.of("results", "list"))) {
                String output = run(command);
                requirePlain(command.toString(), output);
                requireNoLineBegins(command.toString(), output);
                imported += output.contains("\"result\" :") ? 1 : 0;
            }
            requirePlain(file.toString(), run(List.of("report", "latest", "--format", "md", "--out", "-")));
        }
        assertThat(imported).isGreaterThan(5);
    }

    @Test
    void experimentFilesAreReadPlain() throws IOException {
        String text = "\"x\\e[8m\\u202e\\u200b\\t\\r\\n" + BEGIN + "\"";
        Path suite = Files.createDirectory(workspace.resolve("suite"));
        Files.writeString(suite.resolve("plan.yaml"),
                String.format("name: %1$s\n%1$s: 1\nengines: [%1$s]\nschedulers: [%1$s]\nbackend: %1$s\nruns: %1$s\n"
                        + "workloads: [%1$s, {arrivals: %1$s, prompts: %1$s}]\ngoal: *a\n", text));
        Files.writeString(suite.resolve("sound.yaml"), String.format(
                "name: %1$s\nengines: [%1$s]\nschedulers: [continuous]\nworkloads: [{preset: chat, name: %1$s}]\n",
                text));
        for (String command : List.of("suite validate " + suite, "suite validate --json " + suite,
                "run " + suite.resolve("plan.yaml"), "run " + suite.resolve("sound.yaml"))) {
            String output = run(command);
            requirePlain(command, output);
            requireNoLineBegins(command, output);
        }
    }

    private String run(String command) {
        return run(List.of(command.split(" ")));
    }

    private String run(List<String> command) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        PrintStream stream = new PrintStream(out, true, StandardCharsets.UTF_8);
        Terminal terminal =
                new Terminal(new ByteArrayInputStream(new byte[0]), stream, stream, false, false, 1_000_000);
        int exit = new Cli(new CommandLineWiring(EnvironmentVariables.ofProcess()), terminal).execute(
                Stream.concat(Stream.of("--workspace", workspace.toString()), command.stream()).toArray(String[]::new));
        String output = out.toString(StandardCharsets.UTF_8);
        // 2: planted metrics are not known, so that "gate" has nothing to judge.
        assertThat(exit).as("%s: %s", command, output).isIn(0, 1, 2);
        return output;
    }

    /// The record with planted text in every string that its constructors accept.
    private Object plantedIn(Object value) throws ReflectiveOperationException {
        if (value instanceof List<?> list) {
            List<Object> changed = new ArrayList<>();
            for (Object each : list) {
                changed.add(each instanceof String text ? text + PLANTED : plantedIn(each));
            }
            return changed;
        }
        if (!(value instanceof Record) || isText(value.getClass())) {
            return value;
        }
        RecordComponent[] components = value.getClass().getRecordComponents();
        Object[] arguments = new Object[components.length];
        for (int i = 0; i < components.length; i++) {
            components[i].getAccessor().setAccessible(true);
            Object old = components[i].getAccessor().invoke(value);
            arguments[i] = old instanceof String || old == null ? old : plantedIn(old);
        }
        var constructor = value.getClass().getDeclaredConstructor(
                Arrays.stream(components).map(RecordComponent::getType).toArray(Class<?>[]::new));
        constructor.setAccessible(true);
        for (int i = 0; i < components.length; i++) {
            String name = name(value.getClass(), components[i]);
            if (holdsText(components[i]) && !KEPT.contains(name)) {
                Object before = arguments[i];
                arguments[i] = before instanceof String text ? text + PLANTED : before == null ? PLANTED : before;
                try {
                    constructor.newInstance(arguments);
                    planted.add(name);
                } catch (InvocationTargetException refused) {
                    arguments[i] = before;
                }
            }
        }
        return constructor.newInstance(arguments);
    }

    private static String name(Class<?> type, RecordComponent component) {
        return type.getSimpleName() + "." + component.getName();
    }

    private static boolean holdsText(RecordComponent component) {
        return component.getGenericType() == String.class || (component.getGenericType() instanceof ParameterizedType of
                && of.getRawType() == List.class && of.getActualTypeArguments()[0] == String.class);
    }

    private static void walk(Type type, Set<String> strings, Set<Class<?>> seen) {
        if (type instanceof ParameterizedType generic) {
            Arrays.stream(generic.getActualTypeArguments()).forEach(each -> walk(each, strings, seen));
        } else if (type instanceof Class<?> plain && plain.getName().startsWith("org.inferometer.") && !plain.isEnum()
                && !isText(plain) && seen.add(plain)) {
            if (plain.isSealed()) {
                Arrays.stream(plain.getPermittedSubclasses()).forEach(each -> walk(each, strings, seen));
            } else if (plain.isRecord()) {
                for (RecordComponent component : plain.getRecordComponents()) {
                    if (holdsText(component)) {
                        strings.add(name(plain, component));
                    }
                    walk(component.getGenericType(), strings, seen);
                }
            }
        }
    }

    /// Whether the type is written as a single value of its own form.
    private static boolean isText(Class<?> type) {
        return type.isSealed() && Arrays.stream(type.getPermittedSubclasses()).allMatch(PlantedTextTest::isText)
                || Arrays.stream(type.getDeclaredMethods())
                        .anyMatch(method -> method.isAnnotationPresent(JsonValue.class));
    }
}
