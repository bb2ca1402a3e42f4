package org.inferometer.report.compare;

import static org.inferometer.report.compare.ComparisonTables.FigureColumn.figure;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.inferometer.measurement.MetricFamily;
import org.inferometer.measurement.Metrics;
import org.inferometer.record.CellFigure;
import org.inferometer.report.FigureText;
import org.inferometer.report.ReportTable;
import org.inferometer.report.ReportTable.Column;
import org.inferometer.report.ReportTable.Row;
import org.inferometer.report.compare.ComparisonTables.FigureColumn;
import org.inferometer.units.QuantityText;

/// What servers, and the exporters of their GPUs, say of themselves: tables and findings.
final class ServerTables {
    private static final List<FigureColumn> SERVER =
            List.of(figure(Metrics.SERVER_QUEUE.mean(), "Queue"), figure(Metrics.SERVER_PREFILL.mean(), "Prefill"),
                    figure(Metrics.SERVER_DECODE.mean(), "Decode"), figure(Metrics.SERVER_TTFT.mean(), "TTFT"),
                    figure(Metrics.SERVER_INTER_TOKEN.mean(), "Inter-token"), figure(Metrics.SERVER_E2E.mean(), "E2E"),
                    figure(Metrics.SERVER_RUNNING, "Running"), figure(Metrics.SERVER_WAITING, "Waiting"),
                    figure(Metrics.SERVER_KV_USE, "KV mean"), figure(Metrics.SERVER_KV_PEAK, "KV peak"),
                    figure(Metrics.SERVER_PREEMPTIONS, "Preemptions"), figure(Metrics.SERVER_ACCEPTANCE, "Acceptance"),
                    figure(Metrics.SERVER_ACCEPTANCE_LENGTH, "Acceptance length"));
    private static final List<MetricFamily> TIMES = List.of(Metrics.SERVER_QUEUE, Metrics.SERVER_PREFILL,
            Metrics.SERVER_TTFT, Metrics.SERVER_INTER_TOKEN, Metrics.SERVER_DECODE, Metrics.SERVER_E2E);
    private static final List<Integer> PERCENTS = List.of(50, 95, 99);
    private static final List<FigureColumn> GPUS =
            List.of(figure(Metrics.ENERGY_PER_TOKEN, "Energy"), figure(Metrics.GPU_POWER, "Power"),
                    figure(Metrics.DEVICE_UTILISATION, "Busy"), figure(Metrics.REPORTED_MEMORY_PEAK, "Memory peak"));

    private ServerTables() {}

    /// The tables that have figures.
    static List<ReportTable> of(ComparisonTables tables, List<ComparedCell> cells) {
        List<ReportTable> made = new ArrayList<>();
        List<FigureColumn> said = ComparisonTables.in(SERVER, cells);
        if (!said.isEmpty()) {
            made.add(tables.byLoad("The server's own figures", said,
                    List.of("By the server's counters over the window, other clients included. Times are means.")));
        }
        percentiles(cells).ifPresent(made::add);
        if (!ComparisonTables.in(GPUS.subList(0, 2), cells).isEmpty()) {
            made.add(tables.byLoad("GPU energy and power", ComparisonTables.in(GPUS, cells),
                    List.of("All GPUs that are read count, whatever else they compute.")));
        }
        return made;
    }

    /// A heading a cell, a row a time.
    private static Optional<ReportTable> percentiles(List<ComparedCell> cells) {
        List<Row> rows = new ArrayList<>();
        for (ComparedCell cell : cells) {
            List<MetricFamily> known = TIMES.stream().filter(
                    times -> PERCENTS.stream().anyMatch(percent -> cell.figure(times.percentile(percent)).isPresent()))
                    .toList();
            if (!known.isEmpty()) {
                rows.add(Row.heading(cell.label()));
                known.forEach(times -> rows.add(Row.of(Stream
                        .concat(Stream.of("  " + times.label()),
                                PERCENTS.stream().map(percent -> cell.figure(times.percentile(percent)))
                                        .map(figure -> figure.isEmpty() ? FigureText.NOT_APPLICABLE
                                                : FigureText.figure(figure.map(CellFigure::withoutInterval))))
                        .toList())));
            }
        }
        List<Column> columns = new ArrayList<>(List.of(Column.text("Time")));
        PERCENTS.forEach(percent -> columns.add(Column.number("P" + percent, "ms")));
        return rows.isEmpty() ? Optional.empty()
                : Optional.of(new ReportTable("Percentiles by the server's own histograms", ComparedCell.common(cells),
                        columns, rows,
                        List.of("Means over runs. \"in a–b\": the ends of the histogram's bucket; linear between them.",
                                "\"–\": not recorded, or in the last bucket, which has no end.")));
    }

    /// What the first token waited for, and the energy of a token.
    static List<String> findings(List<ComparedCell> cells) {
        return Stream.of(queue(cells), energy(cells)).flatMap(Optional::stream).toList();
    }

    /// What the server's time to the first token is made of, by its own clock, in the cell where it is longest.
    private static Optional<String> queue(List<ComparedCell> cells) {
        return cells.stream()
                .filter(cell -> cell.figure(Metrics.SERVER_TTFT.mean()).isPresent()
                        && cell.figure(Metrics.SERVER_QUEUE.mean()).isPresent())
                .max(Comparator.comparingDouble(cell -> cell.required(Metrics.SERVER_TTFT.mean()).mean())).map(cell -> {
                    double first = cell.required(Metrics.SERVER_TTFT.mean()).mean();
                    double queue = Math.min(first, cell.required(Metrics.SERVER_QUEUE.mean()).mean());
                    return cell.label() + ": by the server's clock " + QuantityText.latency(queue) + " of "
                            + QuantityText.latency(first) + " to the first token are queueing ("
                            + FigureText.percent(queue / first) + " %), the rest is computing.";
                });
    }

    /// The cell with the least energy a token, beside the one with the most.
    private static Optional<String> energy(List<ComparedCell> cells) {
        List<ComparedCell> known = cells.stream().filter(cell -> cell.figure(Metrics.ENERGY_PER_TOKEN).isPresent())
                .sorted(Comparator.comparingDouble(cell -> cell.required(Metrics.ENERGY_PER_TOKEN).mean())).toList();
        return known.isEmpty() ? Optional.empty() : Optional.of((known.size() < 2 ? "Energy: " : "Least energy: ")
                + energy(known.getFirst()) + (known.size() < 2 ? "" : " Most: " + energy(known.getLast())));
    }

    private static String energy(ComparedCell cell) {
        return cell.label() + ", " + FigureText.meanWithUnit(cell.required(Metrics.ENERGY_PER_TOKEN))
                + cell.figure(Metrics.GPU_POWER).map(power -> " at " + FigureText.meanWithUnit(power)).orElse("") + ".";
    }
}
