package org.inferometer.report.compare;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Stream;
import org.inferometer.experiment.Subject.TargetSubject;
import org.inferometer.record.CellFigure;
import org.inferometer.record.Metric.Unit;
import org.inferometer.report.AxisUnit;
import org.inferometer.report.ReportTable;
import org.inferometer.report.ReportTable.Column;
import org.inferometer.report.ReportTable.Row;

/// The tables of a comparison: one row a cell, under the load that it faced; one column a figure.
public final class ComparisonTables {
    private static final String LATENCY_NOTE =
            "Latencies count from the intended instant of the request; lower is better.";
    private static final List<ShownFigure> THROUGHPUT =
            List.of(new ShownFigure("window", "Total time", AxisUnit.SECONDS),
                    ShownFigure.of("request_throughput", "Requests", Unit.PER_SECOND_REQUESTS),
                    ShownFigure.of("output_throughput", "Output", Unit.PER_SECOND_TOKENS),
                    ShownFigure.of("memory_peak_total", "Memory peak", Unit.BYTES),
                    ShownFigure.of("device_utilisation", "CPU or GPU", Unit.FRACTION),
                    ShownFigure.of("lane_utilisation", "Lanes busy", Unit.FRACTION));
    private static final List<ShownFigure> END_TO_END =
            List.of(ShownFigure.of("e2e_mean", "E2E mean", Unit.NANOSECONDS),
                    ShownFigure.of("e2e_p50", "E2E P50", Unit.NANOSECONDS),
                    ShownFigure.of("e2e_p95", "E2E P95", Unit.NANOSECONDS),
                    ShownFigure.of("e2e_p99", "E2E P99", Unit.NANOSECONDS));
    private static final List<ShownFigure> SERVICE =
            List.of(ShownFigure.of("service_ttft_mean", "TTFT mean", Unit.NANOSECONDS),
                    ShownFigure.of("service_ttft_p50", "TTFT P50", Unit.NANOSECONDS),
                    ShownFigure.of("service_ttft_p95", "TTFT P95", Unit.NANOSECONDS),
                    ShownFigure.of("service_e2e_mean", "E2E mean", Unit.NANOSECONDS),
                    ShownFigure.of("service_e2e_p50", "E2E P50", Unit.NANOSECONDS),
                    ShownFigure.of("service_e2e_p95", "E2E P95", Unit.NANOSECONDS));
    private static final List<ShownFigure> TOKENS = List.of(ShownFigure.of("ttft_p50", "TTFT P50", Unit.NANOSECONDS),
            ShownFigure.of("ttft_p95", "TTFT P95", Unit.NANOSECONDS),
            ShownFigure.of("ttft_p99", "TTFT P99", Unit.NANOSECONDS),
            ShownFigure.of("itl_p50", "ITL P50", Unit.NANOSECONDS),
            ShownFigure.of("itl_p95", "ITL P95", Unit.NANOSECONDS),
            ShownFigure.of("itl_p99", "ITL P99", Unit.NANOSECONDS));
    private static final List<ShownFigure> CHUNKS =
            List.of(ShownFigure.of("inter_chunk_p50", "Chunk gap P50", Unit.NANOSECONDS),
                    ShownFigure.of("inter_chunk_p95", "Chunk gap P95", Unit.NANOSECONDS),
                    ShownFigure.of("inter_chunk_p99", "Chunk gap P99", Unit.NANOSECONDS));
    private static final List<ShownFigure> SCHEDULING = List.of(
            ShownFigure.of("batch_efficiency", "Not padding", Unit.FRACTION),
            ShownFigure.of("batch_occupancy", "Occupancy", Unit.FRACTION),
            ShownFigure.of("engine_queue_p50", "Queue P50", Unit.NANOSECONDS),
            ShownFigure.of("engine_queue_p95", "Queue P95", Unit.NANOSECONDS),
            ShownFigure.of("fairness", "Fairness", Unit.RATIO), ShownFigure.of("kv_use_mean", "KV mean", Unit.FRACTION),
            ShownFigure.of("kv_use_peak", "KV peak", Unit.FRACTION),
            new ShownFigure("decision_time_mean", "Decision", AxisUnit.MICROSECONDS));
    /// Figures that most schedulers have none of: they are shown where one has some.
    private static final List<ShownFigure> SCHEDULING_AT_TIMES =
            List.of(ShownFigure.of("preemptions", "Preempted", Unit.COUNT),
                    ShownFigure.of("recomputed_tokens", "Recomputed", Unit.COUNT),
                    ShownFigure.of("prefix_hit_rate", "Prefix hits", Unit.FRACTION),
                    ShownFigure.of("moves", "Moves", Unit.COUNT), ShownFigure.of("moved_bytes", "Moved", Unit.BYTES),
                    ShownFigure.of("move_time_p50", "Move P50", Unit.NANOSECONDS),
                    ShownFigure.of("move_time_p95", "Move P95", Unit.NANOSECONDS));
    private static final List<ShownFigure> COMPUTING =
            List.of(ShownFigure.of("prefill_latency_mean", "Prefill", Unit.NANOSECONDS),
                    ShownFigure.of("decode_latency_mean", "Decode", Unit.NANOSECONDS),
                    ShownFigure.of("computing_rate", "While computing", Unit.PER_SECOND_TOKENS),
                    ShownFigure.of("output_throughput", "Output", Unit.PER_SECOND_TOKENS),
                    ShownFigure.of("reported_memory_peak", "Memory peak", Unit.BYTES),
                    ShownFigure.of("reported_host_memory_peak", "Host peak", Unit.BYTES),
                    ShownFigure.of("memory_mean_total", "Memory mean", Unit.BYTES));
    private static final List<ShownFigure> BY_SIZE =
            List.of(ShownFigure.of("request_throughput", "Throughput", Unit.PER_SECOND_REQUESTS),
                    ShownFigure.of("output_throughput", "Throughput", Unit.PER_SECOND_TOKENS),
                    ShownFigure.of("e2e_mean", "E2E mean", Unit.NANOSECONDS),
                    ShownFigure.of("e2e_p95", "E2E P95", Unit.NANOSECONDS));
    private final List<ComparedCell> cells;

    /// @param cells at least one
    public ComparisonTables(List<ComparedCell> cells) {
        this.cells = List.copyOf(cells);
    }

    /// Total time, throughput, memory and utilisation.
    public ReportTable throughput() {
        return byLoad("Throughput and resources", THROUGHPUT, List.of());
    }

    /// End-to-end latency: mean, P50, P95 and P99.
    public ReportTable latency() {
        return byLoad("End-to-end latency", END_TO_END, List.of(LATENCY_NOTE));
    }

    /// Latencies from sending, for runs that do not know when a request was to be sent.
    public ReportTable service() {
        List<ShownFigure> shown = SERVICE.stream().filter(figure -> figure.isIn(cells)).toList();
        return byLoad("Latency from sending", shown,
                List.of("These count from sending: waiting inside the load generator is not in them."));
    }

    private boolean needsService() {
        return cells.stream().anyMatch(cell -> cell.figure("e2e_mean").isEmpty()
                && SERVICE.stream().anyMatch(figure -> figure.isIn(List.of(cell))));
    }

    /// Prefill, decode, rate and memory together, of targets outside this process that tell them: one table over engines, batches and
    /// lengths. Absent where none does.
    public Optional<ReportTable> computing() {
        List<ComparedCell> telling =
                cells.stream().filter(cell -> cell.summary().cell().subject() instanceof TargetSubject
                        && COMPUTING.getFirst().isIn(List.of(cell))).toList();
        if (telling.isEmpty()) {
            return Optional.empty();
        }
        List<ShownFigure> shown = COMPUTING.stream().filter(figure -> figure.isIn(telling)).toList();
        return Optional.of(new ComparisonTables(telling).byLoad("Prefill, decode and memory", shown, List.of(
                "Prefill and decode are the tool's own times, and the rate while computing counts no other; memory is what the tool told of itself, where it did.")));
    }

    /// Time to first token and gaps between tokens: P50, P95 and P99.
    public ReportTable tokens() {
        List<ShownFigure> shown = new ArrayList<>(TOKENS.stream().filter(figure -> figure.isIn(cells)).toList());
        List<ShownFigure> ofChunks = CHUNKS.stream().filter(figure -> figure.isIn(cells)).toList();
        shown.addAll(ofChunks);
        return byLoad("Time to first token and gaps between tokens", shown, ofChunks.isEmpty() ? List.of()
                : List.of("Where a chunk may hold several tokens the gaps are those between chunks; they are no ITL."));
    }

    /// What schedulers are told apart by: padding, occupancy, queue, fairness and KV use; and preemptions, prefix hits and moves where
    /// there were any.
    public ReportTable scheduling() {
        List<ShownFigure> shown = new ArrayList<>(SCHEDULING.stream().filter(figure -> figure.isIn(cells)).toList());
        List<ShownFigure> atTimes = SCHEDULING_AT_TIMES.stream().filter(figure -> figure.isSomeIn(cells)).toList();
        shown.addAll(atTimes);
        List<String> notes = new ArrayList<>();
        notes.add(
                "Not padding is the useful share of the positions computed, occupancy the mean rows of a step over the row limit, queue the time"
                        + " from sending to admission, fairness P95 over P50 of the time a request takes per output token, which needs as many samples as a P95.");
        if (atTimes.stream().noneMatch(figure -> figure.metricId().equals("recomputed_tokens"))
                && cells.stream().allMatch(cell -> cell.figure("recomputed_tokens").isPresent())) {
            notes.add("Nothing was computed twice.");
        }
        notes.add(
                "Means over runs; their intervals are in the CSV and JSON reports. A dash: there is none, or it was not recorded.");
        return byLoad("Scheduling", shown.stream().map(ShownFigure::withoutInterval).toList(), notes);
    }

    /// Throughput and P95 by the number of requests, where the loads differ in nothing else; one table for everything else that the cells
    /// have in common.
    public List<ReportTable> bySize() {
        return RequestSizes.of(cells).stream().map(this::bySize).toList();
    }

    private ReportTable bySize(RequestSizes sizes) {
        List<ComparedCell> ordered = sizes.bySize().values().stream().flatMap(List::stream).toList();
        Sections sections = new Sections("Comparison by number of requests", sizes.common(), BY_SIZE, List.of());
        return sections.table(ordered, cell -> requests(cell.summary().cell().workload().requests()));
    }

    /// The ids of the metrics that the tables show.
    public List<String> shownMetrics() {
        return Stream
                .of(computing().isPresent() ? COMPUTING : List.<ShownFigure>of(), THROUGHPUT, END_TO_END, TOKENS,
                        CHUNKS, SCHEDULING, SCHEDULING_AT_TIMES)
                .flatMap(List::stream).map(ShownFigure::metricId).distinct().toList();
    }

    /// Every table that has figures, the shortest first.
    public List<ReportTable> all() {
        List<ReportTable> tables = new ArrayList<>(bySize());
        computing().ifPresent(tables::add);
        tables.add(throughput());
        if (!needsService() || END_TO_END.stream().anyMatch(figure -> figure.isIn(cells))) {
            tables.add(latency());
        }
        if (needsService()) {
            tables.add(service());
        }
        tables.add(tokens());
        if (SCHEDULING.stream().anyMatch(figure -> figure.isIn(cells))) {
            tables.add(scheduling());
        }
        return tables;
    }

    private ReportTable byLoad(String title, List<ShownFigure> shown, List<String> notes) {
        Map<String, List<ComparedCell>> loads = ComparedCell.byLoad(cells);
        List<ComparedCell> ordered = loads.values().stream().flatMap(List::stream).toList();
        Function<ComparedCell, String> section = loads.size() < 2 ? cell -> "" : cell -> loads.entrySet().stream()
                .filter(load -> load.getValue().contains(cell)).findFirst().orElseThrow().getKey();
        return new Sections(title, ComparedCell.common(cells), shown, notes).table(ordered, section);
    }

    private static String requests(int count) {
        return count == 1 ? "1 request" : count + " requests";
    }

    /// A table whose rows stand under headings.
    private record Sections(String title, String caption, List<ShownFigure> shown, List<String> notes) {
        /// @param section what each row stands under; empty for no heading
        ReportTable table(List<ComparedCell> cells, Function<ComparedCell, String> section) {
            List<Column> columns = new ArrayList<>(List.of(Column.text("Cell"), Column.number("Runs", "")));
            List<List<String>> texts = new ArrayList<>();
            for (ShownFigure figure : shown) {
                columns.add(figure.column());
                texts.add(figure.texts(cells));
            }
            List<Row> rows = new ArrayList<>();
            String under = "";
            for (int c = 0; c < cells.size(); c++) {
                String heading = section.apply(cells.get(c));
                if (!heading.equals(under)) {
                    rows.add(Row.heading(heading));
                    under = heading;
                }
                List<String> row =
                        new ArrayList<>(List.of(cells.get(c).name(), Integer.toString(cells.get(c).summary().runs())));
                for (List<String> column : texts) {
                    row.add(column.get(c));
                }
                rows.add(Row.of(row));
            }
            List<String> footnotes = new ArrayList<>(notes);
            footnotes.addAll(footnotes(cells));
            return new ReportTable(title, caption, columns, rows, footnotes);
        }

        private List<String> footnotes(List<ComparedCell> cells) {
            List<CellFigure> figures = cells.stream().flatMap(
                    cell -> shown.stream().map(figure -> cell.figure(figure.metricId())).flatMap(Optional::stream))
                    .toList();
            List<String> notes = new ArrayList<>();
            if (shown.stream().allMatch(ShownFigure::spread)
                    && figures.stream().anyMatch(figure -> figure.interval().isPresent())) {
                notes.add("± is half of the 95 % t-interval over runs.");
            }
            if (cells.stream().anyMatch(cell -> cell.summary().runs() == 1)) {
                notes.add("One run has no interval: run it again to learn how much it varies.");
            }
            TreeSet<Long> requests = new TreeSet<>();
            figures.stream().filter(figure -> figure.metric().id().startsWith("e2e"))
                    .forEach(figure -> requests.add(figure.n()));
            if (!requests.isEmpty()) {
                String n = requests.first().equals(requests.last()) ? requests.first().toString()
                        : requests.first() + " to " + requests.last();
                notes.add("End-to-end latency rests on " + n + " requests a cell.");
            }
            if (figures.stream().anyMatch(figure -> !figure.enough())) {
                notes.add(
                        "(n) behind a percentile is its number of samples in a run, the fewest of any, where they are fewer than it needs, 10/(1 − p).");
            }
            return notes;
        }
    }
}
