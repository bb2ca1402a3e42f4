package org.inferometer.suite.serving;

import java.util.Optional;

/// The servers of one kind: their parallelism and limits. Absent fields have TensorRT-LLM's defaults.
///
/// @param attentionDp whether each GPU of a group serves requests of its own
/// @param mtpLayers draft tokens a step of multi-token prediction; 0 without
/// @param section the fields as written, for messages
public record Worker(Optional<Integer> tensorParallel, Optional<Integer> pipelineParallel,
        Optional<Integer> expertParallel, boolean attentionDp, Optional<Integer> maxBatchSize,
        Optional<Integer> maxNumTokens, Optional<Integer> maxSeqLen, int mtpLayers, Section section) {

    /// Every other key is an argument of TensorRT-LLM's LLM API and is passed on, so none is unknown.
    static Worker read(Section section) {
        Section speculation = section.section("speculative_config");
        int mtp = speculation.whole("num_nextn_predict_layers").or(() -> speculation.whole("max_draft_len")).orElse(0);
        return new Worker(section.whole("tensor_parallel_size"), section.whole("pipeline_parallel_size"),
                section.whole("moe_expert_parallel_size"), section.flag("enable_attention_dp").orElse(false),
                section.whole("max_batch_size"), section.whole("max_num_tokens"), section.whole("max_seq_len"), mtp,
                section);
    }

    /// GPUs of one server.
    public int gpus() {
        return tensorParallel.orElse(1) * pipelineParallel.orElse(1);
    }
}
