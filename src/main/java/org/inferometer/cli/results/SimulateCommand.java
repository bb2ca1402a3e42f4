package org.inferometer.cli.results;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.inferometer.cli.ExitCodes;
import org.inferometer.cli.JsonCommand;
import org.inferometer.cli.ResultFinder;
import org.inferometer.cli.RootCommand;
import org.inferometer.cli.ShutdownHooks;
import org.inferometer.cli.UsageException;
import org.inferometer.engine.Engine;
import org.inferometer.engine.build.EngineEntry;
import org.inferometer.engine.files.EngineFormatException;
import org.inferometer.engine.tokenizer.ByteTokenizer;
import org.inferometer.engine.tokenizer.Tokenizer;
import org.inferometer.experiment.Cell;
import org.inferometer.experiment.Subject.EngineSubject;
import org.inferometer.options.OptionException;
import org.inferometer.record.ExperimentRecord;
import org.inferometer.report.PredictionText;
import org.inferometer.simulation.PredictionCheck;
import org.inferometer.simulation.PredictionCheck.CellPrediction;
import org.inferometer.simulation.PredictionErrors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/// `simulate`: predicts the cells of a result in virtual time and compares them with what was measured.
@Command(name = "simulate",
        description = "Simulate the cells of a result with the schedulers of this program, and compare the figures with the measured ones. "
                + "The times of steps come from the result's other cells.",
        footer = {"", "Nothing is measured, and no result is written.", "", "Examples:",
                "  inferometer simulate latest", "  inferometer simulate 2026-11-21_141503_quick --json", ""})
public final class SimulateCommand extends JsonCommand {
    @Parameters(paramLabel = "RESULT", description = "Result ID, folder or latest.")
    String named = "";

    public SimulateCommand(RootCommand root) {
        super(root);
    }

    /// What `--json` prints.
    private record Document(@JsonProperty("experiment") String experiment,
            @JsonProperty("cells") List<CellPrediction> cells, @JsonProperty("errors") PredictionErrors errors) {}

    @Override
    public Integer call() throws UsageException {
        ExperimentRecord experiment = new ResultFinder(services()).open(named);
        AtomicBoolean cancelled = new AtomicBoolean();
        List<CellPrediction> predicted = new ArrayList<>();
        try (ShutdownHooks.Registration hook = services().shutdown().onShutdown(() -> cancelled.set(true))) {
            PredictionCheck check = new PredictionCheck(experiment, services().registries().schedulers(), cancelled);
            List<Cell> cells = experiment.manifest().spec().cells();
            for (int cell = 0; cell < cells.size() && !cancelled.get(); cell++) {
                if (cells.get(cell).subject() instanceof EngineSubject engine) {
                    check.of(cell, tokenizer(engine.engine())).ifPresent(predicted::add);
                }
            }
        } catch (IOException | OptionException | IllegalArgumentException | IllegalStateException e) {
            throw new UsageException(experiment.manifest().id() + " cannot be simulated: " + e.getMessage());
        } catch (EngineFormatException e) {
            throw new UsageException(String.valueOf(e.getMessage()));
        }
        if (cancelled.get()) {
            return ExitCodes.RUN_FAILED;
        }
        if (predicted.isEmpty()) {
            throw new UsageException(experiment.manifest().id()
                    + " has no complete run of an engine of this program with recorded steps. Choose another result.");
        }
        PredictionErrors errors = PredictionErrors.of(predicted);
        print(new Document(experiment.manifest().id(), predicted, errors),
                () -> PredictionText.of(predicted, errors, terminal().columns()));
        return ExitCodes.DONE;
    }

    /// The tokenizer of an engine; that of a recipe's engine is known before it is built.
    private Tokenizer tokenizer(String name) throws EngineFormatException {
        EngineEntry entry = services().engines().find(name);
        if (entry.state() == EngineEntry.State.RECIPE_ONLY && entry.recipe() != null) {
            return new ByteTokenizer(entry.recipe().shape().vocabulary());
        }
        try (Engine engine = Engine.open(entry.folder())) {
            return engine.tokenizer();
        }
    }
}
