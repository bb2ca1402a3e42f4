package org.inferometer.execution.host.peer;

import de.kherud.llama.InferenceParameters;
import de.kherud.llama.LlamaIterable;
import de.kherud.llama.LlamaModel;
import de.kherud.llama.LlamaOutput;
import de.kherud.llama.ModelParameters;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.inferometer.prompting.LlamaCpp;

/// llama.cpp as its library for Java has it, with its own defaults for caches and batches.
///
/// One model serves single sequences and one those that decode together: all share one cache there, and what stays of a
/// long prompt would slow every later step.
final class LlamaCppPeer implements Peer {
    private static final int TOGETHER_POSITIONS = 128;

    private final LlamaModel single;
    private final LlamaModel together;

    /// @param sequences that decode together
    /// @param positions of a single one
    LlamaCppPeer(Path file, Path unpacked, int threads, int sequences, int positions) {
        LlamaCpp.load(unpacked);
        single = opened(file, threads, 1, positions);
        together = opened(file, threads, sequences, sequences * TOGETHER_POSITIONS);
    }

    private static LlamaModel opened(Path file, int threads, int sequences, int positions) {
        return new LlamaModel(new ModelParameters().setModel(file.toString()).setThreads(threads)
                .setThreadsBatch(threads).setParallel(sequences).setCtxSize(positions).disableLog());
    }

    @Override
    public double prefillSeconds(int tokens) {
        long start = System.nanoTime();
        return (tokenTimes(single, tokens, 1)[0] - start) / 1e9;
    }

    @Override
    public double decodeRate(int sequences, int position) throws Exception {
        List<Future<long[]>> answers = new ArrayList<>();
        List<long[]> times = new ArrayList<>();
        try (ExecutorService threads = Executors.newFixedThreadPool(sequences)) {
            for (int i = 0; i < sequences; i++) {
                answers.add(threads
                        .submit(() -> tokenTimes(sequences == 1 ? single : together, position, HostPeer.DECODED)));
            }
            for (Future<long[]> answer : answers) {
                times.add(answer.get());
            }
        }
        // All sequences decode from the last first token to the first last one.
        long from = times.stream().mapToLong(each -> each[0]).max().orElseThrow();
        long to = times.stream().mapToLong(each -> each[each.length - 1]).min().orElseThrow();
        long tokens = times.stream().flatMapToLong(Arrays::stream).filter(nanos -> nanos > from && nanos <= to).count();
        return tokens * 1e9 / Math.max(1, to - from);
    }

    private static long[] tokenTimes(LlamaModel model, int promptTokens, int tokens) {
        LlamaIterable answer = model.generate(new InferenceParameters("a" + " a".repeat(promptTokens - 2))
                .setTemperature(0).setNPredict(tokens).setIgnoreEos(true).setCachePrompt(false));
        long[] times = new long[tokens];
        int count = 0;
        for (LlamaOutput _ : answer) {
            if (count < tokens) {
                times[count] = System.nanoTime();
            }
            count++;
        }
        if (count < tokens) {
            throw new IllegalStateException("llama.cpp gave " + count + " of " + tokens + " tokens.");
        }
        return times;
    }

    @Override
    public void close() {
        single.close();
        together.close();
    }
}
