package org.inferometer.workload;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.inferometer.units.NearMisses;

/// The workloads that have a name, and how a name is read: a preset, or `prompts:FILE`.
public final class WorkloadPresets {
    private static final String PROMPTS = "prompts:";
    private static final ArrivalProcess EIGHT_IN_FLIGHT = new ArrivalProcess.ClosedLoop(8);
    private static final int USUAL_REQUESTS = 50;

    private final Map<String, WorkloadSpec> presets = new LinkedHashMap<>();

    /// The presets that ship.
    public WorkloadPresets() {
        add("short", fixed(64), fixed(64), 0, USUAL_REQUESTS);
        add("medium", fixed(256), fixed(128), 0, USUAL_REQUESTS);
        add("long", fixed(512), fixed(256), 0, USUAL_REQUESTS);
        add("basic", uniform(1, 20), uniform(1, 20), 0, 20);
        add("mixed-medium", uniform(1, 100), uniform(1, 50), 0, 50);
        add("mixed-large", uniform(5, 400), uniform(1, 150), 0, 100);
        add("1k1k", fixed(1024), fixed(1024), 0, USUAL_REQUESTS);
        add("8k1k", fixed(8192), fixed(1024), 0, USUAL_REQUESTS);
        add("chat", lognormal(120, 0.9, 8, 1024), lognormal(100, 0.7, 4, 512), 0, USUAL_REQUESTS);
        add("code", lognormal(900, 0.6, 64, 3072), lognormal(24, 0.8, 2, 256), 0, USUAL_REQUESTS);
        add("agent", lognormal(400, 0.6, 32, 1536), lognormal(60, 0.7, 4, 256), 512, USUAL_REQUESTS);
    }

    /// All presets, in the order of the documentation.
    public List<WorkloadSpec> all() {
        return List.copyOf(presets.values());
    }

    /// The preset of that name, or the workload of a prompts file.
    ///
    /// @throws IllegalArgumentException with near misses and the valid set
    public WorkloadSpec find(String name) {
        if (name.startsWith(PROMPTS)) {
            return fromFile(name.substring(PROMPTS.length()));
        }
        WorkloadSpec preset = presets.get(name);
        if (preset == null) {
            List<String> valid = new ArrayList<>(presets.keySet());
            valid.add(PROMPTS + "FILE");
            throw new IllegalArgumentException(NearMisses.sentence("workload", name, valid));
        }
        return preset;
    }

    private static WorkloadSpec fromFile(String file) {
        if (file.isBlank()) {
            throw new IllegalArgumentException("Write prompts:FILE with the file's name after the colon.");
        }
        String stem = file.substring(Math.max(file.lastIndexOf('/'), file.lastIndexOf('\\')) + 1);
        return new WorkloadSpec("prompts:" + stem, fixed(1), fixed(64), file, 0, EIGHT_IN_FLIGHT, 0, 0);
    }

    private void add(String name, LengthDistribution prompt, LengthDistribution output, int sharedPrefix, int requests) {
        presets.put(name, new WorkloadSpec(name, prompt, output, null, sharedPrefix, EIGHT_IN_FLIGHT, requests, 0));
    }

    private static LengthDistribution fixed(int tokens) {
        return new LengthDistribution.Fixed(tokens);
    }

    private static LengthDistribution uniform(int min, int max) {
        return new LengthDistribution.Uniform(min, max);
    }

    private static LengthDistribution lognormal(double median, double sigma, int min, int max) {
        return new LengthDistribution.Lognormal(median, sigma, min, max);
    }
}
