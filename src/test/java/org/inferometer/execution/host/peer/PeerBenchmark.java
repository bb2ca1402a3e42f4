package org.inferometer.execution.host.peer;

import java.io.PrintStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.inferometer.engine.Engine;
import org.inferometer.engine.build.EngineBuilder;
import org.inferometer.engine.build.EngineCatalog;
import org.inferometer.engine.build.EngineEntry;

/// Decode and prefill of the host backend against llama.cpp, in turn. Ratios above 1: the host backend is faster.
///
/// Both have the same shape, threads and positions, and random weights: 4-bit (INT4, Q4_0) and 8-bit (FP8, Q8_0).
/// Files of up to 1.2 GB are kept in the folder. Arguments: folder, rounds, options of the host backend, and names of
/// models or engines.
public final class PeerBenchmark {
    private static final int THREADS = 2; // of llama.cpp; the options name those of the host backend
    private static final int TOGETHER = 16;
    private static final int POSITIONS = 2048 + 64;

    /// A quantity that both are measured in.
    ///
    /// @param sequences that decode together; 0 for a prompt
    /// @param tokens of the prompt, or the position at which decoding begins
    private record Figure(int sequences, int tokens) {
        String label() {
            return sequences == 0 ? "prefill " + tokens : "decode " + sequences + " at " + tokens;
        }

        /// Tokens a second.
        double rate(Peer peer) throws Exception {
            return sequences == 0 ? tokens / peer.prefillSeconds(tokens) : peer.decodeRate(sequences, tokens);
        }
    }

    private static final List<Figure> FIGURES = List.of(new Figure(1, 64), new Figure(1, 1024),
            new Figure(TOGETHER, 64), new Figure(0, 128), new Figure(0, 512), new Figure(0, 2048));

    /// A model in one format of each.
    private record Pair(String engine, PeerFile.Format format) {}

    private PeerBenchmark() {}

    /// Prints a table of medians and ratios.
    public static void main(String[] arguments) throws Exception {
        PrintStream out = System.out;
        Path folder = Path.of(arguments[0]);
        int rounds = Integer.parseInt(arguments[1]);
        List<String> rows = new ArrayList<>();
        for (String model : Arrays.asList(arguments).subList(3, arguments.length)) {
            for (Pair pair : pairs(model)) {
                rows.addAll(measured(folder, pair, rounds, arguments[2], out));
            }
        }
        out.printf("%-22s %-16s %10s %10s %7s%n", "engine", "figure", "ours tok/s", "llama.cpp", "ratio");
        rows.forEach(out::println);
        out.flush();
        // The library attaches threads to the JVM and ends without detaching them; the JVM would wait for them for ever.
        System.exit(0);
    }

    /// The pairs of a model, or of one engine where its name says the format.
    private static List<Pair> pairs(String name) {
        if (name.endsWith("-int4")) {
            return List.of(new Pair(name, PeerFile.Format.Q4_0));
        }
        if (name.endsWith("-fp8") || name.endsWith("-int8")) {
            return List.of(new Pair(name, PeerFile.Format.Q8_0));
        }
        return List.of(new Pair(name + "-int4", PeerFile.Format.Q4_0), new Pair(name + "-int8", PeerFile.Format.Q8_0),
                new Pair(name + "-fp8", PeerFile.Format.Q8_0));
    }

    private static List<String> measured(Path folder, Pair pair, int rounds, String options, PrintStream out)
            throws Exception {
        Engine engine = opened(pair.engine);
        Path file = PeerFile.write(folder, pair.engine, engine.descriptor().shape(), pair.format);
        double[][][] rates = new double[2][FIGURES.size()][rounds];
        try (Peer ours = new HostPeer(engine, options, TOGETHER, POSITIONS);
                Peer theirs = new LlamaCppPeer(file, folder, THREADS, TOGETHER, POSITIONS)) {
            // The first round compiles.
            for (int round = -1; round < rounds; round++) {
                for (int i = 0; i < FIGURES.size(); i++) {
                    double their = FIGURES.get(i).rate(theirs);
                    double our = FIGURES.get(i).rate(ours);
                    out.printf(Locale.ROOT, "%s %s: %.1f, %.1f%n", pair.engine, FIGURES.get(i).label(), our, their);
                    if (round >= 0) {
                        rates[0][i][round] = our;
                        rates[1][i][round] = their;
                    }
                }
            }
        }
        List<String> rows = new ArrayList<>();
        for (int i = 0; i < FIGURES.size(); i++) {
            double our = median(rates[0][i]);
            double their = median(rates[1][i]);
            rows.add(String.format(Locale.ROOT, "%-22s %-16s %10.1f %10.1f %7.2f", pair.engine, FIGURES.get(i).label(),
                    our, their, our / their));
        }
        return rows;
    }

    private static Engine opened(String name) throws Exception {
        EngineEntry entry = new EngineCatalog(Path.of("engines")).find(name);
        if (entry.state() == EngineEntry.State.RECIPE_ONLY) {
            new EngineBuilder().build(entry, fraction -> {});
        }
        return Engine.open(entry.folder());
    }

    private static double median(double[] values) {
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        return sorted[sorted.length / 2];
    }
}
