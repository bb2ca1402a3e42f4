package org.inferometer.experiment;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// How narrow the 95 % interval of a metric shall become: `output_throughput=2%`.
///
/// @param metric id of the metric
/// @param share half of the interval as a share of the figure, above 0 and up to 1
public record PrecisionTarget(@JsonProperty("metric") String metric, @JsonProperty("share") double share) {
    /// The most runs of each cell, unless asked otherwise.
    public static final int MOST_RUNS = 30;
    private static final int LEAST_RUNS = 3;
    private static final double STEP = 1.5;
    private static final double LAST_STEP = 1.25;
    private static final double PERCENT = 100;
    private static final Pattern FORM = Pattern.compile("([a-z0-9_]+)=(\\d{1,3}(?:\\.\\d{1,6})?)%");

    /// Reads a target.
    ///
    /// @throws IllegalArgumentException with one sentence
    public static PrecisionTarget parse(String text) {
        Matcher form = FORM.matcher(text);
        double share = form.matches() ? Double.parseDouble(form.group(2)) / PERCENT : 0;
        if (!(share > 0 && share <= 1)) {
            throw new IllegalArgumentException("\"" + text
                    + "\" is not a metric with a width above 0 and up to 100 %. Use METRIC=2%, as in output_throughput=2%.");
        }
        return new PrecisionTarget(form.group(1), share);
    }

    /// The numbers of runs of each cell after which the runs are looked at, ascending by half; the last is the most.
    ///
    /// @param first runs asked for; at least three are measured before the first look
    /// @param most runs at most
    public static List<Integer> looks(int first, int most) {
        List<Integer> looks = new ArrayList<>();
        for (int runs = Math.max(LEAST_RUNS, first); runs * LAST_STEP < most; runs = (int) Math.ceil(runs * STEP)) {
            looks.add(runs);
        }
        looks.add(Math.max(most, Math.max(LEAST_RUNS, first)));
        return looks;
    }

    /// The share in percent: "2".
    public String percent() {
        return FieldType.plain(Math.round(share * PERCENT * 1e6) / 1e6);
    }

    /// "output_throughput is within ±2%"
    public String clause() {
        return metric + " is within ±" + percent() + "%";
    }

    @Override
    public String toString() {
        return metric + "=" + percent() + "%";
    }
}
