package org.inferometer.measurement.definitions;

import java.util.List;
import java.util.function.BiFunction;
import java.util.function.Function;
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

    /// One component: its getter, and how it is copied from another set of rules.
    record Part(Function<Rules, Rule> of, BiFunction<Rules, Rules, Rules> copied) {}

    /// The components in the order in which they are replaced.
    static final List<Part> PARTS = List.of(
            new Part(Rules::failures,
                    (r, to) -> new Rules(r.clock, r.end, r.tokenTime, r.gaps, r.quantile, r.spread, r.window,
                            to.failures, r.goodput)),
            new Part(Rules::quantile,
                    (r, to) -> new Rules(r.clock, r.end, r.tokenTime, r.gaps, to.quantile, r.spread, r.window,
                            r.failures, r.goodput)),
            new Part(Rules::spread,
                    (r, to) -> new Rules(r.clock, r.end, r.tokenTime, r.gaps, r.quantile, to.spread, r.window,
                            r.failures, r.goodput)),
            new Part(Rules::clock,
                    (r, to) -> new Rules(to.clock, r.end, r.tokenTime, r.gaps, r.quantile, r.spread, r.window,
                            r.failures, r.goodput)),
            new Part(Rules::end,
                    (r, to) -> new Rules(r.clock, to.end, r.tokenTime, r.gaps, r.quantile, r.spread, r.window,
                            r.failures, r.goodput)),
            new Part(Rules::tokenTime,
                    (r, to) -> new Rules(r.clock, r.end, to.tokenTime, r.gaps, r.quantile, r.spread, r.window,
                            r.failures, r.goodput)),
            new Part(Rules::gaps,
                    (r, to) -> new Rules(r.clock, r.end, r.tokenTime, to.gaps, r.quantile, r.spread, r.window,
                            r.failures, r.goodput)),
            new Part(Rules::window,
                    (r, to) -> new Rules(r.clock, r.end, r.tokenTime, r.gaps, r.quantile, r.spread, to.window,
                            r.failures, r.goodput)),
            new Part(Rules::goodput, (r, to) -> new Rules(r.clock, r.end, r.tokenTime, r.gaps, r.quantile, r.spread,
                    r.window, r.failures, to.goodput)));
}
