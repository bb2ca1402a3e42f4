package org.inferometer.cli.engines;

import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.inferometer.cli.ExitCodes;
import org.inferometer.cli.JsonCommand;
import org.inferometer.cli.RootCommand;
import org.inferometer.cli.UsageException;
import org.inferometer.engine.EngineCalibration;
import org.inferometer.engine.EngineInspection;
import org.inferometer.engine.EngineInspection.TensorView;
import org.inferometer.engine.ModelShape;
import org.inferometer.engine.WeightSources;
import org.inferometer.engine.build.EngineEntry;
import org.inferometer.engine.files.EngineFormatException;
import org.inferometer.report.AlignedColumns;
import org.inferometer.units.QuantityText;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// `engines inspect`: shape, memory needs and tensors of an engine.
@Command(name = "inspect", description = "Show the shape, memory needs, weight layout and tensors of an engine.",
        footer = {"", "Examples:", "  inferometer engines inspect tiny-int4",
                "  inferometer engines inspect tiny-int4 --all", "  inferometer engines inspect llama-int4 --sources",
                "  inferometer engines inspect tiny-int4 --tensor layers.0.attn.q.weight", ""})
public final class EnginesInspectCommand extends JsonCommand {
    private static final Pattern LATER_LAYER = Pattern.compile("\\.[1-9]\\d*\\.");

    @Parameters(index = "0", paramLabel = "NAME", description = "Engine, built or not.")
    String name = "";

    @Option(names = "--all", description = "Show the tensors of all layers. Default: layer 0 only.")
    boolean all;

    @Option(names = "--sources",
            description = "Show the checkpoint's tensor that each tensor was made of, in place of its meaning.")
    boolean sources;

    @Option(names = "--tensor", paramLabel = "TENSOR",
            description = "Read all values of this tensor's weight and show how they are distributed.")
    @Nullable
    String tensor;

    public EnginesInspectCommand(RootCommand root) {
        super(root);
    }

    @Override
    public Integer call() throws UsageException, EngineFormatException {
        EngineEntry entry = EngineNames.find(services().engines(), List.of(name)).getFirst();
        EngineInspection inside = entry.inspect();
        if (sources && inside.sources() == null) {
            throw new UsageException(entry.name() + " has no list of sources: its weights are "
                    + (inside.source().synthetic() ? "synthetic." : "of an older version. Build it again."));
        }
        if (tensor != null) {
            TensorValues values = TensorValues.read(entry, inside, tensor);
            print(values, () -> values.render(terminal().columns()));
            return ExitCodes.DONE;
        }
        Optional<EngineCalibration> calibration = EngineCalibration.FILE.read(entry.folder());
        print(inside, () -> facts(entry, inside) + tensors(inside) + calibration.map(this::errors).orElse(""));
        return ExitCodes.DONE;
    }

    private String facts(EngineEntry entry, EngineInspection inside) {
        ModelShape shape = inside.shape();
        EngineInspection.MemoryNeeds memory = inside.memory();
        AlignedColumns facts = new AlignedColumns("", "");
        facts.row("engine", entry.name() + " (" + entry.state().label() + ")");
        facts.row("origin", inside.origin());
        facts.row("shape",
                shape.family().name().toLowerCase(java.util.Locale.ROOT) + ", " + shape.layers() + " layers, hidden "
                        + shape.hidden() + ", feed-forward " + shape.intermediate() + ", heads " + shape.heads() + "/"
                        + shape.kvHeads() + " of " + shape.headDim() + ", vocabulary " + shape.vocabulary()
                        + ", at most " + shape.maxPositions() + " positions"
                        + (shape.slidingWindow() == 0 ? "" : ", each sees the last " + shape.slidingWindow())
                        + (shape.tiedHead() ? ", output head tied to the embedding" : ""));
        facts.row("parameters", EnginesListCommand.parameters(inside.parameters()) + ", "
                + QuantityText.significant(inside.bitsPerWeight()) + " bits each including scales");
        facts.row("weights", QuantityText.bytes(memory.weightBytes()) + "; a decode step reads "
                + QuantityText.bytes(memory.weightBytesPerDecodeStep()));
        facts.row("parts", inside.parts().stream().map(EnginesInspectCommand::part).collect(Collectors.joining("; ")));
        facts.row("KV cache",
                QuantityText.bytes(memory.kvBytesPerToken(2)) + " per token in BF16, "
                        + QuantityText.bytes(memory.kvBytesPerToken(4)) + " in FP32"
                        + (shape.slidingWindow() == 0 ? "" : "; it keeps all positions"));
        entry.descriptor().map(built -> built.defaults().text()).filter(text -> !text.isEmpty())
                .ifPresent(text -> facts.row("limits", text + ", where an experiment gives none"));
        facts.row("layout", inside.precision().id() + ": " + inside.layout());
        return facts.render(terminal().columns()) + files(inside);
    }

    private static String part(EngineInspection.PartSize part) {
        return part.part().label() + " " + QuantityText.bytes(part.bytes())
                + (part.scaleBytes() == 0 ? "" : " (scales " + QuantityText.bytes(part.scaleBytes()) + ")");
    }

    private String files(EngineInspection inside) {
        WeightSources read = inside.sources();
        if (read == null) {
            return "";
        }
        AlignedColumns table = new AlignedColumns("READ FROM", "SIZE>", "SHA-256");
        for (WeightSources.SourceFile file : read.files()) {
            table.row(file.name(), QuantityText.bytes(file.bytes()), file.sha256());
        }
        return "\n" + table.render(terminal().columns());
    }

    private String tensors(EngineInspection inside) {
        List<TensorView> shown =
                inside.tensors().stream().filter(tensor -> all || !LATER_LAYER.matcher(tensor.name()).find()).toList();
        AlignedColumns table = new AlignedColumns("TENSOR", "TYPE", "SHAPE", "SIZE>", sources ? "FROM" : "MEANING");
        for (TensorView tensor : shown) {
            String shape = tensor.shape().stream().map(String::valueOf).collect(Collectors.joining(" x "));
            table.row(tensor.name(), tensor.dtype().name().toLowerCase(java.util.Locale.ROOT), shape,
                    QuantityText.bytes(tensor.bytes()), sources ? source(inside, tensor) : tensor.meaning());
        }
        int hidden = inside.tensors().size() - shown.size();
        String rest = hidden == 0 ? ""
                : "\n" + hidden + " more tensors in the other layers, like those of layer 0. Add --all to show them.\n";
        return "\n" + table.render(terminal().columns()) + rest;
    }

    private static String source(EngineInspection inside, TensorView tensor) {
        return Optional.ofNullable(inside.sources()).flatMap(read -> read.sentence(tensor.weight())).orElse("");
    }

    private String errors(EngineCalibration calibration) {
        AlignedColumns table = new AlignedColumns("LAYER>", "INPUTS", "STRENGTH>", "ERROR TO NEAREST>", "ERROR>");
        calibration.parts().stream().filter(part -> all || part.layer() == 0)
                .forEach(part -> table.row(String.valueOf(part.layer()), part.inputs(),
                        QuantityText.significant(part.strength()), percent(part.nearestError()),
                        percent(part.error())));
        return "\n" + calibration.sentence() + "\n\n" + table.render(terminal().columns());
    }

    private static String percent(double share) {
        return QuantityText.significant(100 * share) + " %";
    }
}
