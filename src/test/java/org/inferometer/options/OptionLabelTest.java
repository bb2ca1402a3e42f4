package org.inferometer.options;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class OptionLabelTest {
    @Test
    void labelsAreWords() {
        assertThat(Stream.of("max_num_seqs", "enable_prefix_caching", "url", "ctx_kv_share", "latency_slo")
                .map(name -> new OptionDescription(name, List.of(), new OptionKind.Text(), "", "", "").label()))
                .containsExactly("Max num seqs", "Prefix caching", "URL", "Ctx KV share", "Latency SLO");
    }
}
