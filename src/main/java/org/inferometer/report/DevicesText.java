package org.inferometer.report;

import java.util.List;
import org.inferometer.record.MachineDescription;
import org.inferometer.report.DevicesText.MachineView.BackendFact;
import org.inferometer.telemetry.GpuDescription;
import org.inferometer.telemetry.GpuFacts;
import org.inferometer.telemetry.MachineReport;
import org.inferometer.telemetry.ReadinessCheck;
import org.inferometer.units.QuantityText;

/// The text of a machine, as `devices` prints it and the Devices view copies it.
public final class DevicesText {
    private static final String WITHOUT_GPU = "  Without a GPU only the cuda backend is unavailable.\n";

    private DevicesText() {}

    /// Ends with a line feed.
    ///
    /// @param columns longest line
    public static String of(MachineView machine, int columns) {
        StringBuilder out = new StringBuilder(facts(machine).render(columns));
        machine.report().gpus().gpus().forEach(gpu -> out.append('\n').append(gpu(machine.report(), gpu, columns)));
        if (machine.report().gpus().gpus().isEmpty()) {
            out.append("\nNo GPU found\n");
            AlignedColumns attempts = new AlignedColumns("", "");
            machine.report().gpus().attempts()
                    .forEach(attempt -> attempts.row("  " + attempt.what(), attempt.outcome()));
            out.append(attempts.render(columns));
        }
        out.append("\nBackends\n");
        AlignedColumns backends = new AlignedColumns("", "", "");
        for (BackendFact backend : machine.backends()) {
            backends.row("  " + backend.name(), backend.usable() ? "usable" : "not usable", backend.text());
        }
        out.append(backends.render(columns));
        if (machine.report().gpus().gpus().isEmpty()) {
            out.append(WITHOUT_GPU);
        }
        out.append("\nReadiness\n");
        AlignedColumns checks = new AlignedColumns("", "", "");
        machine.checks().forEach(check -> checks.row("  " + check.name(), label(check.state()), check.reason()));
        return out.append(checks.render(columns)).toString();
    }

    private static AlignedColumns facts(MachineView view) {
        MachineReport report = view.report();
        MachineDescription machine = view.machine();
        AlignedColumns facts = new AlignedColumns("", "");
        String cores = report.physicalCores() == 0 ? "" : report.physicalCores() + " physical cores, ";
        facts.row("CPU", report.processor() + ", " + report.architecture() + ", " + cores + report.logicalCores()
                + " logical cores usable");
        if (machine.vectorBits() != null) {
            facts.row("Vectors", machine.vectorBits() + " bits");
        }
        facts.row("Memory", QuantityText.bytes(report.memoryBytes()) + ", "
                + QuantityText.bytes(report.freeMemoryBytes()) + " free");
        facts.row("System", report.operatingSystem());
        facts.row("Java", report.javaRuntime());
        report.loadAverage().ifPresent(
                load -> facts.row("Load", QuantityText.significant(load) + " runnable threads (1-minute average)"));
        if (!report.gpus().driverVersion().isEmpty()) {
            String cuda = report.gpus().cudaVersion();
            facts.row("GPU driver", report.gpus().driverVersion() + (cuda.isEmpty() ? "" : ", CUDA " + cuda));
        }
        return facts;
    }

    private static String gpu(MachineReport report, GpuDescription gpu, int columns) {
        AlignedColumns facts = new AlignedColumns("", "");
        List<GpuFacts.Fact> settings = GpuFacts.settings(gpu);
        settings.forEach(fact -> facts.row("  " + fact.name(), fact.value()));
        report.gpuStatus().stream().filter(status -> status.index() == gpu.index()).forEach(
                status -> GpuFacts.readings(gpu, status).forEach(fact -> facts.row("  " + fact.name(), fact.value())));
        if (facts.isEmpty()) {
            facts.row("  The driver reports nothing else.", "");
        }
        return "GPU " + gpu.index() + "  " + gpu.name() + "\n" + facts.render(columns);
    }

    private static String label(ReadinessCheck.State state) {
        return switch (state) {
            case READY -> "ready";
            case ATTENTION -> "ATTENTION";
            case ABSENT -> "absent";
            case NOT_CHECKED -> "not checked";
        };
    }

    /// The machine as `devices` and the Devices view show it.
    ///
    /// @param checks in reading order
    /// @param backends in the order of preference
    public record MachineView(MachineDescription machine, MachineReport report, List<ReadinessCheck> checks,
            List<BackendFact> backends) {
        public MachineView {
            checks = List.copyOf(checks);
            backends = List.copyOf(backends);
        }

        /// A backend of this program on this machine.
        ///
        /// @param usable whether engines can run on it now
        /// @param facts what was found, or why it cannot be used; one sentence each
        public record BackendFact(String name, boolean usable, List<String> facts) {
            /// All facts in one line.
            public String text() {
                return String.join(" ", facts);
            }
        }
    }
}
