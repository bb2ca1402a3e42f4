package org.inferometer.results.exchange;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

/// The settings in the files of vLLM's and SGLang's benchmark clients: what was asked of which server. New names are settings if they
/// are text, as those of vLLM's `--metadata` are, and numbers with a name of a setting.
final class ServingSettings {
    private static final Pattern LOAD =
            Pattern.compile("num_prompts|request_rate|burstiness|max_concurrency|ramp_up_.*|dataset_.*"
                    + "|label|random_.*|sharegpt_.*|.*_(input|output|prompt|prefix)_len|.*_range_ratio|num_(prefixes|groups|clients|rounds)"
                    + "|seed|temperature|top_[pk]|ignore_eos|goodput.*");
    private static final Set<String> OF_SERVER = Set.of("tensor_parallel_size", "pipeline_parallel_size",
            "data_parallel_size", "max_num_seqs", "max_num_batched_tokens", "max_model_len", "gpu_memory_utilization");
    private static final Set<String> NO_SETTING =
            Set.of("date", "model_id", "model", "backend", "label", "dataset_name", "generated_texts", "errors");
    /// Arguments of an SGLang server that decide what is measured; `server_info` also has its state.
    private static final List<String> SGLANG_SERVER =
            List.of("version", "tp_size", "dp_size", "pp_size", "ep_size", "quantization", "dtype", "kv_cache_dtype",
                    "attention_backend", "chunked_prefill_size", "max_running_requests", "schedule_policy",
                    "schedule_conservativeness", "mem_fraction_static", "disable_cuda_graph", "disable_radix_cache",
                    "disable_overlap_schedule", "page_size", "speculative_algorithm", "speculative_num_steps",
                    "speculative_num_draft_tokens", "stream_interval", "context_length");

    private ServingSettings() {}

    static ForeignRun.Settings of(ForeignFields run) {
        Map<String, String> load = run.settings(name -> !NO_SETTING.contains(name) && LOAD.matcher(name).matches());
        Map<String, String> server = new LinkedHashMap<>(run.settings(name -> !NO_SETTING.contains(name)
                && !load.containsKey(name) && (run.isWord(name) || OF_SERVER.contains(name))));
        server.putAll(run.object("server_info").settings(SGLANG_SERVER::contains));
        return new ForeignRun.Settings(server, load);
    }
}
