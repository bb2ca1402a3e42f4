package org.inferometer.ui.shell;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.random.RandomGenerator;
import org.inferometer.experiment.Presets;
import org.inferometer.experiment.SpecReader;
import org.inferometer.results.bundle.SavedLook;
import org.inferometer.ui.fx.Settings;
import org.inferometer.ui.results.ListLook;
import org.inferometer.ui.results.ShownResults;
import org.inferometer.ui.shell.Session.SessionFile;
import org.inferometer.units.FolderTree;
import org.inferometer.units.Seed;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// The window's files after damage: the window starts, and what could not be read is kept.
///
/// `-Dinferometer.rounds=50` damages more.
@Timeout(600)
class DamagedSessionTest {
    private static final int ROUNDS = 45 * Integer.getInteger("inferometer.rounds", 1);
    private static final List<String> FILES = List.of("settings.properties", "session.json", "session.yaml");
    private static final List<String> PARTS =
            List.of("NaN", "1e9", "-1e308", "null", "[", "{", "}", "\"", "\\u0000", "\\uZZZZ", "\u202e", "\n",
                    "//host/share", "\\\\\\\\host\\\\share", "../../..", "/dev/zero", ": &a [*a, *a]", "!!java",
                    "a: *b", "Infinity", "99999999999999999999", "true", "\n- ", "\t", "%", "x".repeat(70_000));

    @TempDir
    private Path folder;

    private Session session() {
        return Session.of(new Settings(folder.resolve(FILES.getFirst())), folder.resolve("workspace/results"));
    }

    private void writeWhole() throws IOException {
        Path result = Files.createDirectories(folder.resolve("workspace/results/one")).toAbsolutePath();
        Session session = session();
        new WindowPlacement(10, 20, 1400, 900, false).remember(session.settings());
        session.save(open(result), true);
    }

    private static Session.Open open(Path result) {
        return new Session.Open(NavigationRail.View.RESULTS,
                new ShownResults(Optional.of(result), List.of(new ShownResults.ComparedPart(result, "2")), false,
                        Optional.of(new ShownResults.TimelinePart(result, 0, 0, 9)), SavedLook.NONE),
                ListLook.NONE, new Presets().find("memory").named("mine"), "ssh:gpu1");
    }

    /// Starts a window as far as its files decide about it.
    private void startAndSave() {
        start().save(open(folder.resolve("workspace/results/one").toAbsolutePath()), false);
    }

    private Session start() {
        Session session = session();
        Session.Last last = session.last(new SpecReader());
        assertThat(last.problem()).doesNotContain("Exception");
        WindowPlacement placed = WindowPlacement.remembered(session.settings())
                .within(List.of(new WindowPlacement.Area(0, 0, 1920, 1080)));
        assertThat(placed.x()).isBetween(0.0, 1920.0);
        assertThat(placed.y()).isBetween(0.0, 1080.0);
        assertThat(placed.width()).isBetween(1280.0, 1920.0);
        assertThat(placed.height()).isBetween(800.0, 1080.0);
        return session;
    }

    private static byte[] damaged(byte[] whole, RandomGenerator random) {
        int at = random.nextInt(whole.length + 1);
        String before = new String(whole, 0, at, StandardCharsets.UTF_8);
        String after = new String(whole, at, whole.length - at, StandardCharsets.UTF_8);
        return switch (random.nextInt(4)) {
            case 0 -> Arrays.copyOf(whole, at);
            case 1 -> {
                byte[] changed = whole.clone();
                changed[Math.min(at, whole.length - 1)] = (byte) random.nextInt(256);
                yield changed;
            }
            case 2 -> (before + PARTS.get(random.nextInt(PARTS.size())) + after).getBytes(StandardCharsets.UTF_8);
            // A value is replaced up to the end of its line.
            default -> (before + PARTS.get(random.nextInt(PARTS.size())) + after.replaceFirst("^[^\n]*", ""))
                    .getBytes(StandardCharsets.UTF_8);
        };
    }

    @Test
    void theWindowStartsFromAnyDamage() throws IOException {
        RandomGenerator random = new Seed(11).generator();
        writeWhole();
        Map<String, byte[]> whole = new LinkedHashMap<>();
        for (String name : FILES) {
            whole.put(name, Files.readAllBytes(folder.resolve(name)));
        }
        for (int i = 0; i < ROUNDS; i++) {
            String name = FILES.get(i % FILES.size());
            for (Map.Entry<String, byte[]> each : whole.entrySet()) {
                Files.write(folder.resolve(each.getKey()), each.getValue());
            }
            Files.write(folder.resolve(name), damaged(whole.get(name), random));
            start();
        }
    }

    @Test
    void filesThatCannotBeReadAreKeptAside() throws IOException {
        for (String name : FILES) {
            byte[] broken = name.endsWith("yaml") ? "engines: 7: 8".getBytes(StandardCharsets.UTF_8)
                    : name.endsWith("json") ? new byte[]{'{'}
                    : "window=\\uZZZZ".getBytes(StandardCharsets.UTF_8);
            writeWhole();
            Files.write(folder.resolve(name), broken);
            Path aside = folder.resolve(name.replace(".", "-damaged."));
            assertThat(session().last(new SpecReader()).problem()).contains("cannot be read", aside.toString());
            startAndSave();
            assertThat(aside).hasBinaryContent(broken);
            assertThat(session().last(new SpecReader()).problem()).isEmpty();
        }
    }

    @Test
    void devicesFoldersAndLinksAreNotRead() throws Exception {
        writeWhole();
        for (String kind : List.of("device", "folder", "pipe", "dangling")) {
            for (String name : FILES) {
                Path file = folder.resolve(name);
                Files.delete(file);
                FolderTree.delete(folder.resolve(name.replace(".", "-damaged.")));
                switch (kind) {
                    case "device" -> Files.createSymbolicLink(file, Path.of("/dev/zero"));
                    case "folder" -> Files.createDirectory(file);
                    case "pipe" -> assertThat(new ProcessBuilder("mkfifo", file.toString()).start().waitFor()).isZero();
                    default -> Files.createSymbolicLink(file, folder.resolve("nowhere"));
                }
            }
            // Without settings no session is restored; the second start reads its files.
            startAndSave();
            session().last(new SpecReader());
            startAndSave();
            for (String name : FILES) {
                assertThat(folder.resolve(name)).isRegularFile();
            }
            assertThat(Files.exists(folder.resolve("settings-damaged.properties"), LinkOption.NOFOLLOW_LINKS)).as(kind)
                    .isTrue();
        }
    }

    @Test
    void foldersOfOtherMachinesAreNotLookedFor() {
        assertThat(SessionFile.folder(folder, "//host/share")).isEmpty();
        assertThat(SessionFile.folder(folder, "\\\\host\\share")).isEmpty();
        assertThat(SessionFile.folder(folder, "\0")).isEmpty();
        assertThat(SessionFile.folder(folder, folder.toString())).contains(folder.toAbsolutePath());
    }
}
