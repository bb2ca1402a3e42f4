package org.inferometer.ui.fx;

import static org.assertj.core.api.Assertions.assertThat;

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
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(30)
class RunningWindowTest {
    @TempDir
    Path folder;

    private final BlockingQueue<Optional<Path>> asked = new LinkedBlockingQueue<>();

    private Path windows() {
        return folder.resolve("windows");
    }

    private Path workspace() {
        return folder.resolve("workspace");
    }

    private RunningWindow listening() {
        RunningWindow window = RunningWindow.claim(windows(), workspace()).orElseThrow();
        window.listen(asked::add);
        return window;
    }

    @Test
    void aSecondStartHandsItsFileOver() throws Exception {
        Path file = folder.resolve("a b\u00fc.inferometer");
        try (RunningWindow window = listening()) {
            assertThat(window).isNotNull();
            assertThat(RunningWindow.shows(windows(), workspace(), Optional.of(file))).isTrue();
            assertThat(RunningWindow.shows(windows(), workspace(), Optional.empty())).isTrue();
            assertThat(List.of(asked.take(), asked.take())).containsExactly(Optional.of(file), Optional.empty());
            assertThat(RunningWindow.shows(windows(), folder.resolve("another"), Optional.of(file))).isFalse();
            assertThat(RunningWindow.claim(windows(), workspace())).isEmpty();
        }
        assertThat(RunningWindow.shows(windows(), workspace(), Optional.of(file))).isFalse();
        try (Stream<Path> left = Files.list(windows())) {
            assertThat(left).isEmpty();
        }
    }

    @Test
    void aKilledWindowLeavesTheWayFree() throws Exception {
        try (RunningWindow window = listening()) {
            assertThat(window).isNotNull();
        }
        Path socket = socketOf();
        try (ServerSocketChannel killed = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
            killed.bind(UnixDomainSocketAddress.of(socket));
        }
        assertThat(socket).exists();
        assertThat(RunningWindow.shows(windows(), workspace(), Optional.empty())).isFalse();
        try (RunningWindow window = listening()) {
            assertThat(RunningWindow.shows(windows(), workspace(), Optional.empty())).isTrue();
            assertThat(window).isNotNull();
        }
    }

    @Test
    void onlyTheUserReachesTheFolder() throws IOException {
        try (RunningWindow window = listening()) {
            assertThat(window).isNotNull();
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(windows()))).isEqualTo("rwx------");
        }
    }

    @Test
    void otherMessagesOpenNothing() throws Exception {
        try (RunningWindow window = listening()) {
            assertThat(window).isNotNull();
            Path socket = socketOf();
            for (String message : List.of("open relative/path\n", "delete /\n", "open \0\n", "\n", "no end",
                    "open /" + "x".repeat(20_000) + "\n")) {
                try (SocketChannel channel = SocketChannel.open(UnixDomainSocketAddress.of(socket))) {
                    channel.write(ByteBuffer.wrap(message.getBytes(StandardCharsets.UTF_8)));
                    channel.shutdownOutput();
                    assertThat(channel.read(ByteBuffer.allocate(10))).as(message).isEqualTo(-1);
                } catch (IOException e) {
                    // The window closed first.
                    assertThat(e).hasMessageMatching("(?i).*(broken pipe|reset).*");
                }
            }
            assertThat(RunningWindow.shows(windows(), workspace(), Optional.empty())).isTrue();
            assertThat(asked.poll(5, TimeUnit.SECONDS)).isEqualTo(Optional.empty());
            assertThat(asked).isEmpty();
        }
    }

    private Path socketOf() throws IOException {
        try (RunningWindow window = RunningWindow.claim(folder.resolve("probe"), workspace()).orElseThrow();
                Stream<Path> sockets = Files.list(folder.resolve("probe"))) {
            assertThat(window).isNotNull();
            return windows().resolve(sockets.findFirst().orElseThrow().getFileName());
        }
    }
}
