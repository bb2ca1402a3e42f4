package org.inferometer.run;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.inferometer.engine.files.MappedFiles;
import org.inferometer.record.PlannedSubject;
import org.inferometer.record.PlannedSubject.PlannedEngine;
import org.inferometer.record.PlannedSubject.PlannedTarget;
import org.inferometer.units.OneLine;

/// The fatal error file of a worker's JVM.
///
/// @param file full path
/// @param sentence likely cause, what to do, and the path
record CrashReport(Path file, String sentence) {

    private static final int HEAD_BYTES = 4096;
    private static final Pattern SIGNAL = Pattern.compile("^#\\s+(SIG[A-Z]+) \\(", Pattern.MULTILINE);
    private static final Pattern FRAME = Pattern.compile("^# Problematic frame:\\R# (.+)$", Pattern.MULTILINE);

    /// Reads a report; empty if there is none.
    ///
    /// @param workspace folder that the engine's folder is relative to
    static Optional<CrashReport> read(Path file, PlannedSubject subject, Path workspace) {
        if (!Files.isRegularFile(file)) {
            return Optional.empty();
        }
        String head;
        try (var in = Files.newInputStream(file)) {
            head = new String(in.readNBytes(HEAD_BYTES), StandardCharsets.UTF_8);
        } catch (IOException e) {
            head = "";
        }
        return Optional.of(new CrashReport(file, cause(head, subject, workspace) + " Details: " + file + "."));
    }

    private static String cause(String head, PlannedSubject subject, Path workspace) {
        if (head.contains("insufficient memory for the Java Runtime")) {
            return "The worker's JVM got no more memory from the system. Lower the KV memory or use a smaller engine.";
        }
        Matcher signal = SIGNAL.matcher(head);
        String name = signal.find() ? signal.group(1) : "";
        if (name.equals("SIGBUS")) {
            return "The worker crashed (SIGBUS): " + switch (subject) {
                case PlannedEngine engine -> MappedFiles.fault(workspace.resolve(engine.engineFolder()));
                case PlannedTarget _ -> "a mapped file was truncated or its disk failed. Check the disks.";
            };
        }
        Matcher frame = FRAME.matcher(head);
        String where = frame.find() ? " in " + OneLine.of(frame.group(1)) : "";
        return "The worker's JVM crashed" + (name.isEmpty() ? "" : " (" + name + ")") + where
                + ". Check the memory and the drivers of this machine.";
    }
}
