package org.inferometer.report.compare;

import static org.inferometer.report.compare.ComparisonTables.FigureColumn.figure;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.LongSummaryStatistics;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.inferometer.measurement.MemoryMetrics;
import org.inferometer.measurement.Metrics;
import org.inferometer.record.CellFigure;
import org.inferometer.record.MemoryOwner;
import org.inferometer.record.Metric;
import org.inferometer.report.AxisUnit;
import org.inferometer.report.FigureText;
import org.inferometer.report.ReportTable;
import org.inferometer.report.ReportTable.Column;
import org.inferometer.report.ReportTable.Row;
import org.inferometer.units.LetterCase;
import org.inferometer.workload.WorkloadSpec;

/// The tables of a comparison: one row a cell, under its load; one column a metric.
public final class ComparisonTables {
    private static final List<FigureColumn> THROUGHPUT =
            List.of(figure(Metrics.WINDOW, "Duration").in(AxisUnit.SECONDS), figure(Metrics.OFFERED_RATE, "Offered"),
                    figure(Metrics.REQUEST_THROUGHPUT, "Requests"), figure(Metrics.OUTPUT_THROUGHPUT, "Output"),
                    figure(Metrics.MEMORY_PEAK_TOTAL), figure(Metrics.DEVICE_UTILISATION, "Device busy"),
                    figure(Metrics.LANE_UTILISATION, "Lanes busy"));
    private static final List<FigureColumn> END_TO_END =
            List.of(figure(Metrics.E2E.mean(), "E2E mean"), figure(Metrics.E2E.p50(), "E2E P50"),
                    figure(Metrics.E2E.p95(), "E2E P95"), figure(Metrics.E2E.p99(), "E2E P99"));
    private static final List<FigureColumn> SERVICE = List.of(figure(Metrics.SERVICE_TTFT.mean(), "TTFT mean"),
            figure(Metrics.SERVICE_TTFT.p50(), "TTFT P50"), figure(Metrics.SERVICE_TTFT.p95(), "TTFT P95"),
            figure(Metrics.SERVICE_TTFT.p99(), "TTFT P99"), figure(Metrics.SERVICE_E2E.mean(), "E2E mean"),
            figure(Metrics.SERVICE_E2E.p50(), "E2E P50"), figure(Metrics.SERVICE_E2E.p95(), "E2E P95"));
    private static final List<FigureColumn> TOKENS =
            List.of(figure(Metrics.TTFT.p50()), figure(Metrics.TTFT.p95()), figure(Metrics.TTFT.p99()),
                    figure(Metrics.ITL.p50()), figure(Metrics.ITL.p95()), figure(Metrics.ITL.p99()));
    private static final List<FigureColumn> CHUNKS = List.of(figure(Metrics.INTER_CHUNK.p50(), "Inter-chunk P50"),
            figure(Metrics.INTER_CHUNK.p95(), "Inter-chunk P95"), figure(Metrics.INTER_CHUNK.p99(), "Inter-chunk P99"));
    /// Beside chunks, where gaps say little about tokens.
    private static final List<FigureColumn> PER_TOKEN = List.of(figure(Metrics.TPOT.p50()), figure(Metrics.TPOT.p99()));
    private static final List<FigureColumn> SCHEDULING = List.of(figure(Metrics.BATCH_EFFICIENCY, "Efficiency"),
            figure(Metrics.BATCH_OCCUPANCY, "Occupancy"), figure(Metrics.ENGINE_QUEUE.p50(), "Queue P50"),
            figure(Metrics.ENGINE_QUEUE.p95(), "Queue P95"), figure(Metrics.FAIRNESS),
            figure(Metrics.KV_USE_MEAN, "KV mean"), figure(Metrics.KV_USE_PEAK, "KV peak"),
            figure(Metrics.DECISION_TIME.mean(), "Decision").in(AxisUnit.MICROSECONDS));
    private static final Map<Metric, String> SCHEDULING_TERMS =
            Map.of(Metrics.BATCH_EFFICIENCY, "Efficiency: useful share of computed positions.", Metrics.BATCH_OCCUPANCY,
                    "Occupancy: rows of a step / row limit.", Metrics.ENGINE_QUEUE.p50(),
                    "Queue: sending to admission.", Metrics.FAIRNESS, "Fairness: P95 / P50 of E2E per output token.");
    /// Shown where a cell has more than 0 of them.
    private static final List<FigureColumn> OCCASIONAL = List.of(figure(Metrics.PREEMPTIONS),
            figure(Metrics.RECOMPUTED_TOKENS, "Recomputed"), figure(Metrics.PREFIX_HIT_RATE, "Prefix hits"),
            figure(Metrics.REPEATED_PROMPTS), figure(Metrics.MOVES), figure(Metrics.MOVED_BYTES, "Transferred"),
            figure(Metrics.MOVE_TIME.p50(), "Transfer P50"), figure(Metrics.MOVE_TIME.p95(), "Transfer P95"));
    private static final List<FigureColumn> COMPUTING = List.of(figure(Metrics.PREFILL_LATENCY.mean(), "Prefill"),
            figure(Metrics.DECODE_LATENCY.mean(), "Decode"), figure(Metrics.TTFT.mean(), "TTFT"),
            figure(Metrics.COMPUTING_RATE), figure(Metrics.OUTPUT_THROUGHPUT, "Output"),
            figure(Metrics.MODEL_MEMORY_PEAK, "Weights + KV"), figure(Metrics.REPORTED_MEMORY_PEAK, "Reported peak"),
            figure(Metrics.REPORTED_HOST_MEMORY_PEAK, "Host peak"), figure(Metrics.MEMORY_MEAN_TOTAL));
    private static final List<FigureColumn> BY_REQUESTS =
            List.of(figure(Metrics.REQUEST_THROUGHPUT, "Throughput"), figure(Metrics.OUTPUT_THROUGHPUT, "Throughput"),
                    figure(Metrics.E2E.mean(), "E2E mean"), figure(Metrics.E2E.p95(), "E2E P95"));
    private final List<ComparedCell> cells;

    /// @param cells at least one
    public ComparisonTables(List<ComparedCell> cells) {
        this.cells = List.copyOf(cells);
    }

    /// Duration, throughput, memory and utilisation.
    public ReportTable throughput() {
        // llama-bench counts the tokens of prompts, which are no output.
        boolean withoutOutput = cells.stream().anyMatch(cell -> cell.figure(Metrics.TOTAL_THROUGHPUT).isPresent()
                && cell.figure(Metrics.OUTPUT_THROUGHPUT).isEmpty());
        return byLoad("Throughput and resources",
                in(withoutOutput ? Stream
                        .concat(THROUGHPUT.stream(), Stream.of(figure(Metrics.TOTAL_THROUGHPUT, "Total"))).toList()
                        : THROUGHPUT, cells),
                List.of());
    }

    /// E2E latency: mean, P50, P95 and P99.
    public ReportTable latency() {
        return byLoad("E2E latency", END_TO_END, List.of("Counted from the intended send time."));
    }

    /// Latencies from sending, for runs without intended send times.
    private ReportTable service() {
        return byLoad("Service latency", in(SERVICE, cells),
                List.of("Counted from sending, without time queued in the load generator."));
    }

    private boolean needsService() {
        return cells.stream()
                .anyMatch(cell -> cell.figure(Metrics.E2E.mean()).isEmpty() && !in(SERVICE, List.of(cell)).isEmpty());
    }

    /// Prefill, decode, TTFT, rate and memory. Absent where no cell has a time of prefill: engines have it, and tools that report it.
    public Optional<ReportTable> computing() {
        List<ComparedCell> computing = cells.stream().filter(cell -> COMPUTING.getFirst().isIn(List.of(cell))).toList();
        List<String> notes = new ArrayList<>(List.of("Means over requests, then over runs."));
        if (computing.stream().anyMatch(ComparedCell::isTarget)) {
            notes.add("Times and memory peaks of tools are their own reports.");
        }
        return computing.isEmpty() ? Optional.empty()
                : Optional.of(byLoad("Prefill, decode and memory", in(COMPUTING, cells), notes));
    }

    /// Memory by owner: min, mean, peak and peak − min. Absent without samples of memory.
    public Optional<ReportTable> memory() {
        return MemoryTable.of(cells);
    }

    /// TTFT and ITL: P50, P95 and P99.
    public ReportTable tokens() {
        List<FigureColumn> chunks = in(CHUNKS, cells);
        List<FigureColumn> tokens = in(TOKENS, cells);
        boolean gaps = tokens.stream().anyMatch(column -> column.metric().id().startsWith(Metrics.ITL.id()));
        List<FigureColumn> perToken = gaps && chunks.isEmpty() ? List.of() : in(PER_TOKEN, cells);
        boolean first = tokens.stream().anyMatch(column -> column.metric().id().startsWith(Metrics.TTFT.id()));
        String second = !chunks.isEmpty() ? "inter-chunk latency" : gaps ? "ITL" : perToken.isEmpty() ? "" : "TPOT";
        String title = !first ? LetterCase.capitalized(second) : "TTFT" + (second.isEmpty() ? "" : " and " + second);
        return byLoad(title, Stream.of(tokens, chunks, perToken).flatMap(List::stream).toList(),
                chunks.isEmpty() ? List.of() : List.of("Chunks may hold several tokens: there is no ITL."));
    }

    /// Padding, occupancy, queue, fairness and KV use; and preemptions, prefix hits and moves where there were any.
    public ReportTable scheduling() {
        List<FigureColumn> occasional = OCCASIONAL.stream().filter(column -> column.isAboveZeroIn(cells)).toList();
        List<FigureColumn> columns = in(SCHEDULING, cells);
        List<String> notes = new ArrayList<>(List.of(
                columns.stream().flatMap(column -> Optional.ofNullable(SCHEDULING_TERMS.get(column.metric())).stream())
                        .collect(Collectors.joining(" "))));
        notes.removeIf(String::isEmpty);
        if (occasional.stream().noneMatch(column -> column.metric().equals(Metrics.RECOMPUTED_TOKENS))
                && cells.stream().allMatch(cell -> cell.figure(Metrics.RECOMPUTED_TOKENS).isPresent())) {
            notes.add("No position was recomputed.");
        }
        notes.add("Means over runs. Intervals: see CSV or JSON. \"" + FigureText.NOT_APPLICABLE + "\": not recorded.");
        return byLoad("Scheduling",
                Stream.concat(columns.stream(), occasional.stream()).map(FigureColumn::withoutInterval).toList(),
                notes);
    }

    /// Throughput and latency by number of requests, where the loads differ in nothing else; one table for each group of such cells.
    public List<ReportTable> byRequests() {
        return RequestCountGroup.of(cells).stream()
                .map(group -> table("By number of requests", group.common(), BY_REQUESTS, List.of(),
                        group.byCount().values().stream().flatMap(List::stream).toList(),
                        cell -> requests(cell.load().requests())))
                .toList();
    }

    /// The metrics that the tables show, each once.
    public List<Metric> shownMetrics() {
        return all().stream().flatMap(table -> table.columns().stream())
                .flatMap(column -> Stream.ofNullable(column.metric())).distinct().toList();
    }

    /// Every table that has figures, the shortest first.
    public List<ReportTable> all() {
        List<ReportTable> tables = new ArrayList<>(byRequests());
        computing().ifPresent(tables::add);
        if (!in(THROUGHPUT, cells).isEmpty() || !in(List.of(figure(Metrics.TOTAL_THROUGHPUT)), cells).isEmpty()) {
            tables.add(throughput());
        }
        if (!in(END_TO_END, cells).isEmpty()) {
            tables.add(latency());
        }
        if (needsService()) {
            tables.add(service());
        }
        if (Stream.of(TOKENS, CHUNKS, PER_TOKEN).anyMatch(columns -> !in(columns, cells).isEmpty())) {
            tables.add(tokens());
        }
        tables.addAll(ServerTables.of(this, cells));
        if (!in(SCHEDULING, cells).isEmpty()) {
            tables.add(scheduling());
        }
        return tables;
    }

    /// The columns that have a figure in any of the cells.
    static List<FigureColumn> in(List<FigureColumn> columns, List<ComparedCell> cells) {
        return columns.stream().filter(column -> column.isIn(cells)).toList();
    }

    /// One row a cell, under its load.
    ReportTable byLoad(String title, List<FigureColumn> shown, List<String> notes) {
        LoadNames names = LoadNames.of(cells);
        Map<String, List<ComparedCell>> loads = ComparedCell.grouped(cells, names::heading);
        return table(title, ComparedCell.common(cells), shown, notes,
                loads.values().stream().flatMap(List::stream).toList(),
                cell -> loads.size() < 2 ? "" : names.heading(cell));
    }

    private static String requests(int count) {
        return count == 1 ? "1 request" : count + " requests";
    }

    /// @param heading the heading over the row of a cell; empty for none
    private static ReportTable table(String title, String caption, List<FigureColumn> shown, List<String> notes,
            List<ComparedCell> cells, Function<ComparedCell, String> heading) {
        List<Column> columns = new ArrayList<>(List.of(Column.text("Cell"), Column.number("Runs", "")));
        shown.forEach(column -> columns.add(column.column()));
        List<List<String>> texts = shown.stream().map(column -> column.texts(cells)).toList();
        List<Row> rows = new ArrayList<>();
        String current = "";
        for (int c = 0; c < cells.size(); c++) {
            if (!heading.apply(cells.get(c)).equals(current)) {
                current = heading.apply(cells.get(c));
                rows.add(Row.heading(current));
            }
            int row = c;
            rows.add(Row.of(Stream.concat(Stream.of(cells.get(c).name(), Integer.toString(cells.get(c).runs())),
                    texts.stream().map(column -> column.get(row))).toList()));
        }
        return new ReportTable(title, caption, columns, rows,
                Stream.concat(notes.stream(), footnotes(shown, cells).stream()).toList());
    }

    private static List<String> footnotes(List<FigureColumn> shown, List<ComparedCell> cells) {
        List<CellFigure> figures = cells.stream()
                .flatMap(cell -> shown.stream().flatMap(column -> cell.figure(column.metric()).stream())).toList();
        List<String> notes = new ArrayList<>();
        if (shown.stream().allMatch(FigureColumn::interval)
                && figures.stream().anyMatch(figure -> figure.interval().isPresent())) {
            int looks = figures.stream().mapToInt(CellFigure::looks).max().orElse(1);
            notes.add("± and [ ]: 95 % interval over runs"
                    + (looks == 1 ? "." : ", which holds under " + looks + " looks at independent runs.")
                    + (figures.stream().anyMatch(figure -> figure.pooled() != null && figure.ends().isPresent())
                            ? " P90 to P99: by the requests of all runs as well." : ""));
        }
        if (cells.stream().anyMatch(cell -> cell.runs() == 1)) {
            notes.add("1 run has no interval. Measure 3 runs or more.");
        }
        LongSummaryStatistics requests = figures.stream().filter(figure -> figure.metric().id().startsWith("e2e"))
                .mapToLong(CellFigure::n).summaryStatistics();
        if (requests.getCount() > 0) {
            notes.add("E2E: " + requests.getMin()
                    + (requests.getMin() == requests.getMax() ? "" : " to " + requests.getMax())
                    + " requests per cell.");
        }
        if (figures.stream().anyMatch(figure -> !figure.enough())) {
            notes.add("(n): samples of a run, fewer than the percentile needs, 10 / (1 − p).");
        }
        if (figures.stream().anyMatch(figure -> figure.enough() && figure.isMarked())) {
            notes.add("(≈n): all requests count as n independent ones. Too few: the figure is that of such runs.");
        }
        return notes;
    }

    /// A column of a table: a metric with its heading and unit.
    ///
    /// @param interval whether the 95 % interval is shown
    record FigureColumn(Metric metric, String label, AxisUnit unit, boolean interval) {
        /// With interval, in the unit that tables use.
        static FigureColumn figure(Metric metric, String label) {
            return new FigureColumn(metric, label, AxisUnit.ofTables(metric.unit()), true);
        }

        /// The metric under its own label.
        static FigureColumn figure(Metric metric) {
            return figure(metric, metric.label());
        }

        FigureColumn in(AxisUnit other) {
            return new FigureColumn(metric, label, other, interval);
        }

        FigureColumn withoutInterval() {
            return new FigureColumn(metric, label, unit, false);
        }

        Column column() {
            return Column.figures(label, unit.label(), metric);
        }

        /// One text a cell, all with as many decimals as the largest has. Without intervals a dash stands for a missing figure.
        List<String> texts(List<ComparedCell> cells) {
            List<String> texts =
                    FigureText.column(
                            cells.stream()
                                    .map(cell -> cell.figure(metric)
                                            .map(figure -> interval ? figure : figure.withoutInterval()))
                                    .toList(),
                            unit);
            return interval ? texts : texts.stream()
                    .map(text -> text.equals(FigureText.NOT_RECORDED) ? FigureText.NOT_APPLICABLE : text).toList();
        }

        /// Whether any of the cells has the figure.
        boolean isIn(List<ComparedCell> cells) {
            return cells.stream().anyMatch(cell -> cell.figure(metric).isPresent());
        }

        /// Whether the figure of any of the cells is above 0.
        boolean isAboveZeroIn(List<ComparedCell> cells) {
            return cells.stream().anyMatch(cell -> cell.figure(metric).filter(figure -> figure.mean() > 0).isPresent());
        }
    }

    /// Memory by owner: a heading a cell, a row an owner.
    static final class MemoryTable {
        private MemoryTable() {}

        /// The table; empty where no cell has samples of memory.
        static Optional<ReportTable> of(List<ComparedCell> cells) {
            List<Row> rows = new ArrayList<>();
            for (ComparedCell cell : cells) {
                if (cell.figure(Metrics.MEMORY_TOTAL.peak()).isPresent()) {
                    rows.add(Row.heading(cell.label()));
                    rows.add(row("Total", cell, Metrics.MEMORY_TOTAL));
                    Arrays.stream(MemoryOwner.values()).filter(owner -> holds(cell, owner))
                            .forEach(owner -> rows.add(row(owner.label(), cell, Metrics.memory(owner))));
                }
            }
            List<Column> columns = new ArrayList<>(List.of(Column.text("Owner")));
            Stream.of("Min", "Mean", "Peak", "Peak − min").forEach(header -> columns.add(Column.number(header, "MiB")));
            return rows.isEmpty() ? Optional.empty()
                    : Optional.of(new ReportTable("Memory by owner", ComparedCell.common(cells), columns, rows, List.of(
                            "Samples inside the window; means over runs. The peak of the total is not the sum of the owners' peaks.",
                            "Unattributed: libraries, thread stacks and all that has no owner here.")));
        }

        private static boolean holds(ComparedCell cell, MemoryOwner owner) {
            return cell.figure(Metrics.memory(owner).peak()).filter(peak -> peak.mean() != 0).isPresent();
        }

        private static Row row(String owner, ComparedCell cell, MemoryMetrics metrics) {
            return Row.of(Stream.concat(Stream.of("  " + owner),
                    Stream.of(metrics.least(), metrics.mean(), metrics.peak(), metrics.growth())
                            .map(metric -> text(cell, metric)))
                    .toList());
        }

        private static String text(ComparedCell cell, Metric metric) {
            return cell.figure(metric).map(CellFigure::mean).map(mean -> FigureText.value(metric.unit(), mean))
                    .orElse(FigureText.NOT_APPLICABLE);
        }
    }

    /// Cells that differ in scheduler and number of requests only, and targets under their loads. Loads that end by time or with their file are left out.
    ///
    /// @param common what the cells share
    /// @param byCount the cells of each number of requests, in the order of the cells
    public record RequestCountGroup(String common, SortedMap<Integer, List<ComparedCell>> byCount) {
        private static final int LEAST_COUNTS = 2;

        /// The groups with at least two numbers of requests.
        public static List<RequestCountGroup> of(List<ComparedCell> cells) {
            List<ComparedCell> engines = cells.stream().filter(cell -> !cell.isTarget()).toList();
            return ComparedCell.grouped(engines.isEmpty() ? cells : engines, RequestCountGroup::key).values().stream()
                    .map(group -> engines.isEmpty() ? group : withTargets(group, cells))
                    .map(group -> new RequestCountGroup(text(group.getFirst()),
                            group.stream().filter(cell -> load(cell).requests() > 0)
                                    .collect(Collectors.groupingBy(cell -> load(cell).requests(), TreeMap::new,
                                            Collectors.toList()))))
                    .filter(group -> group.byCount().size() >= LEAST_COUNTS).toList();
        }

        /// Whether the loads of these cells differ in their number of requests only, so that a figure can be drawn against it.
        public static boolean tellLoadsApart(List<ComparedCell> cells) {
            List<WorkloadSpec> loads = cells.stream().map(RequestCountGroup::load).distinct().toList();
            long counts =
                    loads.stream().mapToInt(WorkloadSpec::requests).filter(requests -> requests > 0).distinct().count();
            return counts >= LEAST_COUNTS && counts == loads.size()
                    && loads.stream().map(RequestCountGroup::uncounted).distinct().count() == 1;
        }

        /// The engines of a group, and the targets under its loads.
        private static List<ComparedCell> withTargets(List<ComparedCell> engines, List<ComparedCell> cells) {
            ComparedCell first = engines.getFirst();
            return cells
                    .stream().filter(
                            cell -> cell.isTarget()
                                    ? cell.experiment().equals(first.experiment())
                                            && uncounted(load(cell)).equals(uncounted(load(first)))
                                    : engines.contains(cell))
                    .toList();
        }

        private static WorkloadSpec load(ComparedCell cell) {
            return cell.load();
        }

        private static Object key(ComparedCell cell) {
            return List.of(cell.subject().model(), cell.subject().platform(), cell.experiment(), uncounted(load(cell)));
        }

        private static WorkloadSpec uncounted(WorkloadSpec load) {
            return load.withName("").withRequests(0);
        }

        private static String text(ComparedCell cell) {
            WorkloadSpec load = load(cell);
            String lengths = load.promptFile() == null
                    ? "prompts of " + load.promptTokens() + " and outputs of " + load.outputTokens() + " tokens"
                    : "prompts of a file";
            return cell.subject().model().map(model -> model + " · ").orElse("") + lengths + " · "
                    + LoadNames.words(load.arrivals());
        }
    }
}
