package org.inferometer.suite;

/// Test configurations for tests.
public final class ServingConfigurations {
    /// Meets every rule.
    public static final String MINIMAL = """
            metadata:
              model_name: "m"
              precision: "fp4"
              supported_gpus: ["GB200"]
            slurm:
              job_time: 02:00:00
            benchmark:
              mode: e2e
              streaming: true
              concurrency_list: "1 2 32"
              input_length: 1024
              output_length: 1024
            hardware:
              gpus_per_node: 4
              num_ctx_servers: 1
              num_gen_servers: 4
            worker_config:
              gen:
                tensor_parallel_size: 8
                max_batch_size: 32
                max_num_tokens: 32
                max_seq_len: 2251
              ctx:
                tensor_parallel_size: 4
                max_batch_size: 4
                max_num_tokens: 4608
                max_seq_len: 2251
            """;

    /// Meets every rule.
    public static final String AGGREGATED = """
            metadata:
              model_name: m
              supported_gpus:
              - B200
            hardware:
              gpus_per_node: 8
            server_configs:
              - name: "tep8"
                model_name: "m"
                tensor_parallel_size: 8
                max_batch_size: 4
                cuda_graph_config:
                  enable_padding: true
                  max_batch_size: 4
                client_configs:
                  - name: "con2"
                    concurrency: 2
                    iterations: 10
                    isl: 8192
                    osl: 1024
                    backend: "openai"
                  - name: "con4"
                    concurrency: 4
                    iterations: 10
                    isl: 8192
                    osl: 1024
                    backend: "openai"
            """;

    private ServingConfigurations() {}
}
