package org.inferometer.workload;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.inferometer.engine.tokenizer.Tokenizer;
import org.inferometer.units.Seed;
import org.jspecify.annotations.Nullable;

/// Draws the requests of a run from a specification and a seed. Lengths, tokens and arrivals have seeds of their own.
public final class WorkloadDraw {
    /// Requests drawn before a closed loop that ends by time; further ones are drawn while it runs.
    static final int DRAWN_AHEAD = 1_000;
    /// The most requests of a closed loop that ends by time; its verdict says if they end before it.
    static final int MOST_BY_CLOCK = 2_000_000;
    // Memory ends a load of instants earlier.
    private static final int UNLIMITED = Integer.MAX_VALUE / 2;

    private static final long WARM_UP_TIMEOUT_NANOS = 60_000_000_000L;

    private final Tokenizer tokenizer;
    private final Seed lines;

    /// @param tokenizer of the engine under test
    public WorkloadDraw(Tokenizer tokenizer) {
        this(tokenizer, new Seed(0));
    }

    /// @param run seed of the texts of unique lines, which differ between runs of equal load
    public WorkloadDraw(Tokenizer tokenizer, Seed run) {
        this.tokenizer = tokenizer;
        this.lines = run.part("unique lines");
    }

    /// All requests; equal arguments give equal requests.
    ///
    /// @throws IOException if a prompt file or a trace cannot be used
    /// @throws IllegalArgumentException if the prompts do not fit into memory or have no instants to replay
    public Workload draw(WorkloadSpec spec, int warmUpRequests, Seed seed) throws IOException {
        try {
            return drawn(spec, warmUpRequests, seed);
        } catch (UncheckedIOException e) {
            // A tokenizer that refuses text.
            throw e.getCause();
        }
    }

    private Workload drawn(WorkloadSpec spec, int warmUpRequests, Seed seed) throws IOException {
        requireRoom(spec, seed.part("measured"));
        Material material = material(spec);
        WorkloadSpec warming = warming(spec);
        Seed warmUpSeed = seed.part("warm-up");
        TokenBudget budget = TokenBudget.ofThisProcess();
        PromptSource others =
                new WarmUpPrompts(prompts(warming, material, budget, warmUpSeed, seed), tokenizer, budget, warmUpSeed);
        List<Request> before =
                all(new RequestDraw(warming, others, budget, warmUpSeed, 0, warmUpRequests), Integer.MAX_VALUE);
        int firstId = before.size();
        long duration = spec.refinements().durationNanos();
        boolean byClock =
                duration > 0 && spec.arrivals() instanceof ArrivalProcess.ClosedLoop && material.trace == null;
        int most = spec.requests() > 0 ? spec.requests() : byClock ? MOST_BY_CLOCK
                : duration > 0 ? UNLIMITED
                : material.size();
        int ahead = byClock ? Math.min(most, Math.max(DRAWN_AHEAD, material.size())) : most;
        List<Request> measured = all(measured(spec, material, seed, firstId, most, TokenBudget.ofThisProcess()), ahead);
        LaterRequests later =
                byClock && most > ahead ? later(spec, material, seed, firstId, most, ahead) : LaterRequests.NONE;
        String hash = new WorkloadHash().add(before).add(measured).addDuration(duration).hex();
        return new Workload(before, measured, later, hash, material.notes());
    }

    /// The fault of a workload whose drawn requests exceed the memory in any case; empty if they may fit. Draws nothing.
    ///
    /// @param heapBytes of the process that draws
    public static Optional<String> fault(WorkloadSpec spec, long heapBytes) {
        if (!isDrawn(spec)) {
            return Optional.empty();
        }
        double least = spec.expectedRequests()
                * (TokenBudget.requestBytes(spec.outputTokens().smallest())
                        + (double) Integer.BYTES * (spec.sharedPrefixTokens() + spec.promptTokens().smallest()))
                + (double) Integer.BYTES * spec.refinements().prefixGroups() * spec.sharedPrefixTokens();
        return least <= heapBytes / 2.0 ? Optional.empty()
                : Optional.of(TokenBudget.sentence((long) least, heapBytes / 2));
    }

    private static boolean isDrawn(WorkloadSpec spec) {
        return spec.promptFile() == null && spec.refinements().trace() == null
                && (spec.refinements().durationNanos() == 0 || spec.arrivals() instanceof ArrivalProcess.OpenLoop);
    }

    private static void requireRoom(WorkloadSpec spec, Seed phase) {
        TokenBudget budget = TokenBudget.ofThisProcess();
        fault(spec, Runtime.getRuntime().maxMemory()).ifPresent(sentence -> {
            throw new IllegalArgumentException(sentence);
        });
        if (isDrawn(spec)) {
            Sessions sessions = spec.refinements().sessions();
            long requests = (long) spec.expectedRequests();
            budget.require(sessions == null ? SyntheticPrompts.bytes(spec, phase, requests, budget)
                    : SessionPrompts.bytes(spec, sessions, phase, requests, budget));
        }
    }

    private RequestDraw measured(WorkloadSpec spec, Material material, Seed seed, int firstId, int most,
            TokenBudget budget) {
        Seed phase = seed.part("measured");
        return new RequestDraw(spec, prompts(spec, material, budget, phase, seed), budget, phase, firstId, most);
    }

    private LaterRequests later(WorkloadSpec spec, Material material, Seed seed, int firstId, int most, int ahead) {
        return new LaterRequests(most - ahead, () -> {
            TokenBudget budget = TokenBudget.ofThisProcess();
            RequestDraw draw = measured(spec, material, seed, firstId, most, budget);
            for (int i = 0; i < ahead; i++) {
                draw.next();
            }
            return () -> {
                budget.release();
                return draw.next();
            };
        });
    }

    /// Warm-up requests arrive in a closed loop without think times and cancellations; their timeout is long, since a cold target is
    /// slow.
    private static WorkloadSpec warming(WorkloadSpec spec) {
        Refinements refined = spec.refinements();
        Sessions sessions = refined.sessions();
        long timeout = refined.deadlines().timeoutNanos();
        long longTimeout = timeout == 0 ? 0 : Math.max(timeout, WARM_UP_TIMEOUT_NANOS);
        return spec.withArrivals(new ArrivalProcess.ClosedLoop(1))
                .withRefinements(refined.withDuration(0)
                        .withSessions(sessions == null ? null
                                : new Sessions(sessions.turns(), TimeDistribution.NONE, sessions.mostTokens()))
                        .withDeadlines(new DeadlineDistribution(longTimeout, 0, TimeDistribution.NONE)));
    }

    /// The content of files.
    ///
    /// @param traced the selected requests of a trace
    /// @param trace its selection; absent without a trace
    private record Material(List<PromptFile.Prompt> prompts, List<TraceSelection.Selected> traced,
            @Nullable TraceSelection trace) {
        private int size() {
            return trace == null ? prompts.size() : traced.size();
        }

        private List<String> notes() {
            return trace == null ? List.of() : List.of(trace.summary());
        }
    }

    private Material material(WorkloadSpec spec) throws IOException {
        TraceReplay replay = spec.refinements().trace();
        String file = spec.promptFile();
        List<TraceSelection.Selected> traced = new ArrayList<>();
        return new Material(file == null ? List.of() : new PromptFile().read(TraceSelection.path(file)), traced,
                replay == null ? null : TraceSelection.read(replay, spec.requests(),
                        text -> tokenizer.encode(text).length, traced::add));
    }

    private PromptSource prompts(WorkloadSpec spec, Material material, TokenBudget budget, Seed phase, Seed whole) {
        PromptSource source = written(spec, material, budget, phase, whole);
        return spec.refinements().varyPrompts() ? new VariedPrompts(source, tokenizer, budget, phase, lines) : source;
    }

    private PromptSource written(WorkloadSpec spec, Material material, TokenBudget budget, Seed phase, Seed whole) {
        if (material.trace != null) {
            return new TracePrompts(material.traced, material.trace.isTimed(), tokenizer, budget, phase);
        }
        if (!material.prompts.isEmpty()) {
            return new FilePrompts(material.prompts, tokenizer, spec.outputTokens(), budget, phase);
        }
        DrawnTokens drawn = new DrawnTokens(tokenizer, budget);
        Refinements refined = spec.refinements();
        SharedPrefixes prefixes =
                new SharedPrefixes(refined.prefixGroups(), spec.sharedPrefixTokens(), drawn, whole, phase);
        Sessions sessions = refined.sessions();
        return sessions == null ? new SyntheticPrompts(spec, drawn, prefixes, phase)
                : new SessionPrompts(spec, sessions, drawn, prefixes, phase);
    }

    private static List<Request> all(RequestDraw draw, int most) {
        List<Request> requests = new ArrayList<>();
        while (requests.size() < most) {
            Request next = draw.next();
            if (next == null) {
                break;
            }
            requests.add(next);
        }
        return requests;
    }
}
