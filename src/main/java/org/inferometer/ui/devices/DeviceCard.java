package org.inferometer.ui.devices;

import static org.inferometer.ui.fx.Messages.text;

import atlantafx.base.theme.Styles;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Consumer;
import javafx.geometry.VPos;
import javafx.scene.Node;
import javafx.scene.control.Label;
import javafx.scene.control.ProgressBar;
import javafx.scene.layout.ColumnConstraints;
import javafx.scene.layout.GridPane;
import javafx.scene.layout.HBox;
import javafx.scene.layout.Priority;
import javafx.scene.layout.Region;
import javafx.scene.layout.VBox;
import org.inferometer.telemetry.GpuDescription;
import org.inferometer.telemetry.GpuFacts;
import org.inferometer.telemetry.GpuFacts.Fact;
import org.inferometer.telemetry.GpuReport;
import org.inferometer.telemetry.GpuStatus;
import org.inferometer.telemetry.MachineMonitor;
import org.inferometer.telemetry.MachineReport;
import org.inferometer.ui.fx.Labels;
import org.inferometer.ui.fx.Panes;
import org.inferometer.ui.theme.StyleClasses;
import org.inferometer.units.QuantityText;
import org.jspecify.annotations.Nullable;

/// One device: name, usage and specifications.
final class DeviceCard extends VBox {
    /// Readings shown in gauges.
    private static final List<String> ELSEWHERE = List.of("Busy", "Memory in use", "Power", "Processes");

    private final List<LivePart> live = new ArrayList<>();

    /// A part of the card that shows readings.
    private interface LivePart {
        void show(MachineMonitor.@Nullable Moment moment);
    }

    private DeviceCard(String id, String icon, String kind, String name) {
        super(10);
        setId(id);
        getStyleClass().addAll(StyleClasses.CARD, StyleClasses.SECTION_CARD, StyleClasses.DEVICE_CARD);
        Label title = Labels.wrapped(name, StyleClasses.PANE_TITLE);
        HBox.setHgrow(title, Priority.ALWAYS);
        title.setMaxWidth(Double.MAX_VALUE);
        getChildren().add(Panes.row(10, Labels.icon(icon, StyleClasses.DEVICE_ICON), title,
                Labels.fixed(kind, StyleClasses.TAG, StyleClasses.TAG_QUIET)));
    }

    /// The card of the CPU and its memory.
    static DeviceCard ofCpu(MachineReport report) {
        DeviceCard card = new DeviceCard("device-cpu", "mdmz-memory", text("devices.cpu"), report.processor());
        Gauge load = card.gauge("device-cpu-load", text("devices.in-use"));
        Gauge memory = card.gauge("device-cpu-memory", text("devices.memory"));
        showMemory(memory, report.freeMemoryBytes(), report.memoryBytes());
        load.show(text("devices.waiting"), null);
        card.live.add(moment -> {
            if (moment == null) {
                memory.show(text("devices.not-reported"), null);
                load.show(text("devices.not-reported"), null);
                return;
            }
            showMemory(memory, moment.freeMemoryBytes(), report.memoryBytes());
            Double share = moment.cpuLoad().isPresent() ? Double.valueOf(moment.cpuLoad().getAsDouble()) : null;
            load.show(share == null ? text("devices.waiting") : String.format(Locale.ROOT, "%.0f %%", share * 100),
                    share);
        });
        String cores = (report.physicalCores() == 0 ? "" : text("devices.physical", report.physicalCores()) + ", ")
                + text("devices.logical", report.logicalCores());
        FactGrid facts = new FactGrid();
        List<Fact> lines = new ArrayList<>(List.of(new Fact(text("devices.cores"), cores),
                new Fact(text("devices.architecture"), report.architecture()),
                new Fact(text("devices.system"), report.operatingSystem()),
                new Fact(text("devices.java"), report.javaRuntime())));
        report.governor().ifPresent(governor -> lines.add(new Fact(text("devices.governor"), governor)));
        facts.show(lines);
        card.getChildren().add(facts);
        return card;
    }

    /// The card of a GPU.
    static DeviceCard ofGpu(GpuReport report, GpuDescription gpu, Optional<GpuStatus> first) {
        String id = "device-gpu-" + gpu.index();
        DeviceCard card = new DeviceCard(id, "mdal-developer_board", text("devices.gpu", gpu.index()), gpu.name());
        Gauge busy = card.gauge(id + "-busy", text("devices.busy"));
        Gauge memory = card.gauge(id + "-memory", text("devices.memory"));
        Gauge power = card.gauge(id + "-power", text("devices.power"));
        FactGrid readings = Panes.named(id + "-readings", new FactGrid());
        FactGrid settings = new FactGrid();
        List<Fact> facts = new ArrayList<>(GpuFacts.settings(gpu));
        if (!report.driverVersion().isEmpty()) {
            facts.add(new Fact(text("devices.driver"),
                    report.driverVersion() + (report.cudaVersion().isEmpty() ? "" : ", CUDA " + report.cudaVersion())));
        }
        settings.show(facts);
        FactGrid processes = Panes.named(id + "-processes", new FactGrid());
        card.getChildren().addAll(Labels.of(text("devices.now"), StyleClasses.GROUP_TITLE), readings,
                Labels.of(text("devices.processes"), StyleClasses.GROUP_TITLE), processes,
                Labels.of(text("devices.is"), StyleClasses.GROUP_TITLE), settings);
        Consumer<@Nullable GpuStatus> show = status -> {
            List<Fact> now = status == null ? List.of() : GpuFacts.readings(gpu, status);
            busy.show(value(now, "Busy"), share(status == null ? null : status.utilisationPercent(), 100.0));
            memory.show(value(now, "Memory in use"),
                    status == null || status.usedBytes() == null || gpu.totalBytes() == null ? null
                            : share(status.usedBytes().doubleValue(), gpu.totalBytes().doubleValue()));
            power.show(value(now, "Power"), share(status == null ? null : status.powerWatts(), gpu.powerLimitWatts()));
            List<Fact> rest = now.stream().filter(fact -> !ELSEWHERE.contains(fact.name())).toList();
            processes.show(GpuFacts.processes(status));
            readings.show(
                    rest.isEmpty() ? List.of(new Fact(text("devices.readings"), text("devices.not-reported"))) : rest);
        };
        show.accept(first.orElse(null));
        card.live.add(moment -> show.accept(moment == null ? null
                : moment.gpus().stream().filter(status -> status.index() == gpu.index()).findFirst().orElse(null)));
        return card;
    }

    /// Shows readings; null for none.
    void show(MachineMonitor.@Nullable Moment moment) {
        live.forEach(part -> part.show(moment));
    }

    private Gauge gauge(String id, String name) {
        Gauge gauge = new Gauge(id, name);
        getChildren().add(gauge);
        return gauge;
    }

    private static void showMemory(Gauge gauge, long freeBytes, long totalBytes) {
        long used = Math.max(0, totalBytes - freeBytes);
        gauge.show(text("devices.of", QuantityText.bytes(used), QuantityText.bytes(totalBytes)),
                share((double) used, (double) totalBytes));
    }

    private static String value(List<Fact> facts, String name) {
        return facts.stream().filter(fact -> fact.name().equals(name)).map(Fact::value).findFirst()
                .orElse(text("devices.not-reported"));
    }

    private static @Nullable Double share(@Nullable Double part, @Nullable Double whole) {
        return part == null || whole == null || whole <= 0 ? null : Double.valueOf(part / whole);
    }

    /// The card shown without a GPU: attempts, and what still works.
    static Node withoutGpu(GpuReport report) {
        DeviceCard card =
                new DeviceCard("device-no-gpu", "mdal-developer_board", text("devices.none"), text("devices.no-gpu"));
        FactGrid tried = Panes.named("device-tried", new FactGrid());
        tried.show(report.attempts().stream().map(attempt -> new Fact(attempt.what(), attempt.outcome())).toList());
        card.getChildren().addAll(Labels.wrapped(text("devices.still-works")),
                Labels.of(text("devices.tried"), StyleClasses.GROUP_TITLE), tried);
        return card;
    }

    /// Facts in two columns. Rows are reused while the names stay the same.
    private static final class FactGrid extends GridPane {
        private List<Fact> shown = List.of();

        FactGrid() {
            setHgap(12);
            setVgap(3);
            ColumnConstraints names = new ColumnConstraints();
            names.setMinWidth(Region.USE_PREF_SIZE);
            ColumnConstraints words = new ColumnConstraints();
            words.setHgrow(Priority.ALWAYS);
            getColumnConstraints().addAll(names, words);
        }

        void show(List<Fact> facts) {
            if (names(facts).equals(names(shown)) && !shown.isEmpty()) {
                for (int row = 0; row < facts.size(); row++) {
                    ((Label) getChildren().get(2 * row + 1)).setText(facts.get(row).value());
                }
            } else {
                getChildren().clear();
                for (int row = 0; row < facts.size(); row++) {
                    Label name = Labels.fixed(facts.get(row).name(), Styles.TEXT_MUTED, Styles.TEXT_SMALL);
                    GridPane.setValignment(name, VPos.TOP);
                    addRow(row, name, Labels.wrapped(facts.get(row).value()));
                }
            }
            shown = List.copyOf(facts);
        }

        private static List<String> names(List<Fact> facts) {
            return facts.stream().map(Fact::name).toList();
        }
    }

    /// A share with its text: "Memory in use  512 MiB of 22.5 GiB" over a bar. Without a share there is no bar.
    static final class Gauge extends VBox {
        private final Label words = new Label();
        private final ProgressBar bar = Panes.styled(new ProgressBar(0), StyleClasses.SHARE_BAR);

        Gauge(String id, String name) {
            super(4);
            setId(id);
            getStyleClass().add(StyleClasses.GAUGE);
            words.getStyleClass().add(StyleClasses.GAUGE_WORDS);
            words.setMinWidth(0);
            bar.setMaxWidth(Double.MAX_VALUE);
            bar.setFocusTraversable(false);
            bar.managedProperty().bind(bar.visibleProperty());
            getChildren().addAll(
                    new HBox(8, Labels.fixed(name, Styles.TEXT_MUTED, Styles.TEXT_SMALL), Panes.spacer(), words), bar);
        }

        /// @param share 0 to 1; null if unknown
        void show(String text, @Nullable Double share) {
            words.setText(text);
            bar.setProgress(share == null ? 0 : Math.clamp(share, 0, 1));
            bar.setVisible(share != null);
        }
    }
}
