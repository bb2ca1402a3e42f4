package org.inferometer.app;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.Writer;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/// An sshd on loopback with keys of its own, and the configuration of a client that knows it as `there`.
final class LocalSshd implements AutoCloseable {
    private static final String SSHD = "/usr/sbin/sshd";

    private final Process process;
    private final Path config;

    private LocalSshd(Process process, Path config) {
        this.process = process;
        this.config = config;
    }

    /// Why there can be none here; empty if there can.
    static Optional<String> lacking() {
        return Stream.of(SSHD, "/usr/bin/ssh", "/usr/bin/ssh-keygen").filter(tool -> !Files.isExecutable(Path.of(tool)))
                .findFirst().map(tool -> tool + " is not installed, so ssh is not tested.");
    }

    static LocalSshd in(Path folder) throws IOException, InterruptedException {
        try {
            // Where root starts it.
            Files.createDirectories(Path.of("/run/sshd"));
        } catch (AccessDeniedException e) {
            // It runs without for other users.
            Files.createDirectories(folder);
        }
        Path hostKey = key(folder.resolve("host key"));
        Path userKey = key(folder.resolve("user key"));
        int port;
        try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = free.getLocalPort();
        }
        Path server = Files.writeString(folder.resolve("sshd_config"), """
                ListenAddress 127.0.0.1:%d
                HostKey "%s"
                AuthorizedKeysFile "%s.pub"
                PidFile none
                StrictModes no
                UsePAM no
                PasswordAuthentication no
                PermitRootLogin yes
                """.formatted(port, hostKey, userKey));
        String publicKey = Files.readString(Path.of(hostKey + ".pub")).strip();
        Path known = Files.writeString(folder.resolve("known hosts"), "[127.0.0.1]:" + port + " " + publicKey + "\n");
        Path config = Files.writeString(folder.resolve("ssh config"), """
                Host there stranger
                    HostName 127.0.0.1
                    Port %d
                    User %s
                    IdentityFile "%s"
                    IdentitiesOnly yes
                    StrictHostKeyChecking yes
                Host there
                    UserKnownHostsFile "%s"
                Host stranger
                    UserKnownHostsFile /dev/null
                """.formatted(port, System.getProperty("user.name"), userKey, known));
        Process process =
                new ProcessBuilder(SSHD, "-D", "-e", "-f", server.toString()).redirectErrorStream(true).start();
        BufferedReader said =
                new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
        StringBuilder text = new StringBuilder();
        for (String line = said.readLine(); line != null; line = said.readLine()) {
            text.append(line).append('\n');
            if (line.contains("Server listening")) {
                Thread.ofPlatform().daemon().start(() -> drain(said));
                return new LocalSshd(process, config);
            }
        }
        throw new IOException("sshd did not start: " + text);
    }

    /// Reads what the server says until it ends. Its stream may be closed first.
    private static void drain(BufferedReader said) {
        try {
            said.transferTo(Writer.nullWriter());
        } catch (IOException e) {
            System.getLogger(LocalSshd.class.getName()).log(System.Logger.Level.DEBUG, "The server has ended", e);
        }
    }

    private static Path key(Path file) throws IOException, InterruptedException {
        Process made = new ProcessBuilder(
                List.of("/usr/bin/ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", file.toString()))
                .redirectErrorStream(true).start();
        String said = new String(made.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (made.waitFor() != 0) {
            throw new IOException("ssh-keygen failed: " + said);
        }
        return file;
    }

    /// The client's configuration.
    Path config() {
        return config;
    }

    /// The processes of all connections, and what runs in them.
    List<ProcessHandle> sessions() {
        return process.descendants().toList();
    }

    @Override
    public void close() throws InterruptedException {
        process.descendants().forEach(ProcessHandle::destroy);
        process.destroy();
        if (!process.waitFor(5, TimeUnit.SECONDS)) {
            process.destroyForcibly();
        }
    }
}
