package org.inferometer.prompting;

import de.kherud.llama.InferenceParameters;
import de.kherud.llama.LlamaIterable;
import de.kherud.llama.LlamaModel;
import de.kherud.llama.LlamaOutput;
import de.kherud.llama.ModelParameters;
import de.kherud.llama.args.CacheType;
import de.kherud.llama.args.LogFormat;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Assumptions;

/// A GGUF file in llama.cpp, computed in 32-bit floats on one thread. Silent. The caller closes it.
public final class LlamaCpp implements AutoCloseable {
    private final LlamaModel model;

    private LlamaCpp(LlamaModel model) {
        this.model = model;
    }

    /// Opens a model; skips the test if the native library does not load on this machine.
    ///
    /// @param unpacked folder for the unpacked library
    static LlamaCpp open(Path file, Path unpacked) {
        load(unpacked);
        return new LlamaCpp(new LlamaModel(
                new ModelParameters().setModel(file.toString()).setThreads(1).setThreadsBatch(1).setCtxSize(256)
                        .setCacheTypeK(CacheType.F32).setCacheTypeV(CacheType.F32).skipWarmup().disableLog()));
    }

    /// Loads the native library and silences it; skips the test if it does not load on this machine.
    ///
    /// @param unpacked folder for the unpacked library
    public static void load(Path unpacked) {
        System.setProperty("de.kherud.llama.tmpdir", unpacked.toString());
        PrintStream out = System.out;
        // The loader prints where it unpacked the library.
        System.setOut(new PrintStream(OutputStream.nullOutputStream(), true, StandardCharsets.UTF_8));
        try {
            LlamaModel.setLogger(LogFormat.TEXT, (level, message) -> {});
        } catch (LinkageError missing) {
            Assumptions.abort("llama.cpp's native library does not load on this machine: " + missing + ".");
        } finally {
            System.setOut(out);
        }
    }

    /// The tokens of a text without a begin of sequence.
    int[] encode(String text) {
        return model.encode(text);
    }

    /// The texts of the most probable tokens after a prompt, which begins with the model's begin of sequence.
    List<String> greedy(String prompt, int count) {
        List<String> texts = new ArrayList<>();
        LlamaIterable answer = model.generate(new InferenceParameters(prompt).setTemperature(0).setRepeatPenalty(1)
                .setNPredict(count).setIgnoreEos(true));
        for (LlamaOutput output : answer) {
            texts.add(output.text);
        }
        // The last one says that it ended.
        return texts.size() == count + 1 && texts.getLast().isEmpty() ? texts.subList(0, count) : texts;
    }

    @Override
    public void close() {
        model.close();
    }
}
