package org.inferometer.engine;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import org.inferometer.engine.EngineDescriptor.EngineDefaults;
import org.inferometer.engine.EngineDescriptor.EngineText;
import org.inferometer.engine.EngineDescriptor.WeightOrigin;
import org.inferometer.engine.files.EngineFormatException;
import org.inferometer.engine.files.RequiredFields;
import org.inferometer.engine.tokenizer.ByteTokenizer;
import org.inferometer.yaml.YamlMapping;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.util.DefaultIndenter;
import tools.jackson.core.util.DefaultPrettyPrinter;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/// Reads and writes `engine.json`, the descriptor of the weights.
public final class DescriptorFile {
    private static final Pattern FOLDER_NAME = Pattern.compile("[^/\\\\\\p{Cntrl}]{1,255}");
    public static final String FILE = "engine.json";
    public static final String WEIGHTS = "weights.safetensors";
    /// Suffix of files that backends derive from the weights.
    public static final String PACKED_SUFFIX = ".pack";
    /// The version of engines without act-order.
    public static final int FORMAT_VERSION = 1;
    /// The version of engines with act-order, which older programs do not read.
    static final int ACT_ORDER_VERSION = 2;
    /// The version of engines with a sliding window, with act-order or without, likewise.
    static final int SLIDING_WINDOW_VERSION = 3;

    private static final List<String> KEYS = List.of("format_version", "name", "model", "precision", "table_precision",
            "group_size", "act_order", "origin", "tokenizer", "tokenizer_sha256", "end_tokens", "max_batch_size",
            "max_length", "parameters", "weight_bytes", "weights_sha256", "shape");

    /// The key of the width of groups, in recipes and engine files.
    public static final String GROUP_SIZE = "group_size";
    private static final String ACT_ORDER = "act_order";
    private static final Pattern SHA256 = Pattern.compile("[0-9a-f]{64}");
    private static final String DIGITS = "64 hexadecimal digits";

    private DescriptorFile() {}

    /// Reads the file strictly: every field must be present, known and valid.
    public static EngineDescriptor read(Path file) throws EngineFormatException {
        RequiredFields fields = RequiredFields.read(file, "Build the engine again.");
        fields.check();
        int version = version(file, fields);
        String name = fields.name("name");
        String model = fields.name("model");
        Precision precision = fields.constant("precision", Precision.class);
        // Absent where it is the same.
        Precision tables = fields.mapping().has("table_precision") ? fields.constant("table_precision", Precision.class)
                : precision;
        WeightFormats formats = ordered(fields, version, formats(fields, precision, tables));
        var origin = fields.group("origin").map(DescriptorFile::origin);
        EngineText text = text(fields);
        EngineDefaults defaults = new EngineDefaults(limit(fields, "max_batch_size", EngineDefaults.MOST_BATCH_SIZE),
                limit(fields, "max_length", EngineDefaults.MOST_LENGTH));
        long parameters = fields.whole("parameters", 1, Long.MAX_VALUE);
        long weightBytes = fields.whole("weight_bytes", 1, Long.MAX_VALUE);
        String sha256 = fields.text("weights_sha256", SHA256, DIGITS);
        var shape = fields.group("shape").map(ShapeFields::read);
        fields.mapping().allowOnly(KEYS);
        fields.check();
        if ((shape.orElseThrow().slidingWindow() > 0) != (version == SLIDING_WINDOW_VERSION)) {
            fields.mapping().fault("format_version", "Engines with a \"sliding_window\" have format version "
                    + SLIDING_WINDOW_VERSION + ", others do not.");
        }
        long counted = ModelLayout.parameters(shape.get());
        if (counted != parameters) {
            fields.mapping().fault("parameters", "The shape has " + counted + " parameters, not " + parameters + ".");
        }
        long size = StoredTensor.layout(StoredTensor.of(shape.get(), formats)).fileBytes();
        if (origin.orElseThrow().synthetic() && size != weightBytes) {
            fields.mapping().fault("weight_bytes",
                    "Weights of this shape and precision take " + size + " bytes, not " + weightBytes + ".");
        }
        if (defaults.maxLength() > shape.get().maxPositions()) {
            fields.mapping().fault("max_length", "The model has " + shape.get().maxPositions() + " positions.");
        }
        fields.check();
        return new EngineDescriptor(version, name, model, shape.get(), formats, origin.get(), text, defaults,
                parameters, weightBytes, sha256);
    }

    /// The formats of a recipe or an engine. Groups have the quantisers' width where the file names none.
    public static WeightFormats formats(RequiredFields fields, Precision precision, Precision tables) {
        List<Integer> widths = WeightFormats.widths(precision, tables);
        if (widths.isEmpty()) {
            fields.mapping().fault("table_precision", "INT8 and INT4 do not stand in one engine.");
            return WeightFormats.all(precision);
        }
        WeightFormats standard = new WeightFormats(precision, tables);
        if (!fields.mapping().has(GROUP_SIZE)) {
            return standard;
        }
        int columns =
                (int) fields.whole(GROUP_SIZE, WeightMatrix.Int4.GROUPS.getLast(), WeightMatrix.Int4.GROUPS.getFirst());
        if (widths.contains(columns)) {
            return new WeightFormats(precision, tables, columns);
        }
        fields.mapping().fault(GROUP_SIZE,
                widths.equals(List.of(0)) ? "Only int4, int8 and fp8 have groups of inputs."
                        : widths.size() == 1 ? "INT8 has groups of 32 inputs, not " + columns + "."
                        : standard.groupColumns() == 0 ? "FP8 has groups of 128 inputs, not " + columns + "."
                        : "INT4 has groups of 128, 64 or 32 inputs, not " + columns + ".");
        return standard;
    }

    /// Absent where the engine was built without.
    private static int limit(RequiredFields fields, String key, int most) {
        return fields.mapping().has(key) ? fields.count(key, most) : 0;
    }

    /// The version of engines of this shape in these formats.
    public static int version(ModelShape shape, WeightFormats formats) {
        return shape.slidingWindow() > 0 ? SLIDING_WINDOW_VERSION : formats.actOrder() ? ACT_ORDER_VERSION
                : FORMAT_VERSION;
    }

    private static int version(Path file, RequiredFields fields) throws EngineFormatException {
        long version = fields.whole("format_version", 1, Integer.MAX_VALUE);
        fields.check();
        if (version > SLIDING_WINDOW_VERSION) {
            throw new EngineFormatException(file,
                    "It has format version " + version + "; this program reads versions " + FORMAT_VERSION + " to "
                            + SLIDING_WINDOW_VERSION + ".",
                    "Build the engine again, or use the program that built it.");
        }
        return (int) version;
    }

    /// The formats with act-order if the file names it.
    private static WeightFormats ordered(RequiredFields fields, int version, WeightFormats formats) {
        boolean ordered = fields.mapping().has(ACT_ORDER) && fields.flag(ACT_ORDER);
        if (version != SLIDING_WINDOW_VERSION && ordered != (version == ACT_ORDER_VERSION)) {
            fields.mapping().fault(ACT_ORDER, "Engines with \"act_order\" have format version " + ACT_ORDER_VERSION
                    + ", others " + FORMAT_VERSION + ".");
        } else if (ordered && formats.projections() != Precision.INT4) {
            fields.mapping().fault(ACT_ORDER, "Only int4 has act-order.");
        } else if (ordered) {
            return formats.withActOrder();
        }
        return formats;
    }

    private static EngineText text(RequiredFields fields) {
        YamlMapping mapping = fields.mapping();
        // Older engines without this field have the byte tokenizer.
        String tokenizer = mapping.has("tokenizer") ? fields.name("tokenizer") : ByteTokenizer.NAME;
        String sha256 = mapping.has("tokenizer_sha256") ? fields.text("tokenizer_sha256", SHA256, DIGITS) : "";
        List<Integer> ends = mapping.values("end_tokens", false, Integer::valueOf);
        return new EngineText(tokenizer, sha256, ends);
    }

    private static WeightOrigin origin(RequiredFields fields) {
        boolean synthetic = fields.mapping().has("synthetic_seed");
        boolean checkpoint = fields.mapping().has("checkpoint");
        if (synthetic == checkpoint) {
            fields.mapping().fault("synthetic_seed",
                    "\"origin\" must have either \"synthetic_seed\" or \"checkpoint\".");
        }
        @Nullable Long seed = synthetic ? fields.whole("synthetic_seed", Long.MIN_VALUE, Long.MAX_VALUE) : null;
        @Nullable String folder =
                checkpoint ? fields.text("checkpoint", FOLDER_NAME, "a folder's name without its path") : null;
        fields.mapping().allowOnly(List.of("synthetic_seed", "checkpoint"));
        return new WeightOrigin(seed, folder);
    }

    /// The file's content, the same bytes on every system.
    public static byte[] bytes(EngineDescriptor descriptor) {
        JsonMapper mapper = JsonMapper.builder().build();
        ObjectNode root = mapper.createObjectNode().put("format_version", descriptor.formatVersion())
                .put("name", descriptor.name()).put("model", descriptor.model())
                .put("precision", descriptor.precision().id());
        if (!descriptor.formats().areEqual()) {
            root.put("table_precision", descriptor.formats().tables().id());
        }
        WeightFormats formats = descriptor.formats();
        boolean int8 = formats.projections() == Precision.INT8 || formats.tables() == Precision.INT8;
        if (int8 || formats.groupColumns() != new WeightFormats(formats.projections(), formats.tables())
                .groupColumns()) {
            root.put(GROUP_SIZE, formats.groupColumns());
        }
        if (formats.actOrder()) {
            root.put(ACT_ORDER, true);
        }
        ObjectNode origin = root.putObject("origin");
        if (descriptor.origin().syntheticSeed() != null) {
            origin.put("synthetic_seed", descriptor.origin().syntheticSeed());
        }
        if (descriptor.origin().checkpoint() != null) {
            origin.put("checkpoint", descriptor.origin().checkpoint());
        }
        EngineText text = descriptor.text();
        root.put("tokenizer", text.tokenizer());
        if (!text.sha256().isEmpty()) {
            root.put("tokenizer_sha256", text.sha256());
        }
        if (!text.endTokens().isEmpty()) {
            text.endTokens().forEach(root.putArray("end_tokens")::add);
        }
        EngineDefaults defaults = descriptor.defaults();
        if (defaults.maxBatchSize() > 0) {
            root.put("max_batch_size", defaults.maxBatchSize());
        }
        if (defaults.maxLength() > 0) {
            root.put("max_length", defaults.maxLength());
        }
        root.put("parameters", descriptor.parameters()).put("weight_bytes", descriptor.weightBytes())
                .put("weights_sha256", descriptor.weightsSha256());
        ShapeFields.write(descriptor.shape(), root.putObject("shape"));
        DefaultPrettyPrinter printer = new DefaultPrettyPrinter().withObjectIndenter(new DefaultIndenter("  ", "\n"));
        return (mapper.writer().with(printer).writeValueAsString(root) + "\n").getBytes(StandardCharsets.UTF_8);
    }
}
