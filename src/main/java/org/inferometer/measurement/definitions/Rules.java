package org.inferometer.measurement.definitions;

import java.util.List;
import org.inferometer.measurement.definitions.Rule.ClockStart;
import org.inferometer.measurement.definitions.Rule.Failures;
import org.inferometer.measurement.definitions.Rule.Gaps;
import org.inferometer.measurement.definitions.Rule.Goodput;
import org.inferometer.measurement.definitions.Rule.Quantile;
import org.inferometer.measurement.definitions.Rule.RequestEnd;
import org.inferometer.measurement.definitions.Rule.Spread;
import org.inferometer.measurement.definitions.Rule.TokenTime;
import org.inferometer.measurement.definitions.Rule.Window;

/// All rules of one definition.
public record Rules(ClockStart clock, RequestEnd end, TokenTime tokenTime, Gaps gaps, Quantile quantile, Spread spread,
        Window window, Failures failures, Goodput goodput) {

    /// The rules in the order in which they replace ours.
    List<Rule> ordered() {
        return List.of(failures, quantile, spread, clock, end, tokenTime, gaps, window, goodput);
    }

    /// The rules of a list in the order of [#ordered].
    static Rules of(List<Rule> ordered) {
        return new Rules((ClockStart) ordered.get(3), (RequestEnd) ordered.get(4), (TokenTime) ordered.get(5),
                (Gaps) ordered.get(6), (Quantile) ordered.get(1), (Spread) ordered.get(2), (Window) ordered.get(7),
                (Failures) ordered.get(0), (Goodput) ordered.get(8));
    }
}
