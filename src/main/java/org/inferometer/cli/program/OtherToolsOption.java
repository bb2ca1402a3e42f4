package org.inferometer.cli.program;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/// An option of another tool, and the option that replaces it here.
///
/// @param names as the other tools spell it
/// @param example the option here with a value
/// @param clause how they relate: follows the name in a sentence
record OtherToolsOption(List<String> names, String example, String clause) {
    /// Names | option here | clause; an empty clause stands for "is OPTION here".
    private static final String TABLE = """
            --sizes | --requests 25,50,100 |
            --num-prompts, --num-prompt, --num-requests, --num-request, --request-count, --max-requests | --requests 100 |
            --max-num-completed-requests, --total-requests, --num-examples | --requests 100 |
            --max-concurrent, --max-concurrency, --max-concurrent-requests, --num-concurrent-requests | --concurrency 8 |
            --concurrency-list, --num-concurrency | --sweep concurrency=1,2,4 |
            --request-rate, --qps, --constant-rate, --poisson-rate | --rate 4 |
            --rate-type, --profile | --rate 4 | is --rate, --concurrency or --search here
            --burstiness | --arrivals gamma:rate=4,burstiness=0.5 |
            --arrival-pattern, --request-rate-mode | --arrivals constant:rate=4 |
            --random-input-len, --input-len, --input-length, --isl, --mean-input-tokens | --prompt-tokens 512 |
            --synthetic-input-tokens-mean, --prompt-input-tokens-mean, --n-prompt, --sonnet-input-len, -p, -pp | --prompt-tokens 512 |
            --synthetic-input-tokens-stddev, --stddev-input-tokens, --random-range-ratio, --isl-stddev | --prompt-tokens 256..768 |
            --random-output-len, --output-len, --output-length, --osl, --mean-output-tokens | --output-tokens 128 |
            --output-tokens-mean, --max-tokens, --n-gen, --n-predict, --sharegpt-output-len, --hf-output-len, -n | --output-tokens 128 |
            --output-tokens-stddev, --stddev-output-tokens, --osl-stddev | --output-tokens 64..192 |
            --base-url, --url, --host, --port, --server-url, --api-base, -u | --target http:url=http://127.0.0.1:8000 |
            --endpoint, --endpoint-type, --api-format | --target http:url=http://127.0.0.1:8000,api=chat | is the option api of --target here
            --streaming, --no-stream, --disable-stream | --target http:url=http://127.0.0.1:8000,stream=false | is the option stream of --target here, true unless it says otherwise
            --api-key, --header, -H | --target http:url=http://127.0.0.1:8000,api_key_env=NAME | is not given as text; name the variable that has the key with --target
            --model, --model-name, --model-id, --model-names, --served-model-name, -m | --engine tiny-int4 | is --engine here, or the option model of --target for a server
            --tokenizer, --hf-model-path | --target http:url=http://127.0.0.1:8000 | is not needed, because servers report their tokens; the server is --target
            --device, --cuda, --cpu, -ngl, --n-gpu-layers, --gpu-layers, -dev | --backend host | is --backend here, host for the CPU and cuda for a GPU
            --threads, --n-threads, -t | --backend host:threads=8 | is an option of --backend here
            --schedulers, --policy, --scheduling-policy | --scheduler naive,continuous |
            --engines | --engine tiny-int4,tiny-fp8 |
            --workloads | --workload chat,short |
            --dataset-name, --dataset-path, --dataset, --data, --input-file, --public-dataset | --workload trace:FILE | is --workload here, with prompts:FILE or trace:FILE
            --custom-dataset-type, --data-type | --workload trace:FILE | is --workload here, with prompts:FILE or trace:FILE
            --max-seconds, --benchmark-duration, --time-limit, --test-duration | --duration 60s |
            --warmup-request-count, --num-warmups, --warmup-requests, --warmup-percent, --warm-up | --warmup 8 |
            --repetitions, --repeat, --num-runs, --iterations, --num-profile-runs, -r | --runs 5 |
            --random-seed, --rand-seed | --seed 42 |
            --goodput, --sla, --slos | --slo ttft=500ms,tpot=50ms |
            --percentile-metrics, --metric-percentiles, --metrics | --json | is not needed, because every percentile is recorded; to print them, add --json
            --output-dir, --output-path, --result-dir, --result-filename, --artifact-dir, --output, -o | --out results |
            --save-result, --save-detailed, --append-result, --export-level, --profile-export-file | --out results | is not needed, because every result is recorded; its folder is --out
            --batch-size, --max-num-seqs, --max-batch, -b | --max-batch-size 8 |
            --max-num-batched-tokens, --ubatch-size, -ub | --max-num-tokens 512 |
            --max-model-len, --max-seq-len, --ctx-size, -c | --max-length 2048 |
            --kv-cache-size, --gpu-memory-utilization, --kv-cache-memory-bytes | --kv-memory 512MiB |
            --label, --run-name, --experiment-name | --save NAME | is not an option here; to keep an experiment under a name, use --save
            """;

    private static final List<OtherToolsOption> ALL = TABLE.lines().map(OtherToolsOption::parse).toList();

    private static OtherToolsOption parse(String line) {
        String[] cells = line.split("\\|", -1);
        String example = cells[1].strip();
        String clause = cells[2].strip();
        return new OtherToolsOption(Arrays.stream(cells[0].split(",")).map(String::strip).toList(), example,
                clause.isEmpty() ? "is " + ours(example) + " here" : clause);
    }

    /// All of them; no name is in two.
    static List<OtherToolsOption> all() {
        return ALL;
    }

    /// The entry of a name; underscores and hyphens are equal.
    static Optional<OtherToolsOption> find(String name) {
        String wanted = name.replace('_', '-');
        return ALL.stream().filter(each -> each.names.contains(wanted)).findFirst();
    }

    /// The option here.
    String option() {
        return ours(example);
    }

    private static String ours(String example) {
        return example.split(" ", 2)[0];
    }

    /// "--sizes is --requests here, as in --requests 25,50,100."
    String sentence(String name) {
        return name + " " + clause + ", as in " + example + ".";
    }
}
