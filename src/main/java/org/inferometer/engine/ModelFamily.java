package org.inferometer.engine;

import java.util.Locale;
import org.inferometer.engine.ArchitectureTraits.Biases;
import org.inferometer.engine.ArchitectureTraits.Mlp;
import org.inferometer.engine.ArchitectureTraits.Norm;
import org.inferometer.engine.ArchitectureTraits.Positions;

/// The decoder-only transformer families this program runs.
public enum ModelFamily {
    LLAMA("Llama", new ArchitectureTraits(Norm.RMS, Positions.ROTARY, Mlp.SWIGLU, Biases.NONE, false, true, false)),
    QWEN2("Qwen2", new ArchitectureTraits(Norm.RMS, Positions.ROTARY, Mlp.SWIGLU, Biases.QKV, false, true, false)),
    QWEN3("Qwen3", new ArchitectureTraits(Norm.RMS, Positions.ROTARY, Mlp.SWIGLU, Biases.NONE, true, true, false)),
    GPT2("GPT-2", new ArchitectureTraits(Norm.LAYER, Positions.LEARNED, Mlp.GELU, Biases.ALL, false, false, true));

    private final String label;
    private final ArchitectureTraits traits;

    ModelFamily(String label, ArchitectureTraits traits) {
        this.label = label;
        this.traits = traits;
    }

    /// The spelling in recipes and engine files: "qwen2".
    public String id() {
        return name().toLowerCase(Locale.ROOT);
    }

    /// The spelling for people: "GPT-2".
    public String label() {
        return label;
    }

    /// What the models of this family are made of.
    public ArchitectureTraits traits() {
        return traits;
    }
}
