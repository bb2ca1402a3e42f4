package org.inferometer.plugin;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.ToolProvider;

/// The plug-in of docs/scheduler-plugin, built by the compiler of the JDK.
public final class PluginJar {
    private static final Path PROJECT = Path.of("docs/scheduler-plugin/src/main");

    private PluginJar() {}

    /// Builds it into a folder.
    ///
    /// @return the jar
    public static Path in(Path folder) throws IOException {
        Path classes = compiled(PROJECT.resolve("java"), folder);
        Map<String, Path> entries = files(classes);
        entries.putAll(files(PROJECT.resolve("resources")));
        return write(folder.resolve("shortest-first.jar"), "1.0.0", entries);
    }

    /// Compiles all sources into `classes` of a folder.
    static Path compiled(Path sources, Path folder) throws IOException {
        Path classes = Files.createDirectories(folder.resolve("classes"));
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        List<String> words = new ArrayList<>(List.of("-proc:none", "-parameters", "-d", classes.toString(), "-cp",
                System.getProperty("java.class.path")));
        files(sources).values().forEach(source -> words.add(source.toString()));
        ByteArrayOutputStream messages = new ByteArrayOutputStream();
        if (compiler.run(null, messages, messages, words.toArray(String[]::new)) != 0) {
            throw new IOException(messages.toString(StandardCharsets.UTF_8));
        }
        return classes;
    }

    /// A jar with a version and these files.
    static Path write(Path jar, String version, Map<String, Path> entries) throws IOException {
        return write(jar, version, entries, new Manifest());
    }

    /// As the other, with further lines of the manifest.
    static Path write(Path jar, String version, Map<String, Path> entries, Manifest manifest) throws IOException {
        manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
        manifest.getMainAttributes().put(Attributes.Name.IMPLEMENTATION_TITLE, "shortest-first");
        manifest.getMainAttributes().put(Attributes.Name.IMPLEMENTATION_VERSION, version);
        try (OutputStream file = Files.newOutputStream(jar);
                JarOutputStream out = new JarOutputStream(file, manifest)) {
            for (Map.Entry<String, Path> entry : entries.entrySet()) {
                out.putNextEntry(new JarEntry(entry.getKey()));
                Files.copy(entry.getValue(), out);
            }
        }
        return jar;
    }

    static Map<String, Path> files(Path folder) throws IOException {
        Map<String, Path> files = new TreeMap<>();
        try (Stream<Path> all = Files.walk(folder)) {
            all.filter(Files::isRegularFile)
                    .forEach(file -> files.put(folder.relativize(file).toString().replace('\\', '/'), file));
        }
        return files;
    }
}
