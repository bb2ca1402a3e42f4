package org.inferometer.cli.suite;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.inferometer.cli.UsageException;
import org.inferometer.options.Selection;
import org.inferometer.suite.mapping.TestMapping;
import org.inferometer.suite.mapping.TestMapping.Measuring;
import org.inferometer.suite.mapping.TestPlatform;
import org.inferometer.suite.mapping.TestPlatform.Endpoint;
import org.inferometer.suite.mapping.TestPlatform.OwnEngine;
import org.inferometer.suite.mapping.TestPlatform.TrtllmServers;
import org.inferometer.units.EnvironmentVariables;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/// The options that say what test configurations run on, and how they are measured.
final class PlatformOptions {
    @Option(names = "--engine", paramLabel = "NAME",
            description = "Run test configurations on this engine, with a lane for each server.")
    @Nullable
    String engine;

    @Option(names = "--backend", paramLabel = "NAME[:opt=value,...]", defaultValue = "host",
            description = "Backend of the engine. Default: host.")
    String backend = "host";

    @Option(names = "--target", paramLabel = "NAME[:opt=value,...]",
            description = "Run test configurations against a server: http:url=http://127.0.0.1:8000,model=NAME.")
    @Nullable
    String target;

    @Option(names = "--trtllm",
            description = "Run test configurations on TensorRT-LLM's own servers, which each test's job starts. Needs --slurm.")
    boolean trtllm;

    @Option(names = "--runs", paramLabel = "N", defaultValue = "1",
            description = "Repetitions of each load of a test configuration. Default: 1; a verdict needs 3.")
    int runs = 1;

    @Option(names = "--warmup", paramLabel = "N", defaultValue = "4",
            description = "Requests before measuring starts. Default: 4.")
    int warmUp = 4;

    @Option(names = "--seed", paramLabel = "N", defaultValue = "42",
            description = "Seed of every random draw. Default: 42.")
    long seed = 42;

    /// Empty if neither engine nor servers are given.
    ///
    /// @param environment variables that replace fields of a launch
    Optional<TestMapping> mapping(EnvironmentVariables environment) throws UsageException {
        List<String> faults = new ArrayList<>();
        if (Stream.of(engine != null, target != null, trtllm).filter(given -> given).count() > 1) {
            faults.add("--engine, --target and --trtllm exclude each other. Run the suite twice to compare them.");
        }
        if (runs < 1 || runs > 1000) {
            faults.add("--runs " + runs + ": give a number from 1 to 1000.");
        }
        if (warmUp < 0 || warmUp > 1_000_000) {
            faults.add("--warmup " + warmUp + ": give a number from 0 to 1000000.");
        }
        Optional<Selection> chosenBackend = SelectionOptions.parsed("--backend", backend, Selection::parse, faults);
        Optional<Selection> chosenTarget = SelectionOptions.parsed("--target", target, Selection::parse, faults);
        UsageException.throwIfAny(faults);
        Optional<TestPlatform> platform =
                trtllm ? Optional.of(new TrtllmServers(environment)) : engine == null ? chosenTarget.map(Endpoint::new)
                        : Optional.of(new OwnEngine(engine, chosenBackend.orElseThrow()));
        return platform.map(chosen -> new TestMapping(chosen, new Measuring(runs, warmUp, seed)));
    }
}
