package org.inferometer.suite.launch;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.inferometer.results.ManifestJson;
import org.inferometer.suite.launch.Placement.Server;
import org.inferometer.suite.serving.Benchmark.Mode;
import org.inferometer.suite.serving.TestConfiguration.Disaggregated;
import org.inferometer.units.CommandWords;
import org.inferometer.units.EnvironmentVariables;
import org.inferometer.units.FileName;
import org.inferometer.units.ShellWord;
import org.inferometer.yaml.YamlWriter;

/// What the launch of a test consists of: files, the job, and the load. Nothing is executed.
///
/// @param overrides the configuration as it is used
/// @param files by name, in the order in which they are read
/// @param sbatch words before the script; `--segment` may be unknown to an older Slurm
/// @param script of the job; empty if the configuration names none
/// @param arguments of the script
/// @param client one command of this program's client for each concurrency
/// @param findings why the job would be refused or differ, one sentence each
/// @param obstacles those of the findings that keep the servers from starting, whatever script the job has
public record TrtllmLaunch(Overrides overrides, Placement placement, Map<String, String> files, List<String> sbatch,
        String script, List<String> arguments, List<List<String>> client, List<String> findings,
        List<String> obstacles) {
    /// Starts the servers in a job and serves on the port that is its argument.
    public static final String START = "start_servers.sh";

    private static final String MODEL_PATH = "environment.model_path";
    private static final String CONTAINER = "environment.container_image";
    private static final String EXTRA = "slurm.extra_args";
    private static final Set<String> OF_SERVERS = Set.of(MODEL_PATH, CONTAINER, "environment.container_mount", EXTRA);
    private static final String STANDARD_JOB_NAME = "unified-benchmark";
    private static final int SERVING_PORT = 8333;

    /// The launch of a test.
    ///
    /// @param stem name of its file without ending
    /// @throws IllegalArgumentException in one sentence if its servers cannot be placed
    public static TrtllmLaunch of(Disaggregated test, String stem, EnvironmentVariables environment) {
        Overrides overrides = Overrides.of(test, environment);
        Placement placement = Placement.of(test);
        List<String> obstacles = obstacles(overrides, placement);
        List<String> findings = new ArrayList<>(obstacles);
        overrides.placeholders().stream().filter(field -> !OF_SERVERS.contains(field))
                .forEach(field -> findings.add(placeholder(field)));
        String script = overrides.text("slurm.script_file");
        if (script.isEmpty()) {
            findings.add("slurm.script_file is missing: the job has no script.");
        }
        test.benchmark().mode().filter(mode -> mode == Mode.CTX_ONLY).ifPresent(mode -> findings.add("The mode "
                + mode.word() + " is passed to the script; its servers are started as for " + Mode.E2E.word() + "."));
        return new TrtllmLaunch(overrides, placement, files(test, stem, overrides, placement),
                sbatch(overrides, placement), script, arguments(test, overrides), client(test, overrides),
                List.copyOf(findings), obstacles);
    }

    private static List<String> obstacles(Overrides overrides, Placement placement) {
        List<String> obstacles = new ArrayList<>();
        overrides.placeholders().stream().filter(OF_SERVERS::contains)
                .forEach(field -> obstacles.add(placeholder(field)));
        if (overrides.text(MODEL_PATH).isEmpty()) {
            obstacles.add(MODEL_PATH + " is missing: the servers have no model.");
        }
        placement.servers().stream().filter(Server::isUneven)
                .forEach(server -> obstacles.add("Server " + server.kind() + " " + server.index()
                        + " has different numbers of GPUs on its nodes. Give gpus_per_node a divisor of"
                        + " its GPUs, or a multiple."));
        return List.copyOf(obstacles);
    }

    private static String placeholder(String field) {
        return field + " is still a placeholder. Set its variable, or write it in the file.";
    }

    /// The model's name in the servers' API: trtllm-serve lists a folder by its last name.
    public String model() {
        String path = overrides.text(MODEL_PATH);
        return path.startsWith("/") ? FileName.last(path) : path;
    }

    /// Whether the servers run in a container, which needs Slurm's plugin for containers.
    public boolean hasContainer() {
        return !overrides.text(CONTAINER).isEmpty();
    }

    /// The options of `sbatch` that the configuration adds.
    public String extraArguments() {
        return overrides.text(EXTRA);
    }

    /// Whether the job's nodes must be one segment of the network.
    public boolean inOneSegment() {
        return overrides.text("slurm.set_segment").equals("true");
    }

    private static Map<String, String> files(Disaggregated test, String stem, Overrides overrides,
            Placement placement) {
        Map<String, String> files = new LinkedHashMap<>();
        files.put(stem + "-temp.yaml", YamlWriter.typed(overrides.values()));
        files.put("gen_config.yaml", YamlWriter.typed(test.generation().section().values()));
        files.put("ctx_config.yaml", YamlWriter.typed(test.context().section().values()));
        files.put(ServerCommands.SERVING, YamlWriter.typed(serverConfig(placement)));
        files.put(ServerCommands.ALLOCATIONS,
                new String(ManifestJson.bytes(placement.allocations()), StandardCharsets.UTF_8) + "\n");
        ServerCommands commands = new ServerCommands(overrides, placement);
        files.put(ServerCommands.WORKERS, commands.workers());
        files.put(START, commands.script());
        return files;
    }

    /// The configuration of `trtllm-serve disaggregated`.
    private static Map<String, Object> serverConfig(Placement placement) {
        Map<String, Object> config = new LinkedHashMap<>();
        config.put("hostname", Placement.nodeName(0));
        config.put("port", SERVING_PORT);
        config.put("backend", "pytorch");
        for (String kind : List.of("CTX", "GEN")) {
            List<String> urls = placement.servers().stream().filter(server -> server.kind().equals(kind))
                    .map(server -> Placement.nodeName(server.firstNode()) + ":" + server.port()).toList();
            Map<String, Object> servers = new LinkedHashMap<>();
            servers.put("num_instances", urls.size());
            servers.put("urls", urls);
            config.put(kind.equals("CTX") ? "context_servers" : "generation_servers", servers);
        }
        return config;
    }

    private static List<String> sbatch(Overrides overrides, Placement placement) {
        List<String> words = new ArrayList<>();
        option(words, "--partition=", overrides.text("slurm.partition"));
        option(words, "--account=", overrides.text("slurm.account"));
        option(words, "--time=", overrides.text("slurm.job_time"));
        String name = overrides.text("slurm.job_name");
        words.add("--job-name=" + (name.isEmpty() ? STANDARD_JOB_NAME : name));
        words.add("--nodes=" + placement.nodes());
        words.add("--ntasks=" + placement.tasks());
        words.add("--ntasks-per-node=" + placement.gpusPerNode());
        if (overrides.text("slurm.set_segment").equals("true")) {
            words.add("--segment=" + placement.nodes());
        }
        words.addAll(List.of("--output=slurm-%j.out", "--error=slurm-%j.err"));
        try {
            words.addAll(CommandWords.of(overrides.text("slurm.extra_args").strip()));
        } catch (IllegalArgumentException e) {
            words.add(overrides.text("slurm.extra_args"));
        }
        return List.copyOf(words);
    }

    private static List<String> arguments(Disaggregated test, Overrides overrides) {
        List<String> words = new ArrayList<>(List.of("--num-ctx-servers", String.valueOf(test.contextServers()),
                "--num-gen-servers", String.valueOf(test.generationServers())));
        pair(words, "--isl", test.benchmark().inputLength());
        pair(words, "--osl", test.benchmark().outputLength());
        pair(words, "--multi-round", test.benchmark().rounds());
        pair(words, "--benchmark-ratio", test.benchmark().ratio());
        words.addAll(List.of("--streaming", String.valueOf(test.benchmark().streaming())));
        for (String flag : List.of("use_nv_sa_benchmark", "dataset_file", "mode")) {
            String value = overrides.text("benchmark." + flag);
            if (!value.isEmpty()) {
                words.addAll(List.of("--" + flag.replace('_', '-'), value));
            }
        }
        words.addAll(List.of("--model-path", overrides.text(MODEL_PATH)));
        return words;
    }

    /// The same loads by this program's client, for figures that can be compared.
    private static List<List<String>> client(Disaggregated test, Overrides overrides) {
        int servers = Math.max(1, test.generationServers());
        List<List<String>> commands = new ArrayList<>();
        for (int concurrency : test.benchmark().concurrencies()) {
            long inFlight = (long) concurrency * servers;
            commands.add(List.of("inferometer", "run", "--target",
                    "http:url=http://" + Placement.nodeName(0) + ":" + SERVING_PORT + ",model="
                            + overrides.text("metadata.model_name"),
                    "--workload", "short", "--concurrency", String.valueOf(inFlight), "--requests",
                    String.valueOf(inFlight * test.benchmark().rounds().orElse(1)), "--prompt-tokens",
                    String.valueOf(test.benchmark().inputLength().orElse(0)), "--output-tokens",
                    String.valueOf(test.benchmark().outputLength().orElse(0)), "--runs", "1"));
        }
        return commands;
    }

    private static void pair(List<String> words, String option, Optional<? extends Number> value) {
        value.ifPresent(number -> words.addAll(List.of(option, number.toString())));
    }

    private static void option(List<String> words, String option, String value) {
        if (!value.isEmpty()) {
            words.add(option + value);
        }
    }

    /// Every file and command, to read and to copy.
    public String text() {
        StringBuilder text = new StringBuilder();
        overrides.origins()
                .forEach(origin -> text.append("# ").append(origin.field()).append(": ")
                        .append(origin.before().isEmpty() ? "nothing" : origin.before()).append(" becomes ")
                        .append(origin.after().isEmpty() ? "nothing" : origin.after()).append(" (")
                        .append(origin.origin()).append(")\n"));
        findings.forEach(finding -> text.append("# ").append(finding).append('\n'));
        files.forEach((name, content) -> text.append("\ncat > ").append(ShellWord.quoted(name)).append(" <<'")
                .append(end(content)).append("'\n").append(content).append(end(content)).append('\n'));
        List<String> call = new ArrayList<>(List.of("sbatch"));
        call.addAll(sbatch);
        call.add(script.isEmpty() ? "<script>" : script);
        call.addAll(arguments);
        text.append('\n').append(ShellWord.line(call)).append("\n\n# The load, by Inferometer's client:\n");
        client.forEach(command -> text.append(ShellWord.line(command)).append('\n'));
        return text.toString();
    }

    /// A word that is no line of a text.
    private static String end(String content) {
        String word = "END";
        while (("\n" + content).contains("\n" + word + "\n")) {
            word += "_";
        }
        return word;
    }
}
