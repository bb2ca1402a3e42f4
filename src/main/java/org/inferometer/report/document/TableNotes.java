package org.inferometer.report.document;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.inferometer.report.ReportTable;

/// Tables of one report, with the sentences that several share above them, once.
///
/// @param shared captions and footnotes of two or more tables
/// @param tables without these
record TableNotes(List<String> shared, List<ReportTable> tables) {
    static TableNotes of(List<ReportTable> tables) {
        Map<String, Integer> captions = new LinkedHashMap<>();
        Map<String, Integer> footnotes = new LinkedHashMap<>();
        for (ReportTable table : tables) {
            captions.merge(table.caption(), 1, Integer::sum);
            table.footnotes().stream().distinct().forEach(note -> footnotes.merge(note, 1, Integer::sum));
        }
        captions.keySet().removeIf(caption -> caption.isEmpty() || captions.getOrDefault(caption, 0) < 2);
        // Two shared captions would not tell which tables they are of.
        String caption = captions.size() == 1 ? captions.keySet().iterator().next() : "";
        footnotes.values().removeIf(uses -> uses < 2);
        List<String> shared = new ArrayList<>(caption.isEmpty() ? List.of() : List.of(caption));
        shared.addAll(footnotes.keySet());
        return new TableNotes(shared, tables.stream()
                .map(table -> new ReportTable(table.title(), table.caption().equals(caption) ? "" : table.caption(),
                        table.columns(), table.rows(),
                        table.footnotes().stream().filter(note -> !footnotes.containsKey(note)).toList()))
                .toList());
    }
}
