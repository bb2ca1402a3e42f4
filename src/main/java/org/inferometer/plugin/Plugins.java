package org.inferometer.plugin;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import java.util.ServiceLoader;
import java.util.jar.Attributes;
import java.util.jar.JarFile;
import java.util.jar.Manifest;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.inferometer.engine.files.Sha256;
import org.inferometer.scheduling.SchedulerDescription;
import org.inferometer.scheduling.SchedulerPlugin;
import org.inferometer.scheduling.SchedulerProvider;
import org.inferometer.scheduling.SchedulerRegistry;
import org.inferometer.units.FileFault;
import org.inferometer.units.OneLine;
import org.inferometer.units.OwnFiles;

/// Schedulers of jars that the user named, or put into `plugins/` of a workspace. Records and experiment files name no jar, so they load none.
///
/// A plug-in runs as the user, with all rights of this program.
///
/// @param jars absolute, in the order in which they are loaded
public record Plugins(List<Path> jars) {
    /// No jars.
    public static final Plugins NONE = new Plugins(List.of());

    private static final long MOST_BYTES = 64L << 20;
    private static final int MOST_JARS = 100;
    private static final String INDEX = "META-INF/INDEX.LIST";
    private static final Pattern NAME = Pattern.compile("[a-z][a-z0-9_-]{0,31}");

    public Plugins {
        jars = jars.stream().map(Path::toAbsolutePath).toList();
    }

    /// Jars that were named, then those of a folder, by name.
    ///
    /// @param folder may not exist
    /// @throws PluginException if the folder cannot be read, has more than 100 jars, or one that another user can change
    public static Plugins of(List<Path> named, Path folder) {
        List<Path> jars = new ArrayList<>(new Plugins(named).jars);
        for (Path jar : jarsIn(folder)) {
            if (!jars.contains(jar)) {
                requireOwn(jar);
                jars.add(jar);
            }
        }
        return new Plugins(jars);
    }

    private static List<Path> jarsIn(Path folder) {
        if (!Files.isDirectory(folder)) {
            return List.of();
        }
        List<Path> jars;
        try (Stream<Path> files = Files.list(folder)) {
            jars = files.filter(file -> file.toString().endsWith(".jar")).limit(MOST_JARS + 1).sorted()
                    .map(Path::toAbsolutePath).toList();
        } catch (IOException e) {
            throw new PluginException(folder, "It cannot be read (" + FileFault.reason(e) + ").");
        } catch (UncheckedIOException e) {
            throw new PluginException(folder,
                    "It cannot be read (" + FileFault.reason(Objects.requireNonNull(e.getCause())) + ").");
        }
        if (jars.size() > MOST_JARS) {
            throw new PluginException(folder, "It has more than " + MOST_JARS + " jars. Remove those you do not use.");
        }
        return jars;
    }

    /// What is loaded unasked must not be what a stranger put there.
    private static void requireOwn(Path jar) {
        try {
            if (OwnFiles.isSafe(jar) && OwnFiles.isWrittenByOwnerOnly(jar)) {
                return;
            }
        } catch (IOException e) {
            throw new PluginException(jar, "It cannot be read (" + FileFault.reason(e) + ").");
        }
        throw new PluginException(jar,
                "Another user owns it or can change it, or it has a second name. Remove it, or name it with --plugin.");
    }

    /// The options that give them to another process of this program.
    public List<String> arguments() {
        return jars.stream().flatMap(jar -> Stream.of("--plugin", jar.toString())).toList();
    }

    /// The schedulers of this program and of the jars.
    ///
    /// @throws PluginException if a jar cannot be read, names other jars, has no scheduler, or has a name that another scheduler has
    public SchedulerRegistry addedTo(SchedulerRegistry own) {
        SchedulerRegistry all = own;
        for (Path jar : jars) {
            all = withJar(all, jar);
        }
        return all;
    }

    private static SchedulerRegistry withJar(SchedulerRegistry before, Path jar) {
        SchedulerPlugin plugin = identity(jar);
        List<SchedulerDescription<?>> added = new ArrayList<>();
        try {
            // Not closed: its classes load others for as long as the program runs.
            URLClassLoader loader = new URLClassLoader(new URL[]{url(jar)}, SchedulerProvider.class.getClassLoader());
            // Classes of this program have providers of their own, if any; these belong to the jar.
            ServiceLoader.load(SchedulerProvider.class, loader).stream()
                    .filter(provider -> provider.type().getClassLoader() == loader)
                    .forEach(provider -> added.addAll(provider.get().schedulers()));
            added.forEach(scheduler -> Objects.requireNonNull(scheduler.name(), "a scheduler has no name"));
        } catch (Exception | Error e) {
            // Code of others may throw anything.
            throw fault(jar, e);
        }
        if (added.isEmpty()) {
            throw new PluginException(jar,
                    "It has no scheduler: META-INF/services/" + SchedulerProvider.class.getName() + " names no class.");
        }
        for (SchedulerDescription<?> scheduler : added) {
            if (!NAME.matcher(scheduler.name()).matches()) {
                throw new PluginException(jar, "The name of a scheduler, \"" + OneLine.of(scheduler.name())
                        + "\", must begin with a letter and have at most 32 of a-z, 0-9, _ and -.");
            }
            if (before.names().contains(scheduler.name())
                    || added.stream().filter(other -> other.name().equals(scheduler.name())).count() > 1) {
                throw new PluginException(jar,
                        "There is a scheduler " + scheduler.name() + " already. Choose another name.");
            }
        }
        if (!identity(jar).equals(plugin)) {
            throw new PluginException(jar, "It changed while it was loaded. Try again.");
        }
        return before.with(plugin, added);
    }

    private static PluginException fault(Path jar, Throwable fault) {
        for (Throwable each : new Throwable[]{fault, fault.getCause()}) {
            if (each instanceof VirtualMachineError ofJava && !(ofJava instanceof StackOverflowError)) {
                throw ofJava;
            }
        }
        return new PluginException(jar, "Its schedulers cannot be loaded (" + OneLine.of(fault.toString())
                + "). Build it for this version of the program.");
    }

    private static URL url(Path jar) {
        try {
            return jar.toUri().toURL();
        } catch (MalformedURLException impossible) {
            throw new IllegalStateException("A file has a URL.", impossible);
        }
    }

    private static SchedulerPlugin identity(Path jar) {
        try {
            if (!Files.isRegularFile(jar, LinkOption.NOFOLLOW_LINKS)) {
                throw new PluginException(jar, "It is no regular file. Name a jar.");
            }
            if (Files.size(jar) > MOST_BYTES) {
                throw new PluginException(jar, "It has more than 64 MiB. Leave the program's own classes out of it.");
            }
            MessageDigest digest = Sha256.digest();
            String hash = HexFormat.of().formatHex(digest.digest(Files.readAllBytes(jar)));
            try (JarFile file = new JarFile(jar.toFile())) {
                Manifest manifest = file.getManifest();
                Attributes named = manifest == null ? new Attributes() : manifest.getMainAttributes();
                if (named.getValue(Attributes.Name.CLASS_PATH) != null || file.getEntry(INDEX) != null) {
                    throw new PluginException(jar, "It names other jars (Class-Path of its manifest, or " + INDEX
                            + "). Put their classes into it.");
                }
                String title = named.getValue(Attributes.Name.IMPLEMENTATION_TITLE);
                String version = named.getValue(Attributes.Name.IMPLEMENTATION_VERSION);
                return new SchedulerPlugin(OneLine.of(title == null ? jar.getFileName().toString() : title),
                        version == null ? "" : OneLine.of(version), hash);
            }
        } catch (IOException e) {
            throw new PluginException(jar, "It cannot be read (" + FileFault.reason(e) + ").");
        }
    }
}
