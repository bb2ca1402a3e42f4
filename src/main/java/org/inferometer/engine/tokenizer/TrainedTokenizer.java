package org.inferometer.engine.tokenizer;

import ai.djl.huggingface.tokenizers.HuggingFaceTokenizer;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import org.inferometer.engine.files.EngineFormatException;
import org.inferometer.units.OneLine;
import org.jspecify.annotations.Nullable;

/// The tokenizer of a trained model: its `tokenizer.json`, read by Hugging Face's library when text is first needed.
///
/// Prompts of drawn ids never load it: its tables would count as memory of the run. Closing frees them.
public final class TrainedTokenizer implements Tokenizer {
    /// Its name in engine files.
    public static final String NAME = "huggingface";
    /// Its file in the engine's folder.
    public static final String FILE = "tokenizer.json";
    /// Larger files are refused; the largest published ones have 35 MB.
    public static final long MOST_BYTES = 128L << 20;

    // The library would cut texts at 512 tokens.
    private static final Map<String, String> OPTIONS =
            Map.of("truncation", "DO_NOT_TRUNCATE", "padding", "DO_NOT_PAD", "addSpecialTokens", "true");

    private final Path file;
    private final int vocabulary;
    private @Nullable HuggingFaceTokenizer loaded;

    /// @param vocabulary of the model, which may have more ids than the tokenizer
    public TrainedTokenizer(Path file, int vocabulary) {
        this.file = file;
        this.vocabulary = vocabulary;
    }

    /// Reads a file's content, to find its faults.
    ///
    /// @param origin for messages
    /// @throws EngineFormatException if the library refuses it
    public static void check(byte[] json, Path origin) throws EngineFormatException {
        try (HuggingFaceTokenizer read = opened(json)) {
            read.encode("", false, false);
        } catch (TokenizerParts.RefusedException e) {
            throw new EngineFormatException(origin, String.valueOf(e.getMessage()), "Give another checkpoint.", e);
        } catch (IOException | RuntimeException | LinkageError e) {
            throw new EngineFormatException(origin, fault(e), "Copy the checkpoint again.", e);
        }
    }

    /// The library ends the process at some faults, so the steps are checked first.
    private static HuggingFaceTokenizer opened(byte[] json) throws IOException {
        TokenizerParts.check(json);
        TokenizerLibrary.prepare();
        return HuggingFaceTokenizer.newInstance(new ByteArrayInputStream(json), OPTIONS);
    }

    /// The library gives no other types: a file that it cannot read, or no native code for this machine.
    private static String fault(Throwable e) {
        return "The tokenizer cannot be loaded: " + OneLine.of(String.valueOf(e.getMessage())) + ".";
    }

    private synchronized HuggingFaceTokenizer tokenizer() {
        HuggingFaceTokenizer known = loaded;
        if (known == null) {
            try {
                if (Files.size(file) > MOST_BYTES) {
                    throw new IOException("It has more than " + (MOST_BYTES >> 20) + " MiB.");
                }
                known = opened(Files.readAllBytes(file));
                loaded = known;
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            } catch (RuntimeException | LinkageError e) {
                throw new UncheckedIOException(new IOException(fault(e), e));
            }
        }
        return known;
    }

    /// With the special tokens that the tokenizer puts around a text, such as a begin of sequence.
    @Override
    public int[] encode(String text) {
        return encoded(text, true);
    }

    @Override
    public int[] encodeRendered(String text) {
        return encoded(text, false);
    }

    private int[] encoded(String text, boolean addSpecialTokens) {
        return ids(tokenizer().encode(text, addSpecialTokens, false).getIds(), vocabulary);
    }

    /// The tokens of one text, by the content of a file, with special tokens around it.
    ///
    /// @param vocabulary of the model
    public static int[] encode(byte[] json, int vocabulary, String text) throws IOException {
        try (HuggingFaceTokenizer read = opened(json)) {
            return ids(read.encode(text, true, false).getIds(), vocabulary);
        }
    }

    private static int[] ids(long[] ids, int vocabulary) {
        return Arrays.stream(ids).mapToInt(id -> {
            if (id < 0 || id >= vocabulary) {
                throw new UncheckedIOException(new IOException("The tokenizer made the token " + id + ", the model has "
                        + vocabulary + ". It belongs to another model."));
            }
            return (int) id;
        }).toArray();
    }

    /// Ids without text are left out.
    @Override
    public String decode(int[] tokens) {
        return tokenizer().decode(Arrays.stream(tokens).asLongStream().toArray(), false);
    }

    @Override
    public int vocabulary() {
        return vocabulary;
    }

    @Override
    public synchronized void close() {
        if (loaded != null) {
            loaded.close();
            loaded = null;
        }
    }
}
