package org.inferometer.engine;

import java.util.Locale;
import org.inferometer.engine.ArchitectureTraits.Biases;
import org.inferometer.engine.ArchitectureTraits.Mlp;
import org.inferometer.engine.ArchitectureTraits.Norm;
import org.inferometer.engine.ArchitectureTraits.Positions;

/// The supported families of decoder-only transformers.
public enum ModelFamily {
    LLAMA("Llama", new ArchitectureTraits(Norm.RMS, Positions.ROTARY, Mlp.SWIGLU, Biases.NONE, false, true)),
    QWEN2("Qwen2", new ArchitectureTraits(Norm.RMS, Positions.ROTARY, Mlp.SWIGLU, Biases.QKV, false, true)),
    QWEN3("Qwen3", new ArchitectureTraits(Norm.RMS, Positions.ROTARY, Mlp.SWIGLU, Biases.NONE, true, true)),
    GPT2("GPT-2", new ArchitectureTraits(Norm.LAYER, Positions.LEARNED, Mlp.GELU, Biases.ALL, false, false));

    private final String label;
    private final ArchitectureTraits traits;

    ModelFamily(String label, ArchitectureTraits traits) {
        this.label = label;
        this.traits = traits;
    }

    /// The name in recipes and engine files: "qwen2".
    public String id() {
        return name().toLowerCase(Locale.ROOT);
    }

    /// The displayed name: "GPT-2".
    public String label() {
        return label;
    }

    /// The architecture of its models.
    public ArchitectureTraits traits() {
        return traits;
    }
}
