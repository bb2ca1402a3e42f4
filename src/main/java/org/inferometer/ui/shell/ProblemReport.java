package org.inferometer.ui.shell;

import static org.inferometer.ui.fx.Messages.text;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import javafx.stage.Screen;
import org.inferometer.results.AtomicFile;
import org.inferometer.ui.bench.BenchView.MachineSummary;
import org.inferometer.ui.fx.ErrorText;
import org.inferometer.ui.fx.FileDialogs;
import org.inferometer.ui.fx.WindowWork;
import org.inferometer.units.QuantityText;

/// Writes what a report of a problem needs into a file: program, Java, system, machine, looks, notices and log. It names neither user, machine
/// nor folders, and is sent nowhere.
record ProblemReport(DesktopServices services, DesktopWindow.WindowContext context, WindowParts parts) {
    private static final int MOST_LINES = 300;
    private static final List<String> RUNTIME = List.of("java.runtime.version", "java.vendor", "javafx.runtime.version",
            "os.name", "os.version", "os.arch");

    /// Asks for a file and writes it in the background.
    void save() {
        context.dialogs().save(text("problem.title"), "inferometer-problem.txt",
                List.of(new FileDialogs.FileType(text("file.text"), "*.txt"))).ifPresent(this::write);
    }

    private void write(Path file) {
        // Names of properties look like those of hosts.
        String title = "Inferometer " + services.version() + "\n";
        String runtime = RUNTIME.stream().map(name -> name + ": " + System.getProperty(name, "") + "\n")
                .collect(Collectors.joining());
        List<String> lines = lines();
        context.work().run(WindowWork.OWN, () -> {
            String safe = services.results().safe().of(String.join("\n", lines) + "\n").replaceAll("ssh:\\S+", "ssh:…");
            AtomicFile.write(file, (title + runtime + safe).getBytes(StandardCharsets.UTF_8));
            return file.getFileName();
        }, saved -> parts.notifications.done(text("problem.saved", saved)), failure -> parts.notifications
                .problem(text("notice.not-saved", file.getFileName(), ErrorText.sentence(failure))));
    }

    private List<String> lines() {
        List<String> lines = new ArrayList<>(List.of("time: " + services.clock().wall()));
        Runtime runtime = Runtime.getRuntime();
        lines.add("processors: " + runtime.availableProcessors());
        lines.add("heap: " + QuantityText.bytes(runtime.totalMemory() - runtime.freeMemory()) + " of "
                + QuantityText.bytes(runtime.maxMemory()));
        MachineSummary machine = parts.machine.get();
        lines.add("machine: " + machine.device());
        lines.add("gpu: " + (machine.gpuSentence() + " " + machine.gpuReason()).strip());
        lines.add("looks: " + context.appearance().shade().get() + ", texts " + context.appearance().textSize().get()
                + ", high contrast " + context.appearance().contrast().get());
        Screen.getScreens().forEach(screen -> lines.add("screen: " + screen.getBounds().getWidth() + " x "
                + screen.getBounds().getHeight() + ", scale " + screen.getOutputScaleX()));
        lines.add("live mode: " + parts.bench.live().mode().get().key());
        lines.add("");
        lines.add("notices, the newest first:");
        parts.notices.notices()
                .forEach(notice -> lines.add(notice.time() + " " + notice.severity() + " " + notice.sentence()));
        lines.add("");
        lines.add("log, the last " + MOST_LINES + " lines:");
        lines.addAll(parts.bench.log().last(MOST_LINES));
        return lines;
    }
}
