package org.inferometer.target.http;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.inferometer.target.TargetException;

/// An echo server in a process of its own, which ends when its parent closes its input.
final class EchoProcess {
    private EchoProcess() {}

    /// @param arguments nanoseconds of a turn
    public static void main(String[] arguments) throws Exception {
        try (EchoServer server = EchoServer.start(Long.parseLong(arguments[0]))) {
            System.out.println(server.url());
            while (System.in.read() >= 0) {
                // Nothing is said; the end is what is waited for.
            }
        }
    }

    static HttpCeiling.EchoServers servers(long turnNanos) {
        return () -> {
            try {
                Process process =
                        new ProcessBuilder(List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                                "-Xmx1g", "-cp", System.getProperty("java.class.path"), EchoProcess.class.getName(),
                                Long.toString(turnNanos))).redirectError(ProcessBuilder.Redirect.DISCARD).start();
                String url = new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))
                        .readLine();
                return new Running(process, String.valueOf(url));
            } catch (IOException e) {
                throw new TargetException("The echo server's process does not start.", e);
            }
        };
    }

    private record Running(Process process, String url) implements HttpCeiling.EchoServers.RunningServer {
        @Override
        public void close() {
            process.destroy();
        }
    }
}
