package org.inferometer.results.exchange;

import java.util.List;
import java.util.Set;
import org.inferometer.measurement.Figure;
import org.inferometer.measurement.RequestOutcome;

/// One run of another tool in our terms. Instants that the tool does not tell are absent.
///
/// @param tool whose file it was: "vLLM"
/// @param model as the tool names it
/// @param server what served it, where the tool tells; else the tool's name
/// @param workload a name for what was asked
/// @param concurrency most requests in flight, where that was the limit; else 0
/// @param ratePerSecond rate of arrivals, where that was asked; else 0
/// @param requests in order of their numbers; empty where the file only sums up
/// @param figures those that the file gives and that cannot be derived from its requests
/// @param notes sentences about what could not be taken over
/// @param unread names of fields that nobody read
record ForeignRun(
        String tool,
        String model,
        String server,
        String workload,
        int concurrency,
        double ratePerSecond,
        List<RequestOutcome> requests,
        List<Figure> figures,
        List<String> notes,
        Set<String> unread) {}
