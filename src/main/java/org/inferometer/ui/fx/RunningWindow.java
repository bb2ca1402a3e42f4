package org.inferometer.ui.fx;

import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/// The one window of a workspace: a second start hands its file to it through a Unix domain socket in a folder of the user alone.
///
/// A message is "show" or "open" with a path; whatever sends it, the path is read like any other file. The caller closes it.
public final class RunningWindow implements OpenRequests, AutoCloseable {
    private static final int MOST_BYTES = 8192;
    private static final long ANSWER_SECONDS = 3;
    private static final int HASH_BYTES = 8;
    private static final String OPEN = "open ";
    private static final String SHOW = "show";

    private final Path socket;
    private final ServerSocketChannel server;

    private RunningWindow(Path socket, ServerSocketChannel server) {
        this.socket = socket;
        this.server = server;
    }

    /// Asks the window of a workspace to come to the front, and to open the file.
    ///
    /// @param folder where windows listen
    /// @return whether one did
    public static boolean shows(Path folder, Path workspace, Optional<Path> file) {
        Path socket = socket(folder, workspace);
        if (!Files.exists(socket)) {
            return false;
        }
        String message = file.map(path -> OPEN + path.toAbsolutePath().normalize()).orElse(SHOW) + "\n";
        byte[] bytes = message.getBytes(StandardCharsets.UTF_8);
        if (bytes.length > MOST_BYTES) {
            return false;
        }
        try (SocketChannel channel = SocketChannel.open(StandardProtocolFamily.UNIX)) {
            channel.connect(UnixDomainSocketAddress.of(socket));
            closeLater(channel);
            channel.write(ByteBuffer.wrap(bytes));
            return line(channel).filter("ok"::equals).isPresent();
        } catch (IOException | UnsupportedOperationException e) {
            // A window that was killed leaves its socket.
            return false;
        }
    }

    /// Becomes the window of a workspace; empty where the system has no such sockets, or another window is it.
    public static Optional<RunningWindow> claim(Path folder, Path workspace) {
        Path socket = socket(folder, workspace);
        try {
            Files.createDirectories(folder);
            if (Files.getFileStore(folder).supportsFileAttributeView("posix")) {
                Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwx------"));
            }
            if (Files.exists(socket)) {
                if (shows(folder, workspace, Optional.empty())) {
                    return Optional.empty();
                }
                Files.delete(socket);
            }
            ServerSocketChannel server = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
            server.bind(UnixDomainSocketAddress.of(socket));
            return Optional.of(new RunningWindow(socket, server));
        } catch (IOException | UnsupportedOperationException e) {
            System.getLogger(RunningWindow.class.getName()).log(System.Logger.Level.DEBUG,
                    "A second start opens a second window", e);
            return Optional.empty();
        }
    }

    /// One socket a workspace. Its name is short: the system limits the path.
    private static Path socket(Path folder, Path workspace) {
        try {
            byte[] hash = MessageDigest.getInstance("SHA-256")
                    .digest(workspace.toAbsolutePath().normalize().toString().getBytes(StandardCharsets.UTF_8));
            return folder.resolve(HexFormat.of().formatHex(hash, 0, HASH_BYTES));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("Every Java has SHA-256", e);
        }
    }

    @Override
    public void listen(Consumer<Optional<Path>> asked) {
        Thread.ofPlatform().name("window-requests").daemon().start(() -> {
            while (server.isOpen()) {
                try (SocketChannel channel = server.accept()) {
                    closeLater(channel);
                    Optional<Path> file = answered(channel);
                    asked.accept(file);
                } catch (IOException | IllegalArgumentException e) {
                    // Also when the window closes, or a caller took too long.
                    System.getLogger(RunningWindow.class.getName()).log(System.Logger.Level.DEBUG,
                            "A request was refused", e);
                }
            }
        });
    }

    /// @throws IllegalArgumentException if it is no request
    private static Optional<Path> answered(SocketChannel channel) throws IOException {
        String message = line(channel).orElseThrow(() -> new IllegalArgumentException("no line"));
        Optional<Path> file = Optional.empty();
        if (message.startsWith(OPEN)) {
            Path path = Path.of(message.substring(OPEN.length()));
            if (!path.isAbsolute()) {
                throw new IllegalArgumentException("no absolute path");
            }
            file = Optional.of(path);
        } else if (!message.equals(SHOW)) {
            throw new IllegalArgumentException("no request");
        }
        channel.write(ByteBuffer.wrap("ok\n".getBytes(StandardCharsets.UTF_8)));
        return file;
    }

    /// The first line; empty if it is too long or not ended.
    private static Optional<String> line(SocketChannel channel) throws IOException {
        ByteBuffer bytes = ByteBuffer.allocate(MOST_BYTES);
        while (bytes.hasRemaining() && channel.read(bytes) >= 0) {
            for (int i = 0; i < bytes.position(); i++) {
                if (bytes.get(i) == '\n') {
                    return Optional.of(new String(bytes.array(), 0, i, StandardCharsets.UTF_8));
                }
            }
        }
        return Optional.empty();
    }

    /// Ends a connection that says nothing.
    private static void closeLater(SocketChannel channel) {
        CompletableFuture.delayedExecutor(ANSWER_SECONDS, TimeUnit.SECONDS).execute(() -> {
            try {
                channel.close();
            } catch (IOException e) {
                System.getLogger(RunningWindow.class.getName()).log(System.Logger.Level.DEBUG, "Not closed", e);
            }
        });
    }

    @Override
    public void close() {
        try {
            server.close();
            Files.deleteIfExists(socket);
        } catch (IOException e) {
            System.getLogger(RunningWindow.class.getName()).log(System.Logger.Level.DEBUG, "The socket stays", e);
        }
    }
}
