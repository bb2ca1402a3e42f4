package org.inferometer.run.server;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import sun.misc.Signal;

/// A server with an OpenAI-compatible API in a process of its own, which misbehaves as its first argument says.
///
/// Arguments: a behaviour, the port, and anything else, which it prints.
public final class StandInServer {
    private static final Pattern ASKED = Pattern.compile("\"max_tokens\"\\s*:\\s*(\\d{1,4})");
    private static final int SLOW_PROBES = 4;

    private StandInServer() {}

    /// The command line of the stand-in, with the placeholder of the port.
    public static List<String> command(String behaviour) {
        return List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1", "-Xmx64m", "-cp", classes().toString(), StandInServer.class.getName(),
                behaviour, "{port}");
    }

    private static Path classes() {
        try {
            return Path.of(StandInServer.class.getProtectionDomain().getCodeSource().getLocation().toURI());
        } catch (java.net.URISyntaxException e) {
            throw new IllegalStateException(e);
        }
    }

    /// Serves until it is told to end.
    public static void main(String[] arguments) throws Exception {
        String behaviour = arguments[0];
        System.out.println("behaviour " + String.join(" ", arguments));
        switch (behaviour) {
            case "dies-loading" -> {
                System.out.println("Traceback (most recent call last):");
                System.out.println("  File \"serve.py\", line 7, in load");
                System.out.println("ValueError: the weights of layer 3 are missing");
                System.out.println("bye");
                System.exit(3);
            }
            case "deaf" -> {
                Signal.handle(new Signal("TERM"), signal -> System.out.println("not now"));
                Signal.handle(new Signal("INT"), signal -> System.out.println("not now"));
            }
            case "polite" -> Signal.handle(new Signal("INT"), signal -> Runtime.getRuntime().halt(0));
            // Leaves its session and loses its parent, as daemons do.
            case "daemon" -> new ProcessBuilder("sh", "-c", "setsid sh -c 'echo forked $$; exec sleep 600' &")
                    .inheritIO().start().waitFor();
            case "loses-children" ->
                new ProcessBuilder("sh", "-c", "for i in 1 2 3; do sh -c 'sleep 0 & echo forked $!' & done").inheritIO()
                        .start().waitFor();
            case "parent" -> System.out.println("child " + new ProcessBuilder("sleep", "600").start().pid());
            default -> {}
        }
        serve(behaviour, Integer.parseInt(arguments[1]));
    }

    private static void serve(String behaviour, int port) throws IOException {
        AtomicInteger probes = new AtomicInteger();
        AtomicInteger requests = new AtomicInteger();
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 64);
        server.setExecutor(Executors.newCachedThreadPool());
        server.createContext("/health", exchange -> {
            if (behaviour.equals("endless-page")) {
                exchange.sendResponseHeaders(200, 0);
                exchange.getResponseBody().write('x');
                exchange.getResponseBody().flush();
                return;
            }
            boolean loading =
                    behaviour.equals("never-ready") || behaviour.equals("ready-once") && probes.getAndIncrement() > 0
                            || behaviour.equals("slow") && probes.getAndIncrement() < SLOW_PROBES;
            reply(exchange, loading ? 503 : 200, "text/plain", loading ? "loading" : "ok");
        });
        server.createContext("/v1/models",
                exchange -> reply(exchange, 200, "application/json", "{\"data\":[{\"id\":\"stand-in\"}]}"));
        server.createContext("/metrics", exchange -> reply(exchange, 404, "text/plain", "none"));
        server.createContext("/v1/completions", exchange -> {
            if (behaviour.equals("dies-under-load") && requests.incrementAndGet() == 4) {
                System.out.println("INFO: 4 requests running");
                System.out.println("torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB.");
                System.out.flush();
                Runtime.getRuntime().halt(137);
            }
            answer(exchange);
        });
        server.start();
    }

    private static void answer(HttpExchange exchange) throws IOException {
        String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
        Matcher asked = ASKED.matcher(body);
        int tokens = asked.find() ? Integer.parseInt(asked.group(1)) : 1;
        exchange.getResponseHeaders().set("Content-Type", "text/event-stream");
        exchange.sendResponseHeaders(200, 0);
        try (OutputStream out = exchange.getResponseBody()) {
            for (int i = 1; i <= tokens; i++) {
                String end = i == tokens ? "\"length\"" : "null";
                out.write(("data: {\"choices\":[{\"index\":0,\"text\":\" a\",\"finish_reason\":" + end
                        + "}],\"usage\":{\"prompt_tokens\":1,\"completion_tokens\":" + i + "}}\n\n")
                        .getBytes(StandardCharsets.UTF_8));
                out.flush();
            }
            out.write("data: [DONE]\n\n".getBytes(StandardCharsets.UTF_8));
        }
    }

    private static void reply(HttpExchange exchange, int status, String type, String body) throws IOException {
        byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
        exchange.getResponseHeaders().set("Content-Type", type);
        exchange.sendResponseHeaders(status, bytes.length);
        try (OutputStream out = exchange.getResponseBody()) {
            out.write(bytes);
        }
    }
}
