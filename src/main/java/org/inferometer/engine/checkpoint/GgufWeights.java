package org.inferometer.engine.checkpoint;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.inferometer.engine.EngineDescriptor.WeightOrigin;
import org.inferometer.engine.ModelFamily;
import org.inferometer.engine.ModelLayout;
import org.inferometer.engine.ModelShape;
import org.inferometer.engine.Precision;
import org.inferometer.engine.StoredTensor;
import org.inferometer.engine.WeightFormats;
import org.inferometer.engine.WeightSources;
import org.inferometer.engine.WeightSpec;
import org.inferometer.engine.build.WeightSource;
import org.inferometer.engine.files.EngineFormatException;
import org.inferometer.engine.gguf.GgufFile;
import org.inferometer.engine.gguf.GgufFile.GgufTensor;
import org.inferometer.engine.gguf.GgufInt4;
import org.inferometer.engine.gguf.GgufInt8;

/// The weights of a GGUF file, widened row by row, or kept where INT4 or INT8 of engines has the same values.
///
/// Files of Llama pair the elements of a head for RoPE as 2i and 2i+1; engines pair i and i + d/2, as transformers does. Rows of query and
/// key are taken in that order.
final class GgufWeights implements WeightSource {
    private static final Pattern BLOCK = Pattern.compile("layers\\.(\\d+)\\.(.+)\\.(weight|bias)");
    private static final Map<String, String> TOP =
            Map.of("embed.weight", "token_embd.weight", "position.weight", "position_embd.weight", "final_norm.weight",
                    "output_norm.weight", "final_norm.bias", "output_norm.bias", "head.weight", "output.weight");
    private static final Map<String, String> PARTS =
            Map.of("attn_norm", "attn_norm", "attn.q", "attn_q", "attn.k", "attn_k", "attn.v", "attn_v", "attn.q_norm",
                    "attn_q_norm", "attn.k_norm", "attn_k_norm", "attn.o", "attn_output", "ffn_norm", "ffn_norm");
    private static final Map<String, String> MLP =
            Map.of("ffn.gate", "ffn_gate", "ffn.up", "ffn_up", "ffn.down", "ffn_down");
    private static final List<String> ATTENTION = List.of("attn.q", "attn.k", "attn.v");

    private final String name;
    private final Map<String, Place> byWeight;
    private final Map<Precision, KeptBlocks> kept;
    private final SourceIndex sources;

    /// A weight within a tensor.
    ///
    /// @param first row of the weight in the tensor, or its first value in a vector
    /// @param pairedHead width of heads whose rows are paired as 2i and 2i+1; 0 for none
    private record Place(GgufTensor tensor, int first, int pairedHead) {
        long row(int row) {
            if (pairedHead == 0) {
                return (long) first + row;
            }
            int half = pairedHead / 2;
            int inHead = row % pairedHead;
            return (long) row - inHead + 2L * (inHead % half) + inHead / half;
        }
    }

    private GgufWeights(String name, Map<String, Place> byWeight, Map<Precision, KeptBlocks> kept,
            SourceIndex sources) {
        this.name = name;
        this.byWeight = byWeight;
        this.kept = kept;
        this.sources = sources;
    }

    /// @throws EngineFormatException with what is missing or has another shape
    static GgufWeights of(String name, ModelShape shape, GgufFile file) throws EngineFormatException {
        Map<String, Place> byWeight = new HashMap<>();
        SourceIndex sources = new SourceIndex();
        Map<Precision, KeptBlocks> kept = Arrays.stream(Precision.values()).filter(Precision::isInteger)
                .collect(Collectors.toMap(Function.identity(), KeptBlocks::new));
        List<String> faults = new ArrayList<>();
        for (WeightSpec weight : ModelLayout.of(shape)) {
            Wanted wanted = wanted(shape, weight);
            Optional<GgufTensor> found = file.find(wanted.tensor);
            if (found.isEmpty()) {
                faults.add(wanted.tensor + " is missing.");
            } else if (found.get().rows() != wanted.rows || found.get().columns() != wanted.columns) {
                faults.add(wanted.tensor + " has " + found.get().rows() + " rows of " + found.get().columns() + ", not "
                        + wanted.rows + " of " + wanted.columns + ".");
            } else {
                GgufTensor tensor = found.get();
                byWeight.put(weight.name(), new Place(tensor, wanted.first, wanted.pairedHead));
                kept.values().forEach(blocks -> blocks.add(weight.role(), tensor));
                sources.add(weight.name(), tensor.file(), tensor.name(), tensor.type().name());
            }
        }
        if (!faults.isEmpty()) {
            throw EngineFormatException.ofFirst(file.path(), faults, "Give a whole model of a supported architecture.");
        }
        return new GgufWeights(name, byWeight, kept, sources);
    }

    private record Wanted(String tensor, long rows, long columns, int first, int pairedHead) {}

    private static Wanted wanted(ModelShape shape, WeightSpec weight) {
        Matcher block = BLOCK.matcher(weight.name());
        if (!block.matches()) {
            return new Wanted(TOP.getOrDefault(weight.name(), weight.name()), weight.rows(), weight.columns(), 0, 0);
        }
        String part = block.group(2);
        String before = "blk." + block.group(1) + ".";
        String end = "." + block.group(3);
        if (shape.family() == ModelFamily.GPT2 && ATTENTION.contains(part)) {
            int first = ATTENTION.indexOf(part) * shape.hidden();
            boolean vector = weight.rows() == 1;
            return new Wanted(before + "attn_qkv" + end, vector ? 1 : 3L * shape.hidden(),
                    vector ? 3L * shape.hidden() : weight.columns(), first, 0);
        }
        String name = PARTS.getOrDefault(part, MLP.getOrDefault(part, part));
        boolean paired = shape.family() == ModelFamily.LLAMA && (part.equals("attn.q") || part.equals("attn.k"));
        return new Wanted(before + name + end, weight.rows(), weight.columns(), 0, paired ? shape.headDim() : 0);
    }

    @Override
    public WeightOrigin origin() {
        return new WeightOrigin(null, name);
    }

    @Override
    public Optional<WeightSources> sources() throws IOException {
        return Optional.of(sources.read());
    }

    @Override
    public Optional<String> fingerprint() throws IOException {
        return Optional.of(sources.fingerprint());
    }

    /// "Tensors: 61 in F32, 211 in Q4_0. They are widened exactly, then quantised to int4."
    @Override
    public Optional<String> treatment(WeightFormats formats) {
        Map<String, Integer> counts = new TreeMap<>();
        byWeight.values().stream().map(Place::tensor).distinct()
                .forEach(tensor -> counts.merge(tensor.type().name(), 1, Integer::sum));
        String types = counts.entrySet().stream().map(type -> type.getValue() + " in " + type.getKey())
                .collect(Collectors.joining(", "));
        return Optional.of("Tensors: " + types + ". "
                + Optional.ofNullable(kept.get(formats.projections())).flatMap(blocks -> blocks.treatment(formats))
                        .orElse("They are widened exactly, then " + (formats.projections() == Precision.BF16
                                ? "rounded to bf16." : "quantised to " + formats.projections().id() + ".")));
    }

    @Override
    public Precision ownPrecision() {
        return kept.entrySet().stream().filter(each -> each.getValue().areMostProjectionsKept()).map(Map.Entry::getKey)
                .findFirst().orElse(Precision.BF16);
    }

    @Override
    public WeightFormats formats(Precision precision) {
        KeptBlocks blocks = kept.get(precision);
        return blocks == null ? WeightFormats.all(precision) : blocks.formats();
    }

    @Override
    public boolean stored(StoredTensor tensor, int row, ByteBuffer destination) {
        Place place = byWeight.get(tensor.weight().name());
        if (place == null || tensor.groupColumns() != KeptBlocks.GROUP_COLUMNS) {
            return false;
        }
        long from = place.row(row);
        boolean fourBits = GgufInt4.holds(place.tensor);
        boolean eightBits = GgufInt8.holds(place.tensor);
        return switch (tensor.part()) {
            case INT8_VALUES -> eightBits && wrote(() -> GgufInt8.row(place.tensor, from).values(destination));
            case INT8_SCALES -> eightBits && wrote(() -> GgufInt8.row(place.tensor, from).scales(destination));
            case INT4_VALUES -> fourBits && wrote(() -> GgufInt4.row(place.tensor, from).values(destination));
            case INT4_SCALES -> fourBits && wrote(() -> GgufInt4.row(place.tensor, from).scales(destination));
            case INT4_ZEROS -> fourBits && wrote(() -> GgufInt4.row(place.tensor, from).zeros(destination));
            case FP32_VALUES, BF16_VALUES, FP8_VALUES, FP8_SCALES, INPUT_ORDER -> false;
        };
    }

    private static boolean wrote(Runnable writing) {
        writing.run();
        return true;
    }

    @Override
    public void prepare(WeightSpec weight) {
        Place place = byWeight.get(weight.name());
        if (place != null) {
            place.tensor.bytes().load();
        }
    }

    @Override
    public void release(WeightSpec weight) {
        Place place = byWeight.get(weight.name());
        if (place != null) {
            place.tensor.bytes().unload();
        }
    }

    @Override
    public void row(WeightSpec weight, int row, float[] destination) {
        Place place = byWeight.get(weight.name());
        if (place == null) {
            throw new IllegalArgumentException("no such weight");
        }
        if (weight.rows() == 1) {
            place.tensor.values(place.first, destination);
        } else {
            place.tensor.row(place.row(row), destination);
        }
        for (float value : destination) {
            if (!Float.isFinite(value)) {
                throw new IllegalArgumentException(sources.place(weight.name()) + " has a NaN or infinite value");
            }
        }
    }
}
