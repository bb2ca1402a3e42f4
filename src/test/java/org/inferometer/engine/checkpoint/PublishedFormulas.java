package org.inferometer.engine.checkpoint;

import java.util.Arrays;
import java.util.Map;
import org.inferometer.engine.checkpoint.PublishedCheckpoint.Sizes;
import org.inferometer.engine.checkpoint.PublishedCheckpoint.Tensor;

/// The published formulas of Llama, Qwen2, Qwen3 and GPT-2 in double precision, from the tensors by their published names. It shares no
/// code with the program.
///
/// @param window positions that each position attends to, itself and those before it
public record PublishedFormulas(PublishedCheckpoint checkpoint, int window) {
    public PublishedFormulas(PublishedCheckpoint checkpoint) {
        this(checkpoint, Integer.MAX_VALUE);
    }

    private Map<String, Tensor> tensors() {
        return checkpoint.tensors();
    }

    private Tensor tensor(String name) {
        Tensor tensor = tensors().get(name);
        if (tensor == null) {
            throw new IllegalArgumentException(name);
        }
        return tensor;
    }

    /// Logits after the last of some tokens.
    public double[] logits(int[] tokens) {
        Sizes s = checkpoint.sizes();
        boolean gpt2 = checkpoint.type().equals("gpt2");
        double[][] x = new double[tokens.length][s.hidden()];
        for (int t = 0; t < tokens.length; t++) {
            for (int i = 0; i < s.hidden(); i++) {
                x[t][i] = tensor(gpt2 ? "wte.weight" : "model.embed_tokens.weight").at(tokens[t], i)
                        + (gpt2 ? tensor("wpe.weight").at(t, i) : 0);
            }
        }
        for (int layer = 0; layer < s.layers(); layer++) {
            x = gpt2 ? gpt2Block(x, "h." + layer + ".") : rotaryBlock(x, "model.layers." + layer + ".");
        }
        return head(x[tokens.length - 1]);
    }

    /// Logits of what the last layer gave for a token.
    public double[] head(double[] last) {
        Sizes s = checkpoint.sizes();
        boolean gpt2 = checkpoint.type().equals("gpt2");
        double[] normed = gpt2 ? layerNorm(last, "ln_f") : rmsNorm(last, tensor("model.norm.weight").values(), 1e-6);
        Tensor head = tensor(!s.tied() ? "lm_head.weight" : gpt2 ? "wte.weight" : "model.embed_tokens.weight");
        return product(head, normed);
    }

    /// The most probable continuation.
    public int[] greedy(int[] prompt, int count) {
        int[] all = prompt.clone();
        for (int i = 0; i < count; i++) {
            double[] logits = logits(all);
            int best = 0;
            for (int j = 1; j < logits.length; j++) {
                best = logits[j] > logits[best] ? j : best;
            }
            all = Arrays.copyOf(all, all.length + 1);
            all[all.length - 1] = best;
        }
        return Arrays.copyOfRange(all, prompt.length, all.length);
    }

    private double[][] rotaryBlock(double[][] x, String at) {
        Sizes s = checkpoint.sizes();
        double[][] q = new double[x.length][];
        double[][] k = new double[x.length][];
        double[][] v = new double[x.length][];
        for (int t = 0; t < x.length; t++) {
            double[] normed = rmsNorm(x[t], tensor(at + "input_layernorm.weight").values(), 1e-6);
            q[t] = heads(linear(at + "self_attn.q_proj", normed), at + "self_attn.q_norm.weight", t);
            k[t] = heads(linear(at + "self_attn.k_proj", normed), at + "self_attn.k_norm.weight", t);
            v[t] = linear(at + "self_attn.v_proj", normed);
        }
        double[][] out = new double[x.length][];
        for (int t = 0; t < x.length; t++) {
            double[] attended = attention(q[t], k, v, t, s.heads(), s.kvHeads(), s.headDim());
            double[] h = sum(x[t], linear(at + "self_attn.o_proj", attended));
            double[] normed = rmsNorm(h, tensor(at + "post_attention_layernorm.weight").values(), 1e-6);
            double[] gate = linear(at + "mlp.gate_proj", normed);
            double[] up = linear(at + "mlp.up_proj", normed);
            for (int i = 0; i < gate.length; i++) {
                up[i] *= gate[i] / (1 + Math.exp(-gate[i]));
            }
            out[t] = sum(h, linear(at + "mlp.down_proj", up));
        }
        return out;
    }

    private double[][] gpt2Block(double[][] x, String at) {
        Sizes s = checkpoint.sizes();
        double[][] q = new double[x.length][];
        double[][] k = new double[x.length][];
        double[][] v = new double[x.length][];
        for (int t = 0; t < x.length; t++) {
            double[] all = conv(at + "attn.c_attn", layerNorm(x[t], at + "ln_1"));
            q[t] = Arrays.copyOfRange(all, 0, s.hidden());
            k[t] = Arrays.copyOfRange(all, s.hidden(), 2 * s.hidden());
            v[t] = Arrays.copyOfRange(all, 2 * s.hidden(), 3 * s.hidden());
        }
        double[][] out = new double[x.length][];
        for (int t = 0; t < x.length; t++) {
            double[] attended = attention(q[t], k, v, t, s.heads(), s.heads(), s.hidden() / s.heads());
            double[] h = sum(x[t], conv(at + "attn.c_proj", attended));
            double[] wide = conv(at + "mlp.c_fc", layerNorm(h, at + "ln_2"));
            for (int i = 0; i < wide.length; i++) {
                double w = wide[i];
                wide[i] = 0.5 * w * (1 + Math.tanh(Math.sqrt(2 / Math.PI) * (w + 0.044715 * w * w * w)));
            }
            out[t] = sum(h, conv(at + "mlp.c_proj", wide));
        }
        return out;
    }

    /// RMSNorm of each head where the family has it, then RoPE: element i turns with element i + d/2.
    private double[] heads(double[] all, String norm, int position) {
        Sizes s = checkpoint.sizes();
        int d = s.headDim();
        double[] turned = all.clone();
        for (int head = 0; head < all.length / d; head++) {
            double[] one = Arrays.copyOfRange(all, head * d, (head + 1) * d);
            if (tensors().containsKey(norm)) {
                one = rmsNorm(one, tensor(norm).values(), 1e-6);
            }
            for (int i = 0; i < d / 2; i++) {
                double angle = position * frequency(i, d);
                turned[head * d + i] = one[i] * Math.cos(angle) - one[i + d / 2] * Math.sin(angle);
                turned[head * d + i + d / 2] = one[i + d / 2] * Math.cos(angle) + one[i] * Math.sin(angle);
            }
        }
        return turned;
    }

    private double frequency(int i, int d) {
        Sizes s = checkpoint.sizes();
        double f = Math.pow(s.theta(), -2.0 * i / d);
        if (!s.scaled()) {
            return f;
        }
        double wavelength = 2 * Math.PI / f;
        if (wavelength < 16 / 4.0) {
            return f;
        }
        if (wavelength > 16 / 1.0) {
            return f / 8;
        }
        double t = (16 / wavelength - 1) / (4 - 1);
        return (1 - t) * f / 8 + t * f;
    }

    /// Key p is seen by query t if t - window < p <= t.
    private double[] attention(double[] q, double[][] k, double[][] v, int t, int heads, int kvHeads, int d) {
        double[] out = new double[heads * d];
        for (int head = 0; head < heads; head++) {
            int from = head / (heads / kvHeads) * d;
            double[] weights = new double[t + 1];
            double sum = 0;
            for (int p = 0; p <= t; p++) {
                if (p <= t - window) {
                    continue;
                }
                double dot = 0;
                for (int i = 0; i < d; i++) {
                    dot += q[head * d + i] * k[p][from + i];
                }
                weights[p] = Math.exp(dot / Math.sqrt(d));
                sum += weights[p];
            }
            for (int p = 0; p <= t; p++) {
                for (int i = 0; i < d; i++) {
                    out[head * d + i] += weights[p] / sum * v[p][from + i];
                }
            }
        }
        return out;
    }

    private double[] linear(String name, double[] x) {
        double[] y = product(tensor(name + ".weight"), x);
        return tensors().containsKey(name + ".bias") ? sum(y, tensor(name + ".bias").values()) : y;
    }

    /// GPT-2 keeps its matrices the other way round: y = xW + b.
    private double[] conv(String name, double[] x) {
        Tensor w = tensor(name + ".weight");
        double[] y = tensor(name + ".bias").values().clone();
        for (int i = 0; i < x.length; i++) {
            for (int j = 0; j < y.length; j++) {
                y[j] += x[i] * w.at(i, j);
            }
        }
        return y;
    }

    private static double[] product(Tensor w, double[] x) {
        double[] y = new double[w.shape()[0]];
        for (int i = 0; i < y.length; i++) {
            for (int j = 0; j < x.length; j++) {
                y[i] += w.at(i, j) * x[j];
            }
        }
        return y;
    }

    private static double[] sum(double[] a, double[] b) {
        double[] c = a.clone();
        for (int i = 0; i < c.length; i++) {
            c[i] += b[i];
        }
        return c;
    }

    private static double[] rmsNorm(double[] x, double[] w, double epsilon) {
        double squares = Arrays.stream(x).map(v -> v * v).sum() / x.length;
        double[] y = new double[x.length];
        for (int i = 0; i < x.length; i++) {
            y[i] = x[i] / Math.sqrt(squares + epsilon) * w[i];
        }
        return y;
    }

    private double[] layerNorm(double[] x, String name) {
        double mean = Arrays.stream(x).sum() / x.length;
        double variance = Arrays.stream(x).map(v -> (v - mean) * (v - mean)).sum() / x.length;
        double[] y = new double[x.length];
        for (int i = 0; i < x.length; i++) {
            y[i] = (x[i] - mean) / Math.sqrt(variance + 1e-5) * tensor(name + ".weight").values()[i]
                    + tensor(name + ".bias").values()[i];
        }
        return y;
    }
}
