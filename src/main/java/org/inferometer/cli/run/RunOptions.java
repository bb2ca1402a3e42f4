package org.inferometer.cli.run;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/// The options of `run` as they were written; [SpecAssembly] reads them, so that all their faults are found at once.
final class RunOptions {
    @Option(names = "--engine", paramLabel = "NAME",
            description = "Engine to run; repeat it for more. See: inferometer engines list.")
    List<String> engines = new ArrayList<>();

    @Option(names = "--scheduler", paramLabel = "NAME[:opt=value,...]",
            description = "Scheduler, with options after a colon; repeat it for more. See: inferometer help schedulers.")
    List<String> schedulers = new ArrayList<>();

    @Option(names = "--workload", paramLabel = "NAME|prompts:FILE|trace:FILE",
            description = "Workload preset, prompts file or recorded trace; repeat it for more. See: inferometer help workloads.")
    List<String> workloads = new ArrayList<>();

    @Option(names = "--backend", paramLabel = "NAME[:opt=value,...]",
            description = "What computes, as in host:threads=2,deterministic=true. See: inferometer help backends. Default: host.")
    @Nullable
    String backend;

    @Option(names = "--target", paramLabel = "NAME[:opt=value,...]",
            description = "Drive this in place of engines, as in http:url=http://localhost:8000; repeat it for more. See: inferometer help targets.")
    List<String> targets = new ArrayList<>();

    @Option(names = "--baseline", paramLabel = "NAME[:opt=value,...]",
            description = "Scheduler that the others are held against, as it was chosen or by its name. Default: the first.")
    @Nullable
    String baseline;

    @Option(names = "--requests", paramLabel = "N[,N...]",
            description = "Measured requests a run; several make a workload each, as in 25,50,100. Default: as in the workload.")
    List<String> requests = new ArrayList<>();

    @Option(names = "--concurrency", paramLabel = "N",
            description = "Closed loop: N requests in flight, each answer makes room for the next.")
    @Nullable
    String concurrency;

    @Option(names = "--rate", paramLabel = "R",
            description = "Open loop: Poisson arrivals, R requests a second on average.")
    @Nullable
    String rate;

    @Option(names = "--arrivals", paramLabel = "NAME:opt=value,...",
            description = "How requests arrive, as in gamma:rate=4,burstiness=0.5. See: inferometer help arrivals.")
    @Nullable
    String arrivals;

    @Option(names = "--duration", paramLabel = "TIME",
            description = "Stop sending after this long instead of after a number of requests, as in 60s; with --requests, whichever comes first.")
    @Nullable
    String duration;

    @Option(names = "--sweep", paramLabel = "WHAT=N,N...",
            description = "Each workload under rising load: concurrency=1,2,4,8 or rate=0.5,1,2.")
    @Nullable
    String sweep;

    @Option(names = "--search", paramLabel = "WHAT=LEAST..MOST",
            description = "Look for the highest load that meets --slo: concurrency=1..64 or rate=0.5..20, in steps of a tenth.")
    @Nullable
    String search;

    @Option(names = "--slo", paramLabel = "LIMITS|NAME",
            description = "Limits that each request must meet, as in ttft=500ms,tpot=50ms,e2e=10s, or MLPerf's: see inferometer help slos. Gives goodput.")
    @Nullable
    String slo;

    @Option(names = "--price", paramLabel = "N",
            description = "Price of the machine an hour, in any currency. Gives the cost of a million output tokens.")
    @Nullable
    String price;

    @Option(names = "--runs", paramLabel = "N",
            description = "Repetitions of each cell; one gives no interval and no verdict. Default: 3, quick 1.")
    @Nullable
    String runs;

    @Option(names = "--warmup", paramLabel = "N",
            description = "Requests before measuring starts; they enter no figure. Default: 4.")
    @Nullable
    String warmUp;

    @Option(names = "--seed", paramLabel = "N", description = "Every random draw comes from it. Default: 42.")
    @Nullable
    String seed;

    @Option(names = "--kv-memory", paramLabel = "SIZE",
            description = "Size of the KV pool, as in 512MiB. Default: what the workload can use.")
    @Nullable
    String kvMemory;

    @Option(names = "--max-length", paramLabel = "TOKENS",
            description = "Positions a request may reach. Default: what the workload can reach.")
    @Nullable
    String maxLength;

    @Option(names = "--max-batch-size", paramLabel = "N",
            description = "Requests in a step. Default: what the workload can use.")
    @Nullable
    String maxBatchSize;

    @Option(names = "--max-num-tokens", paramLabel = "N",
            description = "Positions in a step. Default: what the workload needs.")
    @Nullable
    String maxNumTokens;

    @Option(names = "--sample-every", paramLabel = "TIME",
            description = "Period of memory and CPU samples, 10ms to 1s. Default: 100ms.")
    @Nullable
    String sampleEvery;

    @Option(names = "--out", paramLabel = "DIR",
            description = "Folder that the result's folder is made in. Default: results in the workspace.")
    @Nullable
    Path out;

    @Option(names = "--again", paramLabel = "RESULT",
            description = "Repeat what a result was asked for: its id, its folder, or latest.")
    @Nullable
    String again;

    @Option(names = "--require-valid", description = "Exit with 1 unless the verdict is VALID; PREVIEW is not.")
    boolean requireValid;
}
