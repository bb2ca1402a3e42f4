package org.inferometer.experiment;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.TreeMap;
import org.inferometer.units.NearMisses;
import org.inferometer.units.QuantityText;

/// A service-level objective: limits that each request must meet, and the share of requests that must. An empty limit is not
/// checked. Written `ttft=500ms,tpot=50ms,e2e=10s,share=0.99`, or as the name of a preset.
///
/// @param share of the requests that must meet every limit for a load to count as served
public record ServiceObjective(OptionalDouble ttftNanos, OptionalDouble tpotNanos, OptionalDouble e2eNanos,
        double share) {
    /// The 99th percentile, as in MLPerf.
    public static final double USUAL_SHARE = 0.99;
    /// No limit.
    public static final ServiceObjective NONE =
            new ServiceObjective(OptionalDouble.empty(), OptionalDouble.empty(), OptionalDouble.empty(), USUAL_SHARE);

    /// Rounding error of a mean of shares; far less than one request of a load.
    private static final double ROUNDING = 1e-9;

    private static final List<String> KEYS = List.of("ttft", "tpot", "e2e", "share");

    /// Limits that all but one request in a hundred must meet.
    public ServiceObjective(OptionalDouble ttftNanos, OptionalDouble tpotNanos, OptionalDouble e2eNanos) {
        this(ttftNanos, tpotNanos, e2eNanos, USUAL_SHARE);
    }

    /// The limits of MLPerf Inference for large language models, by name: of time to first token and time per output token at the
    /// 99th percentile, in its server and interactive scenarios (`mlperf.conf` of LoadGen).
    public static Map<String, ServiceObjective> presets() {
        Map<String, ServiceObjective> presets = new TreeMap<>();
        preset(presets, "mlperf-llama2-70b", 2000, 200);
        preset(presets, "mlperf-llama2-70b-interactive", 450, 40);
        preset(presets, "mlperf-llama3.1-405b", 6000, 175);
        preset(presets, "mlperf-llama3.1-405b-interactive", 4500, 80);
        preset(presets, "mlperf-llama3.1-8b", 2000, 100);
        preset(presets, "mlperf-llama3.1-8b-interactive", 500, 30);
        preset(presets, "mlperf-deepseek-r1", 2000, 80);
        preset(presets, "mlperf-deepseek-r1-interactive", 1500, 15);
        preset(presets, "mlperf-gpt-oss-120b", 3000, 80);
        preset(presets, "mlperf-gpt-oss-120b-interactive", 2000, 15);
        preset(presets, "mlperf-mixtral-8x7b", 2000, 200);
        return presets;
    }

    private static void preset(Map<String, ServiceObjective> presets, String name, double ttftMillis,
            double tpotMillis) {
        presets.put(name, new ServiceObjective(OptionalDouble.of(ttftMillis * 1e6), OptionalDouble.of(tpotMillis * 1e6),
                OptionalDouble.empty()));
    }

    /// Reads the written form or a preset's name.
    ///
    /// @throws IllegalArgumentException with one sentence for people
    @JsonCreator
    public static ServiceObjective parse(String text) {
        if (text.isBlank()) {
            return NONE;
        }
        if (!text.contains("=")) {
            ServiceObjective preset = presets().get(text.strip());
            if (preset == null) {
                throw new IllegalArgumentException(NearMisses.sentence("service-level objective", text.strip(),
                        "Write limits, as in ttft=500ms,tpot=50ms, or a name.", List.copyOf(presets().keySet())));
            }
            return preset;
        }
        Map<String, String> given = new TreeMap<>();
        for (String pair : text.split(",", -1)) {
            int equals = pair.indexOf('=');
            String key = equals < 0 ? pair.strip() : pair.substring(0, equals).strip();
            if (equals < 0 || !KEYS.contains(key)) {
                throw new IllegalArgumentException(NearMisses.sentence("limit", key, KEYS)
                        + " Write limits as in ttft=500ms,tpot=50ms,share=0.99.");
            }
            if (given.put(key, pair.substring(equals + 1).strip()) != null) {
                throw new IllegalArgumentException("\"" + key + "\" is given twice in \"" + text + "\".");
            }
        }
        return new ServiceObjective(limit(given, "ttft"), limit(given, "tpot"), limit(given, "e2e"),
                share(given.get("share")));
    }

    private static OptionalDouble limit(Map<String, String> given, String key) {
        String text = given.get(key);
        if (text == null) {
            return OptionalDouble.empty();
        }
        long nanos = QuantityText.parseNanos(text);
        if (nanos <= 0) {
            throw new IllegalArgumentException(
                    "\"" + key + "=" + text + "\" is not a limit. Write a time above 0, as in ttft=500ms.");
        }
        return OptionalDouble.of(nanos);
    }

    private static double share(@org.jspecify.annotations.Nullable String text) {
        if (text == null) {
            return USUAL_SHARE;
        }
        double share;
        try {
            share = text.endsWith("%") ? Double.parseDouble(text.substring(0, text.length() - 1).strip()) / 100
                    : Double.parseDouble(text);
        } catch (NumberFormatException e) {
            share = Double.NaN;
        }
        if (!(share > 0 && share <= 1)) {
            throw new IllegalArgumentException(
                    "\"share=" + text + "\" is not a share. Write a number above 0 and up to 1, or 99%.");
        }
        return share;
    }

    /// The text that [#parse] reads back; empty where nothing binds.
    @Override
    @JsonValue
    public String toString() {
        List<String> parts = new ArrayList<>();
        ttftNanos.ifPresent(nanos -> parts.add("ttft=" + duration(nanos)));
        tpotNanos.ifPresent(nanos -> parts.add("tpot=" + duration(nanos)));
        e2eNanos.ifPresent(nanos -> parts.add("e2e=" + duration(nanos)));
        if (parts.isEmpty()) {
            return "";
        }
        if (share != USUAL_SHARE) {
            parts.add("share=" + share);
        }
        return String.join(",", parts);
    }

    private static String duration(double nanos) {
        return nanos % 1e6 == 0 ? String.format(Locale.ROOT, "%.0fms", nanos / 1e6)
                : String.format(Locale.ROOT, "%.0fns", nanos);
    }

    /// Whether there is no limit.
    public boolean isEmpty() {
        return ttftNanos.isEmpty() && tpotNanos.isEmpty() && e2eNanos.isEmpty();
    }

    /// Whether a mean share reaches the objective's share. A share that is met exactly does, although the mean of equal shares may come out
    /// as 0.9899999999999999.
    public boolean isReachedBy(double meanShare) {
        return meanShare >= share - ROUNDING;
    }
}
