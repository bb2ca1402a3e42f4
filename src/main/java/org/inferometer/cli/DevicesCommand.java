package org.inferometer.cli;

import java.util.Locale;
import java.util.concurrent.Callable;
import org.inferometer.benchmark.MachineDescription;
import org.inferometer.cli.MachineServices.BackendFact;
import org.inferometer.cli.MachineServices.MachineView;
import org.inferometer.telemetry.GpuDescription;
import org.inferometer.telemetry.MachineReport;
import org.inferometer.telemetry.ReadinessCheck;
import org.inferometer.units.QuantityText;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/// `devices`: what can compute here, and whether the machine is fit to be measured on.
@Command(
        name = "devices",
        description = "Shows the CPU, the GPUs or why there are none, and whether the machine is fit to be measured on.",
        footer = {"", "Examples:", "  inferometer devices", "  inferometer devices --json", ""})
final class DevicesCommand implements Callable<Integer> {
    private final RootCommand root;

    @Mixin
    JsonOption json = new JsonOption();

    DevicesCommand(RootCommand root) {
        this.root = root;
    }

    @Override
    public Integer call() {
        MachineView seen = root.services().machine().inspector().look();
        if (json.asked) {
            json.print(root.terminal(), seen);
            return ExitCodes.DONE;
        }
        int columns = root.terminal().columns();
        StringBuilder out = new StringBuilder(facts(seen).render(columns));
        out.append("\nBackends\n");
        Columns backends = new Columns("", "", "");
        for (BackendFact backend : seen.backends()) {
            backends.row("  " + backend.name(), backend.usable() ? "usable" : "not usable", String.join(" ", backend.facts()));
        }
        out.append(backends.render(columns)).append("\nReadiness\n");
        Columns checks = new Columns("", "", "");
        seen.checks().forEach(check -> checks.row("  " + check.name(), word(check.state()), check.reason()));
        root.terminal().out().print(out.append(checks.render(columns)));
        root.terminal().out().flush();
        return ExitCodes.DONE;
    }

    private static Columns facts(MachineView seen) {
        MachineReport report = seen.report();
        MachineDescription machine = seen.machine();
        Columns facts = new Columns("", "");
        String cores = report.physicalCores() == 0 ? "" : report.physicalCores() + " physical cores, ";
        facts.row("CPU", report.processor() + ", " + report.architecture() + ", " + cores + report.logicalCores() + " logical usable");
        if (machine.vectorBits() != null) {
            facts.row("Vectors", machine.vectorBits() + " bits");
        }
        facts.row("Memory", QuantityText.bytes(report.memoryBytes()) + ", " + QuantityText.bytes(report.freeMemoryBytes()) + " free");
        facts.row("System", report.operatingSystem());
        facts.row("Java", report.javaRuntime());
        report.loadAverage().ifPresent(load -> facts.row("Load", QuantityText.significant(load) + " runnable threads over the last minute"));
        for (GpuDescription gpu : report.gpus().gpus()) {
            facts.row("GPU " + gpu.index(), gpu.name()
                    + gpu.memory().map(bytes -> ", " + QuantityText.bytes(bytes)).orElse("")
                    + gpu.capability().map(version -> ", compute capability " + version).orElse("")
                    + gpu.powerLimit().map(watts -> String.format(Locale.ROOT, ", power limit %.0f W", watts)).orElse(""));
        }
        if (report.gpus().gpus().isEmpty()) {
            facts.row("GPU", "none: " + report.gpus().explanation());
        }
        return facts;
    }

    private static String word(ReadinessCheck.State state) {
        return switch (state) {
            case READY -> "ready";
            case ATTENTION -> "ATTENTION";
            case ABSENT -> "absent";
            case NOT_CHECKED -> "not checked";
        };
    }
}
