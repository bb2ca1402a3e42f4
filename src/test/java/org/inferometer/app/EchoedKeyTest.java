package org.inferometer.app;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.inferometer.cli.Terminal;
import org.inferometer.cli.program.Cli;
import org.inferometer.units.EnvironmentVariables;
import org.inferometer.units.SecretDisguises;
import org.inferometer.units.SecretMask;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// A server echoes the key in every form at every place: no record, output, answer, report, shared copy and bundle holds it.
@Execution(ExecutionMode.CONCURRENT)
@Timeout(300)
class EchoedKeyTest {
    private static final String KEY = "sk-Ab3/Xy9+Q~z7Lm0&pR5";
    private static final List<String> SPELLINGS = spellings();
    private static final String REVERSED = new StringBuilder(KEY).reverse().toString();
    private static final int PLACES = 7;

    @TempDir
    Path workspace;

    /// The command line with workers of its own lock. Arguments: the workspace, then commands, divided by `;`.
    static final class CommandLine {
        private CommandLine() {}

        /// A process that runs one command.
        static List<String> command(Path workspace, List<String> words) {
            List<String> command = FastJava.program(CommandLine.class);
            command.add(workspace.toString());
            command.addAll(words);
            return command;
        }

        public static void main(String[] arguments) {
            Path folder = Path.of(arguments[0]);
            List<List<String>> commands = new ArrayList<>(List.of(new ArrayList<>()));
            for (String word : List.of(arguments).subList(1, arguments.length)) {
                if (word.equals(";")) {
                    commands.add(new ArrayList<>());
                } else {
                    commands.getLast().add(word);
                }
            }
            for (List<String> command : commands) {
                Cli cli = new Cli(
                        new CommandLineWiring(EnvironmentVariables.ofProcess(),
                                (folders, environment, plugins) -> new Program(folders, environment,
                                        HastyWorker.in(folder, environment))),
                        Terminal.ofProcess(EnvironmentVariables.ofProcess()));
                command.addAll(0, List.of("--workspace", folder.toString()));
                cli.execute(command.toArray(String[]::new));
            }
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void noFileAndNoOutputHoldsTheKey(boolean inFile) throws Exception {
        Path variables = workspace.resolve(".env");
        if (inFile) {
            Files.writeString(variables, "THE_KEY='" + KEY + "'\nOTHER=another-secret\n");
            Files.setPosixFilePermissions(variables, PosixFilePermissions.fromString("rw-------"));
        }
        Map<String, String> environment = inFile ? Map.of() : Map.of("THE_KEY", KEY);
        AtomicInteger requests = new AtomicInteger();
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/v1/models", exchange -> reply(exchange, 200, "application/json",
                "{\"data\":[{\"id\":\"tiny-" + KEY + "\",\"owned_by\":\"" + REVERSED + "\"}]}"));
        server.createContext("/version",
                exchange -> reply(exchange, 200, "application/json", "{\"version\":\"" + REVERSED + "\"}"));
        server.createContext("/v1/completions", exchange -> answer(exchange, requests.getAndIncrement()));
        server.createContext("/metrics", exchange -> reply(exchange, 200, "text/plain",
                "vllm:num_requests_running{engine=\"" + KEY.substring(0, 16) + "\"} 1\n"));
        server.start();
        try {
            String url = "http://127.0.0.1:" + server.getAddress().getPort();
            int count = SPELLINGS.size() * PLACES;
            String output = run(environment, "run", "--target", "http:url=" + url + ",api_key_env=THE_KEY",
                    "--workload", "short", "--requests", Integer.toString(count), "--runs", "1", "--warmup", "1",
                    "--keep-text");
            assertThat(requests.get()).as(output).isGreaterThan(count);
            assertHidden("output", output);
            if (!inFile) {
                assertCopiesHideTheKey(environment);
            }
        } finally {
            server.stop(0);
        }
        Files.deleteIfExists(variables);
        assertHiddenBelow(workspace);
        try (Stream<Path> all = Files.walk(workspace)) {
            List<Path> paths = all.toList();
            Path manifest = paths.stream().filter(file -> file.endsWith("run.json")).findFirst().orElseThrow();
            assertThat(Files.readString(manifest)).containsPattern("\"variables\"\\s*:\\s*\\[\\s*\"THE_KEY\"\\s*]");
            Path rows = paths.stream().filter(file -> file.endsWith("requests.csv")).findFirst().orElseThrow();
            assertThat(Files.readAllLines(rows))
                    .filteredOn(row -> row.contains("***") || row.contains(SecretMask.LEFT_OUT))
                    .hasSizeGreaterThan(SPELLINGS.size() * (PLACES - 3));
        }
    }

    /// Reports, a shared copy and a bundle of the records as they are.
    private void assertCopiesHideTheKey(Map<String, String> environment) throws Exception {
        Path bundle = workspace.resolve("all.inferometer");
        List<String> commands = new ArrayList<>(List.of("report", "latest"));
        for (String format : List.of("html", "md", "csv", "json")) {
            commands.addAll(
                    List.of(";", "report", "latest", "--out", workspace.resolve("report." + format).toString()));
        }
        commands.addAll(List.of(";", "results", "share", "latest", "--out", workspace.resolve("shared").toString()));
        commands.addAll(List.of(";", "results", "bundle", "latest", "--exact", "--out", bundle.toString()));
        assertHidden("output", run(environment, commands.toArray(String[]::new)));
        try (FileSystem inside = FileSystems.newFileSystem(bundle)) {
            assertHiddenBelow(inside.getPath("/"));
        }
        assertThat(workspace.resolve("report.html")).exists();
        assertThat(workspace.resolve("shared")).isNotEmptyDirectory();
    }

    private static void assertHiddenBelow(Path folder) throws IOException {
        int files = 0;
        try (Stream<Path> all = Files.walk(folder)) {
            for (Path file : all.filter(Files::isRegularFile).filter(each -> !each.endsWith("all.inferometer"))
                    .toList()) {
                assertHidden(file.toString(), Files.readString(file, StandardCharsets.ISO_8859_1));
                assertHidden(file.toString(), new String(Files.readAllBytes(file), StandardCharsets.UTF_8));
                files++;
            }
        }
        assertThat(files).isGreaterThan(6);
    }

    private String run(Map<String, String> environment, String... arguments) throws Exception {
        ProcessBuilder builder =
                new ProcessBuilder(CommandLine.command(workspace, List.of(arguments))).redirectErrorStream(true);
        builder.environment().putAll(environment);
        Process process = builder.start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        return output;
    }

    private static void answer(HttpExchange exchange, int index) throws IOException {
        exchange.getRequestBody().readAllBytes();
        String spelling = SPELLINGS.get(index / PLACES % SPELLINGS.size());
        String quoted = "\"" + spelling.replace("\\", "\\\\").replace("\"", "\\\"").replace("\n", "\\n") + "\"";
        switch (index % PLACES) {
            case 0 -> reply(exchange, 400, "application/json", "{\"error\":{\"message\":" + quoted + "}}");
            case 1 -> reply(exchange, 200, "text/event-stream", event("{\"error\":" + quoted + "}"));
            case 2 -> {
                exchange.getResponseHeaders().set("Location", "/v1/" + spelling.replaceAll("[^!-~]", "."));
                reply(exchange, 307, "text/plain", "");
            }
            case 3 -> reply(exchange, 200, "text/event-stream", event("{\"broken\":" + "x".repeat(55) + spelling));
            case 4 -> reply(exchange, 200, "text/event-stream",
                    "data: {\"broken\":" + spelling.substring(0, 9) + "\ndata: " + spelling.substring(9) + "\n\n");
            case 5 -> {
                int half = quoted.length() / 2;
                reply(exchange, 200, "text/event-stream",
                        event("{\"choices\":[{\"text\":" + quoted.substring(0, half).replaceFirst("\\\\$", "")
                                + "\"}]}")
                                + event("{\"choices\":[{\"text\":\"" + quoted.substring(half)
                                        + ",\"finish_reason\":\"length\"}]}")
                                + event("[DONE]"));
            }
            default -> reply(exchange, 200, "text/event-stream",
                    event("{\"choices\":[{\"text\":\" a\",\"finish_reason\":\"length\"}]}") + event("[DONE]"));
        }
    }

    private static String event(String data) {
        return "data: " + data + "\n\n";
    }

    private static void reply(HttpExchange exchange, int status, String type, String body) throws IOException {
        byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
        exchange.getResponseHeaders().set("Content-Type", type);
        exchange.sendResponseHeaders(status, bytes.length == 0 ? -1 : bytes.length);
        try (OutputStream out = exchange.getResponseBody()) {
            out.write(bytes);
        }
    }

    private static List<String> spellings() {
        String url = URLEncoder.encode(KEY, StandardCharsets.UTF_8);
        List<String> all = new ArrayList<>(new SecretDisguises(43).single(KEY).values());
        // Some places break a text after nine characters, and so inside a number of four or five digits.
        all.removeIf(form -> form.matches("[0-9]+") && form.length() > 3 * KEY.length());
        all.addAll(
                List.of(KEY, KEY.toUpperCase(Locale.ROOT), KEY.toLowerCase(Locale.ROOT), url,
                        url.toLowerCase(Locale.ROOT), KEY.replace("/", "\\/"), KEY.chars()
                                .mapToObj(c -> String.format(Locale.ROOT, "\\u%04x", c)).collect(Collectors.joining()),
                        base64(KEY), base64("Bearer " + KEY), base64("user:" + KEY)));
        return all;
    }

    private static String base64(String text) {
        return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.US_ASCII));
    }

    private static void assertHidden(String where, String text) {
        String lower = text.toLowerCase(Locale.ROOT);
        for (String spelling : SPELLINGS) {
            String part = spelling.toLowerCase(Locale.ROOT);
            // Half of a key in a text is promised: a letter takes up to five digits.
            int shown = part.chars().allMatch(Character::isDigit) ? part.length() / 2 : 14;
            for (int i = 0; i + shown <= part.length(); i += 4) {
                assertThat(lower.contains(part.substring(i, i + shown)))
                        .as("%s holds a part of %s: %s", where, spelling, part.substring(i, i + shown)).isFalse();
            }
        }
    }
}
