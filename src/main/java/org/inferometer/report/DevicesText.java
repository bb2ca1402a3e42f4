package org.inferometer.report;

import java.util.List;
import org.inferometer.record.MachineDescription;
import org.inferometer.report.MachineView.BackendFact;
import org.inferometer.telemetry.GpuDescription;
import org.inferometer.telemetry.GpuFacts;
import org.inferometer.telemetry.MachineReport;
import org.inferometer.telemetry.ReadinessCheck;
import org.inferometer.units.QuantityText;

/// What `devices` prints, which is also what the window copies.
public final class DevicesText {
    private static final String WHAT_STILL_WORKS =
            "  Without a GPU everything but the cuda backend works: engines on the CPU, servers, reports, comparisons.\n";

    private DevicesText() {}

    /// The whole text, ended by a line feed.
    ///
    /// @param columns of the terminal, to wrap at
    public static String of(MachineView seen, int columns) {
        StringBuilder out = new StringBuilder(facts(seen).render(columns));
        seen.report().gpus().gpus().forEach(gpu -> out.append('\n').append(gpu(seen.report(), gpu, columns)));
        if (seen.report().gpus().gpus().isEmpty()) {
            out.append("\nNo GPU can be read\n");
            AlignedColumns tried = new AlignedColumns("", "");
            seen.report().gpus().attempts().forEach(attempt -> tried.row("  " + attempt.what(), attempt.outcome()));
            out.append(tried.render(columns));
        }
        out.append("\nBackends\n");
        AlignedColumns backends = new AlignedColumns("", "", "");
        for (BackendFact backend : seen.backends()) {
            backends.row("  " + backend.name(), backend.usable() ? "usable" : "not usable", backend.text());
        }
        out.append(backends.render(columns));
        if (seen.report().gpus().gpus().isEmpty()) {
            out.append(WHAT_STILL_WORKS);
        }
        out.append("\nReadiness\n");
        AlignedColumns checks = new AlignedColumns("", "", "");
        seen.checks().forEach(check -> checks.row("  " + check.name(), word(check.state()), check.reason()));
        return out.append(checks.render(columns)).toString();
    }

    private static AlignedColumns facts(MachineView seen) {
        MachineReport report = seen.report();
        MachineDescription machine = seen.machine();
        AlignedColumns facts = new AlignedColumns("", "");
        String cores = report.physicalCores() == 0 ? "" : report.physicalCores() + " physical cores, ";
        facts.row("CPU", report.processor() + ", " + report.architecture() + ", " + cores + report.logicalCores()
                + " logical usable");
        if (machine.vectorBits() != null) {
            facts.row("Vectors", machine.vectorBits() + " bits");
        }
        facts.row("Memory", QuantityText.bytes(report.memoryBytes()) + ", "
                + QuantityText.bytes(report.freeMemoryBytes()) + " free");
        facts.row("System", report.operatingSystem());
        facts.row("Java", report.javaRuntime());
        report.loadAverage().ifPresent(
                load -> facts.row("Load", QuantityText.significant(load) + " runnable threads over the last minute"));
        if (!report.gpus().driverVersion().isEmpty()) {
            String cuda = report.gpus().cudaVersion();
            facts.row("GPU driver", report.gpus().driverVersion() + (cuda.isEmpty() ? "" : ", CUDA " + cuda));
        }
        return facts;
    }

    private static String gpu(MachineReport report, GpuDescription gpu, int columns) {
        AlignedColumns facts = new AlignedColumns("", "");
        List<GpuFacts.Fact> settings = GpuFacts.settings(gpu);
        settings.forEach(fact -> facts.row("  " + fact.name(), fact.words()));
        report.gpuStatus().stream().filter(status -> status.index() == gpu.index()).forEach(
                status -> GpuFacts.readings(gpu, status).forEach(fact -> facts.row("  " + fact.name(), fact.words())));
        if (facts.isEmpty()) {
            facts.row("  The driver tells nothing more of it.", "");
        }
        return "GPU " + gpu.index() + "  " + gpu.name() + "\n" + facts.render(columns);
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
