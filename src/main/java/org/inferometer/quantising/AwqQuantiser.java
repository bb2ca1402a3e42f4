package org.inferometer.quantising;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.DoubleConsumer;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.inferometer.engine.ArchitectureTraits.Mlp;
import org.inferometer.engine.EngineCalibration.Part;
import org.inferometer.engine.ModelLayout;
import org.inferometer.engine.ModelShape;
import org.inferometer.engine.Precision;
import org.inferometer.engine.WeightFormats;
import org.inferometer.engine.WeightSpec;
import org.inferometer.engine.build.WeightSource;
import org.inferometer.quantising.LayerSearch.Projection;
import org.inferometer.quantising.LayerSearch.Site;

/// Prepares a model's weights for INT4 with AWQ: scales and clips that disturb its outputs on a text least.
///
/// The model reads the text layer by layer in 32-bit floats; a layer's weights are in memory while it is searched. The
/// result does not depend on the number of threads. Source: Lin et al., "AWQ: Activation-aware Weight Quantization" (2024).
/// Unlike there, errors are those of the projections' own outputs.
public final class AwqQuantiser {
    /// What published AWQ checkpoints have: embedding and output head stay in 16 bits.
    public static final WeightFormats FORMATS = new WeightFormats(Precision.INT4, Precision.BF16);

    private final ModelShape shape;
    private final WeightSource source;
    private final int threads;
    private final Map<String, WeightSpec> specs;
    private final LayerPass pass;

    /// @param source not quantised; must stay open as long as the result is read
    public AwqQuantiser(ModelShape shape, WeightSource source, int threads) {
        this.shape = shape;
        this.source = source;
        this.threads = threads;
        this.specs = ModelLayout.of(shape).stream().collect(Collectors.toMap(WeightSpec::name, Function.identity()));
        this.pass = new LayerPass(shape);
    }

    /// Weights to build from, and what became of the errors.
    public record Quantised(WeightSource weights, List<Part> parts) {
        public Quantised {
            parts = List.copyOf(parts);
        }
    }

    /// Reads tokens and searches.
    ///
    /// @param tokens of the text, at least 2
    /// @param window tokens that are read at once, each window from position 0
    /// @param progress receives the fraction done, on the calling thread
    /// @throws IllegalArgumentException if a weight is not finite
    public Quantised quantise(int[] tokens, int window, DoubleConsumer progress) throws InterruptedException {
        try (Rows rows = new Rows(threads)) {
            LayerSearch search = new LayerSearch(rows);
            read(tokens, window, rows, search, progress);
            return new Quantised(new AwqWeights(source, search.changes()), search.parts());
        }
    }

    /// @return what the last layer gives, a window each
    List<float[][]> read(int[] tokens, int window, Rows rows, LayerSearch search, DoubleConsumer progress)
            throws InterruptedException {
        List<float[][]> residuals = embedded(tokens, window);
        for (int layer = 0; layer < shape.layers(); layer++) {
            attention(layer, residuals, rows, search);
            progress.accept((layer + 0.4) / shape.layers());
            feedForward(layer, residuals, rows, search);
            progress.accept((layer + 1.0) / shape.layers());
        }
        return residuals;
    }

    private List<float[][]> embedded(int[] tokens, int window) {
        WeightSpec embedding = spec("embed.weight");
        List<float[][]> windows = new ArrayList<>();
        float[] row = new float[shape.hidden()];
        for (int start = 0; start < tokens.length; start += window) {
            int[] read = Arrays.copyOfRange(tokens, start, Math.min(tokens.length, start + window));
            float[][] features = new float[shape.hidden()][read.length];
            for (int t = 0; t < read.length; t++) {
                source.row(embedding, read[t], row);
                addToken(row, features, t);
                if (shape.traits().learnedPositions()) {
                    source.row(spec("position.weight"), t, row);
                    addToken(row, features, t);
                }
            }
            windows.add(features);
        }
        return windows;
    }

    private static void addToken(float[] row, float[][] features, int token) {
        for (int i = 0; i < row.length; i++) {
            features[i][token] += row[i];
        }
    }

    private void attention(int layer, List<float[][]> residuals, Rows rows, LayerSearch search)
            throws InterruptedException {
        String at = "layers." + layer + ".";
        List<float[][]> normed = normed(at + "attn_norm", residuals);
        Projection query = projection(at + "attn.q", false, rows);
        Projection key = projection(at + "attn.k", false, rows);
        Projection value = projection(at + "attn.v", true, rows);
        search.search(new Site(layer, "attention", existing(at + "attn_norm"), List.of(query, key, value)),
                SiteInputs.of(normed));
        float[] queryNorm = vector(at + "attn.q_norm.weight");
        float[] keyNorm = vector(at + "attn.k_norm.weight");
        List<float[][]> attended = new ArrayList<>();
        for (float[][] window : normed) {
            float[][] queries = product(query, at + "attn.q", window, rows);
            float[][] keys = product(key, at + "attn.k", window, rows);
            float[][] values = product(value, at + "attn.v", window, rows);
            pass.turn(queries, queryNorm);
            pass.turn(keys, keyNorm);
            float[][] out = new float[shape.queryWidth()][window[0].length];
            rows.run(shape.heads(), (first, end) -> {
                for (int head = first; head < end; head++) {
                    pass.attend(head, queries, keys, values, out);
                }
            });
            attended.add(out);
        }
        Projection output = projection(at + "attn.o", true, rows);
        // With fewer value heads several columns share one value row, which cannot be divided by all their scales.
        boolean scaled = shape.heads() == shape.kvHeads();
        search.search(
                new Site(layer, "attention output", scaled ? existing(at + "attn.v") : List.of(), List.of(output)),
                SiteInputs.of(attended));
        addOutputs(output, at + "attn.o", attended, residuals, rows);
    }

    private void feedForward(int layer, List<float[][]> residuals, Rows rows, LayerSearch search)
            throws InterruptedException {
        String at = "layers." + layer + ".";
        boolean gated = shape.traits().mlp() == Mlp.SWIGLU;
        List<float[][]> normed = normed(at + "ffn_norm", residuals);
        Projection up = projection(at + "ffn.up", true, rows);
        List<Projection> readers = gated ? List.of(projection(at + "ffn.gate", true, rows), up) : List.of(up);
        search.search(new Site(layer, "feed-forward", existing(at + "ffn_norm"), readers), SiteInputs.of(normed));
        List<float[][]> activated = new ArrayList<>();
        for (float[][] window : normed) {
            float[][] ups = product(up, at + "ffn.up", window, rows);
            float[][] gates = gated ? product(readers.getFirst(), at + "ffn.gate", window, rows) : new float[0][];
            rows.run(ups.length, (first, end) -> {
                for (int row = first; row < end; row++) {
                    LayerPass.activate(gated ? gates[row] : new float[0], ups[row]);
                }
            });
            activated.add(ups);
        }
        Projection down = projection(at + "ffn.down", true, rows);
        // Without a gate a curve lies between: its inputs cannot be divided.
        search.search(
                new Site(layer, "feed-forward output", gated ? existing(at + "ffn.up") : List.of(), List.of(down)),
                SiteInputs.of(activated));
        addOutputs(down, at + "ffn.down", activated, residuals, rows);
    }

    private List<float[][]> normed(String norm, List<float[][]> residuals) {
        float[] weight = vector(norm + ".weight");
        float[] bias = vector(norm + ".bias");
        return residuals.stream().map(window -> pass.norm(window, weight, bias)).toList();
    }

    private WeightSpec spec(String name) {
        WeightSpec spec = specs.get(name);
        if (spec == null) {
            throw new IllegalArgumentException(name);
        }
        return spec;
    }

    /// The weight and the bias of a linear map or a norm, those of them that the model has.
    private List<String> existing(String name) {
        return List.of(name + ".weight", name + ".bias").stream().filter(specs::containsKey).toList();
    }

    /// Empty if the model has no such vector.
    private float[] vector(String name) {
        WeightSpec spec = specs.get(name);
        if (spec == null) {
            return new float[0];
        }
        float[] values = new float[spec.columns()];
        source.row(spec, 0, values);
        return values;
    }

    private Projection projection(String name, boolean clipped, Rows rows) throws InterruptedException {
        WeightSpec spec = spec(name + ".weight");
        float[][] values = new float[spec.rows()][spec.columns()];
        rows.run(spec.rows(), (first, end) -> {
            for (int row = first; row < end; row++) {
                source.row(spec, row, values[row]);
            }
        });
        source.release(spec);
        return new Projection(spec.name(), values, clipped);
    }

    private float[][] product(Projection projection, String name, float[][] inputs, Rows rows)
            throws InterruptedException {
        float[] bias = vector(name + ".bias");
        float[][] w = projection.values();
        float[][] outputs = new float[w.length][inputs[0].length];
        rows.run(w.length, (first, end) -> {
            for (int row = first; row < end && bias.length > 0; row++) {
                Arrays.fill(outputs[row], bias[row]);
            }
            DenseProduct.add(w, first, end, inputs, 0, inputs.length, outputs);
        });
        return outputs;
    }

    private void addOutputs(Projection projection, String name, List<float[][]> inputs, List<float[][]> residuals,
            Rows rows) throws InterruptedException {
        for (int window = 0; window < inputs.size(); window++) {
            float[][] outputs = product(projection, name, inputs.get(window), rows);
            float[][] residual = residuals.get(window);
            for (int feature = 0; feature < outputs.length; feature++) {
                DenseProduct.addScaled(1, outputs[feature], residual[feature]);
            }
        }
    }
}
