package org.inferometer.quantising;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.inferometer.engine.EngineCalibration.Part;

/// The search of AWQ over the projections that share their inputs. One thread calls it.
final class LayerSearch {
    // The published grid: exponents from 0 to 0.95.
    private static final int STRENGTHS = 20;
    // No mean is smaller, and no scale is further from 1: FP16 scales of groups keep their bits.
    private static final float LEAST_MEAN = 1e-4f;
    private static final float MOST_SCALE = 32;

    private final Rows rows;
    private final Map<String, AwqChange> changes = new HashMap<>();
    private final List<Part> parts = new ArrayList<>();

    LayerSearch(Rows rows) {
        this.rows = rows;
    }

    /// A projection.
    ///
    /// @param name of its weight
    /// @param values `[rows][columns]`
    /// @param clipped whether its groups may be cut
    record Projection(String name, float[][] values, boolean clipped) {}

    /// What to search for.
    ///
    /// @param inputs as a [Part] names them
    /// @param before weights whose outputs, divided by the scales, are these inputs; empty: no scales
    record Site(int layer, String inputs, List<String> before, List<Projection> projections) {}

    AwqChange change(String weight) {
        return changes.computeIfAbsent(weight, name -> new AwqChange());
    }

    Map<String, AwqChange> changes() {
        return changes;
    }

    List<Part> parts() {
        return parts;
    }

    /// Finds scales and clips of some projections, and notes them.
    void search(Site site, SiteInputs inputs) throws InterruptedException {
        RowSearch search = new RowSearch(inputs);
        int candidates = site.before().isEmpty() ? 1 : STRENGTHS;
        float[][] scales = new float[candidates][];
        for (int candidate = 0; candidate < candidates; candidate++) {
            scales[candidate] = scales(inputs.means(), (double) candidate / STRENGTHS);
        }
        int best = candidates == 1 ? 0 : best(site, search, scales);
        float[] chosen = scales[best];
        double[] sums = new double[3];
        for (Projection projection : site.projections()) {
            float[][] values = projection.values();
            float[][] clips = new float[values.length][];
            double[][] reports = new double[values.length][];
            rows.run(values.length, (first, end) -> {
                for (int row = first; row < end; row++) {
                    clips[row] = projection.clipped() ? search.clips(values[row], chosen) : new float[0];
                    reports[row] = search.report(values[row], chosen, clips[row]);
                }
            });
            add(reports, sums);
            AwqChange change = change(projection.name());
            change.scale(chosen);
            if (projection.clipped()) {
                change.clip(clips);
            }
        }
        site.before().forEach(weight -> change(weight).divide(chosen));
        parts.add(new Part(site.layer(), site.inputs(), (double) best / STRENGTHS, share(sums[0], sums[2]),
                share(sums[1], sums[2])));
    }

    private int best(Site site, RowSearch search, float[][] scales) throws InterruptedException {
        double[] sums = new double[scales.length];
        for (Projection projection : site.projections()) {
            float[][] values = projection.values();
            double[][] errors = new double[values.length][];
            rows.run(values.length, (first, end) -> {
                for (int row = first; row < end; row++) {
                    errors[row] = search.scaleErrors(values[row], scales);
                }
            });
            add(errors, sums);
        }
        int best = 0;
        for (int candidate = 1; candidate < sums.length; candidate++) {
            best = sums[candidate] < sums[best] ? candidate : best;
        }
        return best;
    }

    private static void add(double[][] rows, double[] sums) {
        for (double[] row : rows) {
            for (int i = 0; i < sums.length; i++) {
                sums[i] += row[i];
            }
        }
    }

    private static double share(double error, double whole) {
        return whole > 0 ? error / whole : 0;
    }

    /// mean|x|^strength, divided by the root of the largest times the smallest.
    private static float[] scales(float[] means, double strength) {
        float[] scales = new float[means.length];
        float largest = 0;
        float smallest = Float.MAX_VALUE;
        for (int column = 0; column < means.length; column++) {
            scales[column] = (float) Math.pow(Math.max(means[column], LEAST_MEAN), strength);
            largest = Math.max(largest, scales[column]);
            smallest = Math.min(smallest, scales[column]);
        }
        double middle = Math.sqrt((double) largest * smallest);
        for (int column = 0; column < means.length; column++) {
            scales[column] = (float) Math.clamp(scales[column] / middle, 1 / MOST_SCALE, MOST_SCALE);
        }
        return strength == 0 ? ones(scales) : scales;
    }

    private static float[] ones(float[] scales) {
        Arrays.fill(scales, 1);
        return scales;
    }
}
