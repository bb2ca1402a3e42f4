package org.inferometer.report.compare;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalDouble;
import org.inferometer.experiment.Field;
import org.inferometer.experiment.LoadSweep.Measure;
import org.inferometer.experiment.WorkloadFields;
import org.inferometer.report.ArrivalText;
import org.inferometer.workload.ArrivalProcess;
import org.inferometer.workload.WorkloadSpec;
import org.jspecify.annotations.Nullable;

/// Names the loads of a comparison by what tells them apart: "4.5 req/s", "4 in flight", "1024 prompt tokens".
///
/// Where several settings differ a load goes by its own name, and where two names are equal by its name with its facts.
public final class LoadNames {
    private static final String ARRIVALS = "arrivals";
    private static final String REQUESTS = "requests";
    private static final List<String> LENGTHS = List.of("prompt_tokens", "output_tokens");
    private static final String NUMBER_OR_RANGE = "\\d+(\\.\\.\\d+)?";
    private final Map<WorkloadSpec, LoadName> names;

    private LoadNames(Map<WorkloadSpec, LoadName> names) {
        this.names = names;
    }

    /// @param preposition with which it begins a sentence: "at"
    /// @param number of a load that is named by one
    /// @param rest the unit behind the number, or the whole name
    private record LoadName(String preposition, @Nullable BigDecimal number, String rest) {
        /// Of a load without a number.
        static LoadName under(String name) {
            return new LoadName("under", null, name);
        }

        String text() {
            return number == null ? rest : number.toPlainString() + " " + rest;
        }
    }

    /// The names of the loads of these cells.
    public static LoadNames of(List<ComparedCell> cells) {
        Map<WorkloadSpec, String> loads = new LinkedHashMap<>();
        cells.forEach(cell -> loads.putIfAbsent(cell.load(), ComparedCell.workload(cell)));
        return of(loads, cells.stream().anyMatch(ComparedCell::isImported));
    }

    /// The names of loads.
    ///
    /// @param loads with their facts: "short (60 requests, 4 req/s)"
    /// @param imported whether another tool measured one of them, whose settings are not known
    static LoadNames of(Map<WorkloadSpec, String> loads, boolean imported) {
        Map<WorkloadSpec, LoadName> names = new LinkedHashMap<>();
        if (!imported) {
            String differing = differing(List.copyOf(loads.keySet()));
            loads.keySet().forEach(load -> value(load, differing).ifPresent(name -> names.put(load, name)));
        }
        if (names.size() < loads.size() || distinct(names) < loads.size()) {
            loads.keySet().forEach(load -> names.put(load, LoadName.under(load.name())));
        }
        if (distinct(names) < loads.size()) {
            loads.forEach((load, facts) -> names.put(load, LoadName.under(facts)));
        }
        return new LoadNames(names);
    }

    private static long distinct(Map<WorkloadSpec, LoadName> names) {
        return names.values().stream().map(LoadName::text).distinct().count();
    }

    /// The one setting that differs; the number of requests may follow from it. Arrivals of a single load; "" for several settings.
    private static String differing(List<WorkloadSpec> loads) {
        List<String> differing = new ArrayList<>();
        for (Field<WorkloadSpec, ?> field : WorkloadFields.ALL) {
            if (!field.name().equals("name") && loads.stream().map(field::write).distinct().count() > 1) {
                differing.add(field.name());
            }
        }
        if (differing.size() > 1) {
            differing.remove(REQUESTS);
        }
        return differing.isEmpty() ? ARRIVALS : differing.size() == 1 ? differing.getFirst() : "";
    }

    private static Optional<LoadName> value(WorkloadSpec load, String setting) {
        if (setting.equals(ARRIVALS)) {
            return strength(load.arrivals());
        }
        if (setting.equals(REQUESTS)) {
            boolean counted = load.requests() > 0 && load.refinements().durationNanos() == 0;
            return load.requests() == 0 ? Optional.empty()
                    : Optional.of(counted
                            ? new LoadName("with", BigDecimal.valueOf(load.requests()),
                                    load.requests() == 1 ? "request" : "requests")
                            : new LoadName("with", null, load.sizeText()));
        }
        return WorkloadFields.ALL.stream().filter(field -> field.name().equals(setting) && LENGTHS.contains(setting))
                .map(field -> String.join("", field.write(load))).filter(text -> text.matches(NUMBER_OR_RANGE))
                .map(text -> named(text, setting.replace('_', ' '))).findFirst();
    }

    /// @param length a number, or a range
    private static LoadName named(String length, String unit) {
        return length.contains("..") ? new LoadName("with", null, length + " " + unit)
                : new LoadName("with", new BigDecimal(length), unit);
    }

    /// Arrivals in words: "4.5 req/s", "8 in flight"; with their name where they are neither Poisson nor a closed loop.
    static String words(ArrivalProcess arrivals) {
        return strength(arrivals).map(LoadName::text).orElseGet(() -> ArrivalText.of(arrivals));
    }

    private static Optional<LoadName> strength(ArrivalProcess arrivals) {
        return Arrays.stream(Measure.values()).flatMap(measure -> strength(arrivals, measure).stream()).findFirst();
    }

    private static Optional<LoadName> strength(ArrivalProcess arrivals, Measure measure) {
        OptionalDouble strength = measure.of(arrivals);
        if (strength.isEmpty()) {
            return Optional.empty();
        }
        BigDecimal number = BigDecimal.valueOf(strength.getAsDouble()).stripTrailingZeros();
        return Optional.of(switch (measure) {
            case RATE -> new LoadName("at", number, "req/s");
            case CONCURRENCY -> new LoadName("with", number, "in flight");
        });
    }

    /// The name of a cell's load: "4.5 req/s".
    public String of(ComparedCell cell) {
        return name(cell).text();
    }

    /// The name of a load: "4.5 req/s".
    String of(WorkloadSpec load) {
        return name(load).text();
    }

    /// The unit of a load that is named by a number: "req/s".
    Optional<String> unit(ComparedCell cell) {
        return name(cell).number() == null ? Optional.empty() : Optional.of(name(cell).rest());
    }

    /// The heading over the cells of a load: "4.5 req/s"; a name of its own with its facts: "short (60 requests, 4 req/s)".
    String heading(ComparedCell cell) {
        String name = of(cell);
        return name.equals(cell.load().name()) ? ComparedCell.workload(cell) : name;
    }

    /// The circumstance of a sentence: "at 4.5 req/s".
    public String circumstance(ComparedCell cell) {
        LoadName name = name(cell);
        return name.preposition() + " " + name.text();
    }

    /// The loads of cells in ascending order of their number; empty where they have none or other units.
    ///
    /// @param loads the cells of each load
    public List<List<ComparedCell>> ascending(Collection<List<ComparedCell>> loads) {
        List<LoadName> known = loads.stream().map(load -> name(load.getFirst())).toList();
        return known.stream().anyMatch(name -> name.number() == null)
                || known.stream().map(LoadName::rest).distinct().count() != 1 ? List.of()
                        : loads.stream().sorted(Comparator.comparing(load -> number(load.getFirst()))).toList();
    }

    private BigDecimal number(ComparedCell cell) {
        return Objects.requireNonNull(name(cell).number(), "Not named by a number.");
    }

    /// "from 2 to 8 req/s" of two loads with a number each.
    public String range(ComparedCell lowest, ComparedCell highest) {
        return "from " + number(lowest).toPlainString() + " to " + of(highest);
    }

    private LoadName name(ComparedCell cell) {
        return name(cell.load());
    }

    private LoadName name(WorkloadSpec load) {
        LoadName name = names.get(load);
        return name == null ? LoadName.under(load.name()) : name;
    }
}
