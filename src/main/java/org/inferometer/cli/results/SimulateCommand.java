package org.inferometer.cli.results;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
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
import org.inferometer.options.Selection;
import org.inferometer.record.ExperimentRecord;
import org.inferometer.report.PredictionText;
import org.inferometer.simulation.PredictionErrors;
import org.inferometer.simulation.Predictions;
import org.inferometer.simulation.Predictions.CellPrediction;
import org.inferometer.simulation.Predictions.Change;
import org.inferometer.workload.ArrivalProcess;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// `simulate`: predicts the cells of a result in virtual time and compares them with what was measured.
@Command(name = "simulate",
        description = "Simulate the cells of a result, and compare the figures with the measured ones; or predict them under another load or scheduler. "
                + "The times of steps come from the result.",
        footer = {"", "Nothing is measured, and no result is written.", "", "Examples:",
                "  inferometer simulate latest", "  inferometer simulate latest --rate 12",
                "  inferometer simulate latest --scheduler continuous:chunk=64 --concurrency 16",
                "  inferometer simulate 2026-11-21_141503_quick --json", ""})
public final class SimulateCommand extends JsonCommand {
    @Parameters(paramLabel = "RESULT", description = "Result ID, folder or latest.")
    String named = "";

    @ArgGroup
    Arriving arriving = new Arriving();

    @Option(names = "--scheduler", paramLabel = "NAME[:opt=value,...]",
            description = "Predict this scheduler. Default: the measured ones.")
    @Nullable
    String scheduler;

    /// How requests arrive, in one of three ways.
    static final class Arriving {
        @Option(names = "--rate", paramLabel = "R",
                description = "Predict Poisson arrivals, R requests a second on average. Default: as measured.")
        @Nullable
        Double rate;

        @Option(names = "--concurrency", paramLabel = "N",
                description = "Predict N requests in flight, each answer makes room for the next. Default: as measured.")
        @Nullable
        Integer concurrency;

        @Option(names = "--arrivals", paramLabel = "NAME:opt=value,...",
                description = "Predict these arrivals, as in gamma:rate=4,burstiness=0.5. Default: as measured.")
        @Nullable
        String arrivals;

        private Optional<ArrivalProcess> chosen() throws UsageException {
            if (rate != null && !(rate >= 0.001 && rate <= 1_000_000)) {
                throw new UsageException("--rate " + rate + ": give a number from 0.001 to 1000000.");
            }
            if (concurrency != null && (concurrency < 1 || concurrency > 100_000)) {
                throw new UsageException("--concurrency " + concurrency + ": give a number from 1 to 100000.");
            }
            return rate != null ? Optional.of(new ArrivalProcess.Poisson(rate))
                    : concurrency != null ? Optional.of(new ArrivalProcess.ClosedLoop(concurrency))
                    : Optional.ofNullable(arrivals).map(ArrivalProcess::parse);
        }
    }

    public SimulateCommand(RootCommand root) {
        super(root);
    }

    /// What `--json` prints.
    ///
    /// @param errors absent where another load or scheduler is predicted
    private record Document(@JsonProperty("experiment") String experiment,
            @JsonProperty("cells") List<CellPrediction> cells,
            @JsonProperty("errors") @Nullable PredictionErrors errors) {}

    @Override
    public Integer call() throws UsageException {
        ExperimentRecord experiment = new ResultFinder(services()).open(named);
        String id = experiment.manifest().id();
        AtomicBoolean cancelled = new AtomicBoolean();
        List<CellPrediction> predicted;
        boolean isCheck;
        try (ShutdownHooks.Registration hook = services().shutdown().onShutdown(() -> cancelled.set(true))) {
            Change change = new Change(arriving.chosen(),
                    scheduler == null ? Optional.empty() : Optional.of(Selection.parse(scheduler)));
            isCheck = change.isNone();
            predicted = predict(experiment, change, cancelled);
        } catch (IOException | OptionException | IllegalArgumentException | IllegalStateException e) {
            throw new UsageException(id + " cannot be simulated: " + e.getMessage());
        } catch (EngineFormatException e) {
            throw new UsageException(String.valueOf(e.getMessage()));
        }
        if (cancelled.get()) {
            return ExitCodes.RUN_FAILED;
        }
        if (predicted.isEmpty()) {
            throw new UsageException(id + (isCheck ? "" : ", with as many threads a lane,")
                    + " has no complete run of an engine of this program with recorded steps. Choose another result.");
        }
        PredictionErrors errors = isCheck ? PredictionErrors.of(predicted) : null;
        print(new Document(id, predicted, errors), () -> PredictionText.of(predicted, errors, terminal().columns()));
        return ExitCodes.DONE;
    }

    private List<CellPrediction> predict(ExperimentRecord experiment, Change change, AtomicBoolean cancelled)
            throws IOException, OptionException, EngineFormatException {
        Predictions predictions = new Predictions(experiment, services().registries().schedulers(),
                services().registries().backends(), cancelled);
        List<Cell> cells = experiment.manifest().spec().cells();
        Set<Cell> seen = new HashSet<>();
        List<CellPrediction> predicted = new ArrayList<>();
        for (int cell = 0; cell < cells.size() && !cancelled.get(); cell++) {
            if (cells.get(cell).subject() instanceof EngineSubject engine && seen.add(change.of(cells.get(cell)))) {
                Tokenizer tokenizer = tokenizer(engine.engine());
                (change.isNone() ? predictions.check(cell, tokenizer) : predictions.after(change, cell, tokenizer))
                        .ifPresent(predicted::add);
            }
        }
        return predicted;
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
