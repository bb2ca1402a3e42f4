package org.inferometer.report.compare;

import java.util.List;
import java.util.stream.Stream;
import org.inferometer.measurement.Limit;
import org.inferometer.measurement.Margin;

/// What a gate asks for.
///
/// @param margins against the base
/// @param standard whether the margins are the standard ones, of which a metric may be missing on both sides
/// @param limits of the candidate alone
public record GateRules(List<Margin> margins, boolean standard, List<Limit> limits) {
    /// The margins of a gate without any.
    public static final String STANDARD_MARGINS = "output_throughput=5%, ttft_p50=10%, e2e_p95=10%";

    /// Margins that were asked for.
    public static GateRules of(List<Margin> margins) {
        return new GateRules(margins, false, List.of());
    }

    /// These margins, else the standard ones unless there are limits.
    public static GateRules of(List<Margin> margins, List<Limit> limits) {
        return !margins.isEmpty() || !limits.isEmpty() ? new GateRules(margins, false, limits)
                : new GateRules(Stream.of(STANDARD_MARGINS.split(", ")).map(Margin::parse).toList(), true, List.of());
    }
}
