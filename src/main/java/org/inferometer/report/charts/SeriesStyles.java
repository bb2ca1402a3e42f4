package org.inferometer.report.charts;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.inferometer.experiment.Subject;
import org.inferometer.report.charts.ChartData.Dash;
import org.inferometer.report.charts.ChartData.SeriesStyle;
import org.inferometer.report.compare.ComparedCell;

/// The style of each cell of a comparison. The colour is the first that varies of scheduler or server, model, deployment and experiment; the
/// marker is the others that vary. The dash is the precision, where it varies, and the strength of the colour is the load.
///
/// A scheduler has the same colour in every result. Styles follow from all cells, so hiding a series changes none.
public final class SeriesStyles {
    /// How many slots cells have; the last one of the palette is reserved for a baseline.
    public static final int SLOTS = 7;
    private static final double PALEST = 0.5;
    /// The palette slot of each scheduler is its place.
    private static final List<String> SCHEDULERS =
            List.of("continuous", "naive", "simple", "dynamic", "parallel", "disaggregated");
    private static final List<Function<ComparedCell, String>> VARYING =
            List.of(SeriesStyles::system, cell -> cell.summary().model(), SeriesStyles::deployment,
                    ComparedCell::experiment, ComparedCell::precision);
    private final Map<List<String>, Integer> colours = new LinkedHashMap<>();
    private final Map<List<String>, Integer> markers = new LinkedHashMap<>();
    private final List<Object> loads;
    private final List<Function<ComparedCell, String>> hue;
    private final List<Function<ComparedCell, String>> rest;
    private final boolean onePrecision;

    /// @param cells all cells of the comparison, in order
    public SeriesStyles(List<ComparedCell> cells) {
        List<Function<ComparedCell, String>> varying =
                VARYING.stream().filter(part -> cells.stream().map(part).distinct().count() > 1).toList();
        hue = varying.isEmpty() ? VARYING.subList(0, 1) : varying.subList(0, 1);
        rest = varying.isEmpty() ? List.of() : varying.subList(1, varying.size());
        onePrecision =
                cells.stream().map(ComparedCell::precision).filter(known -> !known.isBlank()).distinct().count() < 2;
        loads = cells.stream().<Object>map(ComparedCell::load).distinct().toList();
        List<List<String>> hues = cells.stream().map(cell -> key(hue, cell)).distinct().toList();
        boolean schedulers = hue.equals(VARYING.subList(0, 1));
        hues.stream().filter(key -> schedulers && ownSlot(key) >= 0 && !colours.containsValue(ownSlot(key)))
                .forEach(key -> colours.put(key, ownSlot(key)));
        hues.stream().filter(key -> !colours.containsKey(key)).forEach(key -> colours.put(key, freeSlot()));
        cells.forEach(cell -> markers.putIfAbsent(markerKey(cell), markers.size()));
    }

    /// The style of one of the cells.
    public SeriesStyle of(ComparedCell cell) {
        int colour = colours.getOrDefault(key(hue, cell), 0);
        int marker = rest.isEmpty() && colour < SLOTS ? colour : markers.getOrDefault(markerKey(cell), 0);
        int load = Math.max(0, loads.indexOf(cell.load()));
        double strength = loads.size() < 2 ? 1 : PALEST + (1 - PALEST) * load / (loads.size() - 1);
        return new SeriesStyle(colour % SLOTS, onePrecision ? Dash.SOLID : dash(cell), marker % SLOTS, strength);
    }

    private static Dash dash(ComparedCell cell) {
        return switch (cell.precision()) {
            case "fp8" -> Dash.LONG;
            case "int8" -> Dash.DASH_DOT;
            case "int4" -> Dash.DOTTED;
            default -> Dash.SOLID;
        };
    }

    /// The style of its curve where the load is an axis.
    SeriesStyle ofCurve(ComparedCell cell) {
        SeriesStyle style = of(cell);
        return new SeriesStyle(style.colour(), style.dash(), style.marker(), 1);
    }

    /// What the marker tells apart: the rest, and colours that repeat.
    private List<String> markerKey(ComparedCell cell) {
        List<String> key = new ArrayList<>(key(rest, cell));
        key.add(Integer.toString(colours.getOrDefault(key(hue, cell), 0) / SLOTS));
        return key;
    }

    private static List<String> key(List<Function<ComparedCell, String>> parts, ComparedCell cell) {
        return parts.stream().map(part -> part.apply(cell)).toList();
    }

    /// The slot of a scheduler by its name without options, or -1.
    private static int ownSlot(List<String> key) {
        return ownSlot(key.getFirst());
    }

    /// The slot of a scheduler by its name, or -1.
    static int ownSlot(String system) {
        return SCHEDULERS.indexOf(system.split(":", 2)[0]);
    }

    private int freeSlot() {
        int slot = 0;
        while (colours.containsValue(slot)) {
            slot++;
        }
        return slot;
    }

    private static String system(ComparedCell cell) {
        return cell.subject().system();
    }

    private static String deployment(ComparedCell cell) {
        Subject subject = cell.subject();
        return subject instanceof Subject.EngineSubject engine ? engine.platform() + "\n" + engine.limits().text()
                : subject.platform();
    }
}
