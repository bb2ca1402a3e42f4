package org.inferometer.results;

import java.io.IOException;
import java.util.List;
import org.inferometer.record.RunEvent;

/// `events.csv`: one row for everything that happened beside requests and steps.
final class EventRows {
    static final String FILE = "events.csv";
    static final long MAX_ROWS = 10_000_000;
    static final List<String> COLUMNS = List.of("at_ns", "kind", "subject", "detail");

    private EventRows() {}

    static void write(CsvWriter out, RunEvent event) throws IOException {
        out.number(event.nanos()).text(event.kind()).text(event.subject()).text(event.detail());
        out.endRow();
    }

    static RunEvent read(CsvReader in) throws ResultFormatException {
        return new RunEvent(in.number(0, -TokenFile.FARTHEST_NANOS, TokenFile.FARTHEST_NANOS), in.text(1), in.text(2),
                in.text(3));
    }
}
