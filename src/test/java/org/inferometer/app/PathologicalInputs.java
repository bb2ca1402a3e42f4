package org.inferometer.app;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.IntFunction;
import org.inferometer.engine.ChatFormat;
import org.inferometer.engine.build.RecipeReader;
import org.inferometer.engine.checkpoint.Checkpoint;
import org.inferometer.engine.gguf.GgufFile;
import org.inferometer.engine.safetensors.SafetensorsFile;
import org.inferometer.experiment.LoadSweep;
import org.inferometer.experiment.PrecisionTarget;
import org.inferometer.experiment.ServiceObjective;
import org.inferometer.experiment.SpecReader;
import org.inferometer.experiment.Sweep;
import org.inferometer.measurement.comparison.Margin;
import org.inferometer.options.Selection;
import org.inferometer.prompting.template.Template;
import org.inferometer.record.StepSlices;
import org.inferometer.remote.SshHost;
import org.inferometer.report.requests.RequestListing.Conditions;
import org.inferometer.results.ResultNotes;
import org.inferometer.results.SelfCheckFile;
import org.inferometer.results.TextAnonymizer;
import org.inferometer.results.exchange.Importer;
import org.inferometer.run.WorkerProtocol;
import org.inferometer.suite.NameExpression;
import org.inferometer.suite.Suite;
import org.inferometer.suite.figures.LogMetrics;
import org.inferometer.suite.serving.LogPattern;
import org.inferometer.units.EnvFile;
import org.inferometer.units.NearMisses;
import org.inferometer.units.OneLine;
import org.inferometer.units.QuantityText;
import org.inferometer.workload.PromptFile;
import org.inferometer.workload.TraceReplay;
import org.inferometer.workload.WorkloadExtent;
import org.inferometer.workload.WorkloadPresets;
import org.inferometer.workload.WorkloadSpec;

/// Inputs that ask a reader for much time or memory, in a process of its own: `main` reads all, and prints for each its name, the time of
/// the processor in milliseconds, and how it was answered.
///
/// `PathologicalInputsTest` starts it. The first argument is a folder to write to, the second the size of inputs in characters.
public final class PathologicalInputs {
    private final Path folder;
    private final int size;
    private final Map<String, Attempt> cases = new LinkedHashMap<>();

    /// Reads one input; declared exceptions are answers.
    @FunctionalInterface
    interface Attempt {
        void read() throws Exception;
    }

    /// Reads a file.
    @FunctionalInterface
    interface FileReading {
        void read(Path file) throws Exception;
    }

    PathologicalInputs(Path folder, int size) {
        this.folder = folder;
        this.size = size;
        texts();
        yaml();
        json();
        rows();
        templates();
        binaries();
    }

    public static void main(String[] arguments) {
        PathologicalInputs inputs = new PathologicalInputs(Path.of(arguments[0]), Integer.parseInt(arguments[1]));
        inputs.cases.forEach((name, attempt) -> {
            long before = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
            String answer = answer(attempt);
            long millis = (ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime() - before) / 1_000_000;
            System.out.println(name + "\t" + millis + "\t" + answer);
        });
    }

    private static String answer(Attempt attempt) {
        try {
            attempt.read();
            return "read";
        } catch (OutOfMemoryError | StackOverflowError e) {
            return e.getClass().getSimpleName();
        } catch (NullPointerException | IndexOutOfBoundsException | ClassCastException | ArithmeticException e) {
            return "internal error " + OneLine.of(e.toString());
        } catch (Exception e) {
            return "refused: " + OneLine.of(String.valueOf(e.getMessage()));
        }
    }

    private String repeated(String part) {
        return part.repeat(size / part.length());
    }

    private String numbered(IntFunction<String> part) {
        return numbered(size, part);
    }

    private static String numbered(int length, IntFunction<String> part) {
        StringBuilder all = new StringBuilder();
        for (int index = 0; all.length() < length; index++) {
            all.append(part.apply(index));
        }
        return all.toString();
    }

    private void add(String name, Attempt attempt) {
        if (cases.put(name, attempt) != null) {
            throw new IllegalArgumentException(name);
        }
    }

    private void file(String name, String file, byte[] content, FileReading reading) {
        Path own = folder.resolve(name.replaceAll("[^a-z0-9]+", "-"));
        // At once, so that the inputs take no memory.
        try {
            Files.write(Files.createDirectories(own).resolve(file), content);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        add(name, () -> reading.read(own.resolve(file)));
    }

    private void file(String name, String file, String content, FileReading reading) {
        file(name, file, content.getBytes(StandardCharsets.UTF_8), reading);
    }

    /// Small languages of fields and options, each with texts that make a search start often or go far.
    private void texts() {
        List<String> shapes = List.of(repeated("1,"), repeated("a=("), repeated(" ") + "x", "9".repeat(size),
                repeated("a.b:") + "!", repeated("/a b"), repeated("Σ"), repeated("İ"), "a=" + repeated("x\""));
        Map<String, Consumer<String>> parsers = new LinkedHashMap<>();
        parsers.put("sweep of loads", text -> Sweep.parse("concurrency=" + text));
        parsers.put("sweep of a field", text -> Sweep.parse("prompt_tokens=" + text));
        parsers.put("search", text -> LoadSweep.grid("rate=1.." + text));
        parsers.put("objective", text -> ServiceObjective.parse("ttft=" + text));
        parsers.put("precision", text -> PrecisionTarget.parse("ttft_p50=" + text));
        parsers.put("margin", text -> Margin.parse("ttft_p50=" + text));
        parsers.put("selection", text -> Selection.parse("naive:" + text));
        parsers.put("name expression", NameExpression::parse);
        parsers.put("log pattern", LogPattern::parse);
        parsers.put("ssh host", SshHost::parse);
        parsers.put("request filter", text -> new Conditions("ttft > " + text));
        parsers.put("anonymizer", text -> new TextAnonymizer(List.of("worker-7")).of(text));
        parsers.put("unknown name", text -> NearMisses.sentence("key", text, List.of("engines", text + "x")));
        parsers.put("amount of bytes", QuantityText::parseBytes);
        parsers.put("step", StepSlices::parse);
        parsers.put("worker frame", text -> new WorkerProtocol().frame("{\"frame\":\"log\",\"level\":\"" + text));
        parsers.forEach((parser, parse) -> {
            for (int i = 0; i < shapes.size(); i++) {
                String shape = shapes.get(i);
                add(parser + " " + i, () -> parse.accept(shape));
            }
        });
    }

    private void yaml() {
        String head = "name: x\nengines: [tiny-fp8]\nschedulers: [naive]\nworkloads: [short]\nruns: 1\n";
        String values =
                String.join(",", java.util.stream.IntStream.range(0, size / 6).mapToObj(String::valueOf).toList());
        Map<String, String> texts = new LinkedHashMap<>();
        texts.put("sweep", head + "sweep: concurrency=" + values + "\n");
        texts.put("sweep of a field", head + "sweep: prompt_tokens=" + values + "\n");
        texts.put("open parentheses", head + "sweep: prompt_tokens=" + repeated("(,") + "\n");
        texts.put("lists in lists", "a: " + repeated("["));
        texts.put("mappings in mappings", repeated("{a: "));
        texts.put("sequences in a line", "a:\n " + repeated("- "));
        texts.put("keys", repeated("a: 1\n"));
        texts.put("long key", "a".repeat(size) + ": 1\n");
        texts.put("quote", "a: \"" + repeated("\\n"));
        texts.put("complex keys", repeated("? "));
        texts.put("anchors", "a: &a [1,1,1,1,1,1,1,1]\nb: &b [*a,*a,*a,*a,*a,*a,*a]\nc: &c [*b,*b,*b,*b,*b,*b]\n"
                + "d: &d [*c,*c,*c,*c,*c,*c,*c]\ne: &e [*d,*d,*d,*d,*d,*d,*d]\nf: [*e,*e,*e,*e,*e,*e]\n");
        texts.put("sigmas", head + "? " + repeated("Σ") + "\n: [" + repeated("Σ") + "]\n");
        texts.put("number", "runs: 1e999999999\n");
        texts.put("digits", "runs: " + "9".repeat(size) + "\n");
        texts.put("distinct keys", numbered(index -> "key" + index + ": 1\n"));
        texts.put("unknown workloads", head.replace("[short]", "[" + numbered(index -> "chatbot" + index + ",") + "]"));
        texts.put("sizes", head + "kv_memory: [" + repeated("a,") + "]\n");
        texts.put("sweeps", head + "sweep: [" + numbered(index -> "backend.f" + index + "=1,") + "]\n");
        IntFunction<String> option = index -> ",f" + index + "=1";
        texts.put("options", head.replace("[naive]", "[\"naive:a=1" + numbered(option) + "\"]"));
        String sweeps = "sweep: [" + numbered(size / 50, index -> "scheduler.f" + index + "=1,") + "]\n";
        texts.put("schedulers and sweeps",
                head.replace("[naive]", "[" + numbered(size * 9 / 10, index -> "naive:a=" + index + ",") + "]")
                        + sweeps);
        texts.put("options and sweeps", head.replace("[naive]",
                "[" + numbered(size * 9 / 10, index -> "\"naive:z=" + index + numbered(1_200, option) + "\",") + "]")
                + sweeps);
        texts.put("workloads", head.replace("[short]", "[" + "short,".repeat(size / 6) + "short]"));
        texts.forEach((name, text) -> file("experiment " + name, "e.yaml", text, each -> new SpecReader().read(each)));
        for (String name : List.of("lists in lists", "keys", "long key")) {
            file("recipe " + name, "recipe.yaml", texts.get(name), RecipeReader::read);
        }
        file("suite escapes", "config.yaml", "a: \"" + repeated("\\_\\q\n"),
                each -> new Suite(each.getParent()).files());
        file("environment", ".env", repeated("A=1\n"), each -> EnvFile.read(each.getParent()));
    }

    private void json() {
        Map<String, String> texts = new LinkedHashMap<>();
        texts.put("lists in lists", "{\"start_times\": " + repeated("["));
        texts.put("objects in objects", repeated("{\"a\":"));
        texts.put("digits", "{\"hidden_size\": " + "9".repeat(size) + "}");
        texts.put("exponent", "{\"hidden_size\": 1e999999999, \"start_times\": [1e999999999]}");
        texts.put("names", "{" + repeated("\"a\":1,") + "\"b\":1}");
        texts.put("text", "{\"model_type\": \"" + repeated("\\u0000"));
        texts.forEach((name, text) -> {
            file("checkpoint " + name, "config.json", text, each -> Checkpoint.open(each.getParent()).close());
            file("chat file " + name, ChatFormat.FILE.name(), text, each -> ChatFormat.FILE.read(each.getParent()));
            file("notes " + name, "notes.json", text, each -> ResultNotes.read(each.getParent()));
            file("self-check " + name, "self-check.json", text, each -> new SelfCheckFile(each.getParent()).last());
            file("import " + name, "x.json", text, this::imported);
            file("trace " + name, "t.jsonl", text, this::traced);
            file("prompts " + name, "p.jsonl", text, each -> new PromptFile().read(each));
        });
    }

    private void imported(Path file) throws IOException {
        new Importer(file.resolveSibling("results")).read(file, Optional.empty(), Instant.EPOCH);
    }

    private void traced(Path file) throws Exception {
        WorkloadSpec base = new WorkloadPresets().find("short");
        WorkloadExtent.of(base.withRefinements(base.refinements().withTrace(TraceReplay.parse(file.toString()))));
    }

    private void rows() {
        Map<String, String> texts = new LinkedHashMap<>();
        texts.put("quotes", "n_prompt,n_gen,avg_ts\n" + repeated("\"\"") + "\n");
        texts.put("columns", repeated("a,") + "\n" + repeated("1,"));
        texts.put("rows", "n_prompt,n_gen,avg_ts\n" + repeated("1,1,1\n"));
        texts.put("sigmas", "n_prompt,n_gen,avg_ts," + repeated("Σ") + "\n1,1,1,1\n");
        texts.put("bars", "| model | test | t/s |\n" + repeated("|"));
        texts.put("blanks", repeated(" ") + "\n" + repeated("\t"));
        texts.forEach((name, text) -> {
            file("import of rows, " + name, "x.csv", text, this::imported);
            file("trace of rows, " + name, "t.csv",
                    text.replace("n_prompt,n_gen,avg_ts", "TIMESTAMP,ContextTokens,GeneratedTokens"), this::traced);
            file("log " + name, "log.txt", text, each -> LogMetrics.read(each, "bench"));
        });
    }

    private void templates() {
        List<String> texts = new ArrayList<>(List.of(
                "{% set ns=namespace(l=[]) %}{% for i in range(2600) %}{% set ns.l=ns.l+[range(100000)] %}{% endfor %}",
                "{% set ns=namespace(s='ab') %}{% for i in range(18) %}{% set ns.s=ns.s~ns.s %}{% endfor %}"
                        + "{% set ns.l=[ns.s] %}{% for i in range(16) %}{% set ns.l=ns.l+ns.l %}{% endfor %}"
                        + "{{ ns.l|map('upper')|list|length }}"));
        String text = "{% set ns=namespace(s='a') %}{% for i in range(19) %}{% set ns.s=ns.s~ns.s %}{% endfor %}";
        String list = text + "{% set ns.l=[ns.s] %}{% for i in range(16) %}{% set ns.l=ns.l+ns.l %}{% endfor %}";
        for (String use : List.of("map('length')|list", "sort", "unique", "join", "select('eq', ns.s)", "tojson",
                "map('trim', ns.s)|list")) {
            texts.add(list + "{{ ns.l|" + use + " }}");
        }
        for (String use : List.of("(ns.s ~ 'b') in ns.s ~ ns.s", "ns.s.find(ns.s[1:] ~ 'b')", "ns.s.count(ns.s[9:])",
                "ns.s.replace('a', ns.s)", "ns.s.split('a')", "ns.s|list|list", "ns.s.strip(ns.s)",
                "ns.s.startswith([ns.s, ns.s])", "ns.s|indent(64)")) {
            texts.add(text + "{% for i in range(90000) %}{{ " + use + " }}{% endfor %}");
        }
        texts.add("{% set ns=namespace(l=[]) %}{% for i in range(90000) %}{% set ns.l=[ns.l, loop] %}{% endfor %}");
        texts.add("{% macro m(n) %}" + "x".repeat(100_000)
                + "{% if n %}{{ m(n - 1) }}{% endif %}{% endmacro %}{{ m(90) }}");
        String chains = "{% set a=namespace(x=1,y=1) %}{% set b=namespace(x=1,y=1) %}"
                + "{% set a=namespace(x=a,y=a) %}{% set b=namespace(x=b,y=b) %}".repeat(40);
        texts.add(chains + "{{ [a] == [b] }}");
        texts.add("{% set n=namespace(l=[]) %}{% for i in range(2500) %}{% set n.l=[n.l] %}{% endfor %}"
                + "{{ n.l|tojson(indent=64) }}");
        for (String use : List.of("m[k]", "m.get(k)", "k in m", "m == {k: 1}")) {
            texts.add(text + "{% set m={ns.s: 1} %}{% set k=ns.s[0:1] ~ ns.s[1:] %}{% for i in range(90000) %}{% set z="
                    + use + " %}{% endfor %}");
        }
        for (String use : List.of("l|sort", "l|tojson", "l|unique", "l|string", "l == l + []")) {
            texts.add(
                    "{% set ns=namespace(l=[0.5, '', 7]) %}{% for i in range(13) %}{% set ns.l=ns.l+ns.l %}{% endfor %}"
                            + "{% set l=ns.l %}{% for i in range(90000) %}{% set z=" + use + " %}{% endfor %}");
        }
        texts.add("{% set s='" + repeated("Σ") + "' %}{{ s|lower }}{{ s.lower() }}{{ s|capitalize }}");
        texts.add("{% set s='" + repeated("ŉ") + "' %}{{ s|upper }}{{ s.upper() }}");
        for (String letter : List.of("İ", "ΐ")) {
            texts.add("{% set s='" + letter.repeat(size / 3)
                    + "' %}{% for i in range(90000) %}{% set z=s|upper %}{% endfor %}");
        }
        texts.add("{{ strftime_now('" + repeated("%Y") + "') }}");
        texts.add("{{ '" + repeated("\\n") + "' }}");
        texts.add("{{ " + repeated("(") + " }}");
        texts.add(repeated("{{"));
        for (int i = 0; i < texts.size(); i++) {
            String template = texts.get(i);
            add("template " + i, () -> Template.parse(template).render(Map.of(), LocalDateTime.MIN.withYear(2026)));
        }
    }

    private void binaries() {
        file("gguf lists of bytes", "m.gguf", gguf(0, lists(24, 0, size)), each -> GgufFile.open(each).close());
        file("gguf lists of texts", "m.gguf", gguf(0, lists(24, 8, size / 8)), each -> GgufFile.open(each).close());
        file("gguf lists in lists", "m.gguf", gguf(0, lists(1, 9, 1)), each -> GgufFile.open(each).close());
        ByteBuffer tensor = little(64).putLong(1).put((byte) 't').putInt(2).putLong(Integer.MAX_VALUE)
                .putLong(Integer.MAX_VALUE).putInt(0).putLong(0);
        file("gguf sizes", "m.gguf", gguf(1, List.of(tensor.flip())), each -> GgufFile.open(each).close());
        for (String header : List.of(
                "{\"t\":{\"dtype\":\"F32\",\"shape\":[9223372036854775807,2147483647],\"data_offsets\":[0,0]}}",
                "{\"t\":{\"dtype\":\"F32\",\"shape\":[" + repeated("1,") + "1],\"data_offsets\":[0,4]}}",
                "{\"t\":" + repeated("["), "{" + repeated("\"a\":1,") + "\"b\":1}")) {
            byte[] text = header.getBytes(StandardCharsets.UTF_8);
            byte[] all = little(8 + text.length).putLong(text.length).put(text).array();
            file("safetensors " + header.substring(0, Math.min(40, header.length())) + header.length(), "w.safetensors",
                    all, each -> SafetensorsFile.open(each).close());
        }
    }

    private static ByteBuffer little(int bytes) {
        return ByteBuffer.allocate(bytes).order(ByteOrder.LITTLE_ENDIAN);
    }

    /// Values of a header that are lists of zeros.
    private static List<ByteBuffer> lists(int lists, int type, int items) {
        List<ByteBuffer> values = new ArrayList<>();
        for (int i = 0; i < lists; i++) {
            ByteBuffer value = little(26 + items * (type == 8 ? 8 : 1)).putLong(2).putShort((short) (0x6161 + i))
                    .putInt(9).putInt(type).putLong(items);
            values.add(value.rewind());
        }
        return values;
    }

    private static byte[] gguf(int tensors, List<ByteBuffer> parts) {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        all.writeBytes(little(24).put("GGUF".getBytes(StandardCharsets.US_ASCII)).putInt(3).putLong(tensors)
                .putLong(tensors == 0 ? parts.size() : 0).array());
        parts.forEach(part -> {
            byte[] bytes = new byte[part.remaining()];
            part.get(bytes);
            all.writeBytes(bytes);
        });
        all.writeBytes(new byte[64]);
        return all.toByteArray();
    }
}
