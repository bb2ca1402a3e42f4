package org.inferometer.plugin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import org.inferometer.options.Selection;
import org.inferometer.scheduling.SchedulerPlugin;
import org.inferometer.scheduling.SchedulerRegistry;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

class PluginsTest {
    private static final SchedulerRegistry OWN = SchedulerRegistry.standard();

    @TempDir
    Path folder;

    @Test
    void schedulersOfAJarStandBehindTheProgramsOwn() throws Exception {
        Path jar = PluginJar.in(folder);
        SchedulerRegistry all = new Plugins(List.of(jar)).addedTo(OWN);

        assertThat(all.names()).hasSize(7).startsWith(OWN.names().toArray(String[]::new)).endsWith("shortest-first");
        assertThat(all.create(Selection.parse("shortest-first:chunk=8"))).isNotNull();
        SchedulerPlugin plugin = all.plugin("shortest-first").orElseThrow();
        assertThat(plugin).isEqualTo(new SchedulerPlugin("shortest-first", "1.0.0", plugin.sha256()));
        assertThat(plugin.text()).matches("shortest-first 1\\.0\\.0 \\([0-9a-f]{8}\\)");
        assertThat(all.plugin("naive")).isEmpty();
    }

    @Test
    void jarsOfTheFolderAreLoadedAfterThoseThatAreNamed() throws Exception {
        Path named = PluginJar.in(Files.createDirectories(folder.resolve("named")));
        Path jars = Files.createDirectories(folder.resolve("plugins"));
        Path inside = Files.copy(named, jars.resolve("b.jar"));
        Files.copy(named, jars.resolve("b.txt"));

        assertThat(Plugins.of(List.of(named), jars).jars()).containsExactly(named, inside);
        assertThat(Plugins.of(List.of(inside), jars).jars()).containsExactly(inside);
        assertThat(Plugins.of(List.of(), folder.resolve("none")).jars()).isEmpty();
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void jarThatAnotherUserCanReplaceIsLoadedOnlyIfNamed() throws Exception {
        Path jars = Files.createDirectories(folder.resolve("plugins"));
        Path jar = PluginJar.in(jars);
        Files.setPosixFilePermissions(jars, PosixFilePermissions.fromString("rwxrwxrwx"));
        assertThatThrownBy(() -> Plugins.of(List.of(), jars)).isInstanceOf(PluginException.class)
                .hasMessage(jar + ": Another user owns it or can replace it. Remove it, or name it with --plugin.");
        assertThat(Plugins.of(List.of(jar), jars).jars()).containsExactly(jar);
    }

    @Test
    void aSchedulerThatExistsIsNotReplaced() throws Exception {
        Path jar = PluginJar.in(folder);
        SchedulerRegistry once = new Plugins(List.of(jar)).addedTo(OWN);
        refused(jar, once, "There is a scheduler shortest-first already. Choose another name.");
    }

    @Test
    void whatIsNoPluginIsRefusedWithASentence() throws IOException {
        Path text = Files.writeString(folder.resolve("text.jar"), "no zip");
        refused(text, OWN, "It cannot be read (zip END header not found).");
        refused(folder.resolve("missing.jar"), OWN, "It is no regular file. Name a jar.");
        Path empty = PluginJar.write(folder.resolve("empty.jar"), "1", Map.of());
        refused(empty, OWN, "It has no scheduler: META-INF/services/org.inferometer.scheduling.SchedulerProvider"
                + " names no class.");
        Path names = Files.writeString(folder.resolve("names"), "com.example.NoSuchClass\n");
        Path broken = PluginJar.write(folder.resolve("broken.jar"), "1",
                Map.of("META-INF/services/org.inferometer.scheduling.SchedulerProvider", names));
        assertThatThrownBy(() -> new Plugins(List.of(broken)).addedTo(OWN)).isInstanceOf(PluginException.class)
                .hasMessageContaining("Provider com.example.NoSuchClass not found")
                .hasMessageEndingWith("Build it for this version of the program.");
    }

    private static void refused(Path jar, SchedulerRegistry before, String sentence) {
        assertThatThrownBy(() -> new Plugins(List.of(jar)).addedTo(before)).isInstanceOf(PluginException.class)
                .hasMessage(jar + ": " + sentence);
    }
}
