package org.inferometer.plugin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.jar.Attributes;
import java.util.jar.Manifest;
import org.inferometer.options.Selection;
import org.inferometer.scheduling.SchedulerPlugin;
import org.inferometer.scheduling.SchedulerRegistry;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PluginsTest {
    private static final SchedulerRegistry OWN = SchedulerRegistry.standard();

    private static final String SERVICE = "META-INF/services/org.inferometer.scheduling.SchedulerProvider";
    private static final String CHANGEABLE =
            "Another user owns it or can change it, or it has a second name. Remove it, or name it with --plugin.";

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
                .hasMessage(jar + ": " + CHANGEABLE);
        assertThat(Plugins.of(List.of(jar), jars).jars()).containsExactly(jar);
    }

    @ParameterizedTest
    @ValueSource(strings = {"rw-rw-r--", "rw-r--rw-", "rw-r--r--"})
    @EnabledOnOs(OS.LINUX)
    void jarThatOthersCanWriteIsLoadedOnlyIfNamed(String mode) throws Exception {
        Path jar = PluginJar.write(Files.createDirectories(folder.resolve("plugins")).resolve("a.jar"), "1", Map.of());
        assertThat(Plugins.of(List.of(), jar.getParent()).jars()).containsExactly(jar);
        if (mode.equals("rw-r--r--")) {
            Files.createLink(folder.resolve("second.jar"), jar);
        }
        Files.setPosixFilePermissions(jar, PosixFilePermissions.fromString(mode));
        assertThatThrownBy(() -> Plugins.of(List.of(), jar.getParent())).isInstanceOf(PluginException.class)
                .hasMessage(jar + ": " + CHANGEABLE);
        assertThat(Plugins.of(List.of(jar), jar.getParent()).jars()).containsExactly(jar);
    }

    @Test
    void jarThatNamesOtherJarsIsRefused() throws Exception {
        Path other = PluginJar.in(folder);
        Path service = Files.writeString(folder.resolve("service"), "org.inferometer.plugin.example.None\n");
        Manifest manifest = new Manifest();
        manifest.getMainAttributes().put(Attributes.Name.CLASS_PATH, other.getFileName().toString());
        Path classPath = PluginJar.write(folder.resolve("path.jar"), "1", Map.of(SERVICE, service), manifest);
        Path index = PluginJar.write(folder.resolve("index.jar"), "1", Map.of("META-INF/INDEX.LIST", service));
        for (Path jar : List.of(classPath, index)) {
            refused(jar, OWN,
                    "It names other jars (Class-Path of its manifest, or META-INF/INDEX.LIST). Put their classes into it.");
        }
    }

    @Test
    void anyFaultOfAPluginNamesTheJar() throws Exception {
        Path sources = Files.createDirectories(folder.resolve("sources"));
        Map<String, String> bodies = Map.of("Assertion", "throw new AssertionError(\"made up\");", "Deep",
                "return schedulers();", "Holes", "return java.util.Collections.singletonList(null);", "Sneaky",
                "Sneaky.<RuntimeException>raise(new java.io.IOException(\"made up\")); return List.of();", "Full",
                "throw new OutOfMemoryError(\"made up\");");
        for (Map.Entry<String, String> each : bodies.entrySet()) {
            Files.writeString(sources.resolve(each.getKey() + ".java"), """
                    import java.util.List;
                    public final class %s implements org.inferometer.scheduling.SchedulerProvider {
                        @SuppressWarnings("unchecked")
                        static <T extends Throwable> void raise(Throwable fault) throws T {
                            throw (T) fault;
                        }
                        public List<org.inferometer.scheduling.SchedulerDescription<?>> schedulers() {
                            %s
                        }
                    }
                    """.formatted(each.getKey(), each.getValue()));
        }
        Map<String, Path> classes = PluginJar.files(PluginJar.compiled(sources, folder));
        Map<String, String> faults =
                Map.of("Assertion", "java.lang.AssertionError: made up", "Deep", "java.lang.StackOverflowError",
                        "Holes", "java.lang.NullPointerException", "Sneaky", "java.io.IOException: made up");
        for (Map.Entry<String, String> each : faults.entrySet()) {
            Path jar = jar(each.getKey(), classes);
            assertThatThrownBy(() -> new Plugins(List.of(jar)).addedTo(OWN)).as(each.getKey())
                    .isInstanceOf(PluginException.class)
                    .hasMessageStartingWith(jar + ": Its schedulers cannot be loaded (" + each.getValue());
        }
        Path full = jar("Full", classes);
        assertThatThrownBy(() -> new Plugins(List.of(full)).addedTo(OWN)).isInstanceOf(OutOfMemoryError.class);
    }

    private Path jar(String provider, Map<String, Path> classes) throws IOException {
        Map<String, Path> entries = new TreeMap<>(classes);
        entries.put(SERVICE, Files.writeString(folder.resolve(provider), provider + "\n"));
        return PluginJar.write(folder.resolve(provider + ".jar"), "1", entries);
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
        Path broken = PluginJar.write(folder.resolve("broken.jar"), "1", Map.of(SERVICE, names));
        assertThatThrownBy(() -> new Plugins(List.of(broken)).addedTo(OWN)).isInstanceOf(PluginException.class)
                .hasMessageContaining("Provider com.example.NoSuchClass not found")
                .hasMessageEndingWith("Build it for this version of the program.");
    }

    private static void refused(Path jar, SchedulerRegistry before, String sentence) {
        assertThatThrownBy(() -> new Plugins(List.of(jar)).addedTo(before)).isInstanceOf(PluginException.class)
                .hasMessage(jar + ": " + sentence);
    }
}
