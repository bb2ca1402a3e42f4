package org.inferometer.wording;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.Stream;
import org.inferometer.experiment.ExperimentFields;
import org.inferometer.finding.Advice;
import org.junit.jupiter.api.Test;

class VoiceTest {
    @Test
    void theWindowNamesNoCommandAndNoOption() {
        List<Advice> all = Stream.concat(Stream.of(Advice.Action.values()),
                Stream.of(new Advice.Build("tiny-fp8"), ExperimentFields.KV_MEMORY.advice())).toList();
        assertThat(all).extracting(Voice.WINDOW::words).containsExactly("Calibrate this machine once in Devices.",
                "(both chosen in the designer)", "(Calibrate in Devices)", "(Arrivals in the designer)",
                "(Quality in Engines)", "in Engines", "in Engines", "“KV memory”");
        assertThat(all).extracting(Voice.COMMAND_LINE::words).containsExactly("Run selfcheck once on this machine.",
                "(run --against)", "(selfcheck --aa)", "(--rate, or requests a second)", "(see engines quality)",
                "with \"inferometer results prune --yes\"", "with \"inferometer engines build tiny-fp8\"",
                "--kv-memory");
    }

    @Test
    void aTextHasItsAdviceBetweenItsParts() {
        AdvisedText text = new AdvisedText("Raise ", ExperimentFields.KV_MEMORY.advice(), " to 1 GiB.");
        assertThat(text.in(Voice.WINDOW)).isEqualTo("Raise “KV memory” to 1 GiB.");
        assertThat(text).hasToString("Raise --kv-memory to 1 GiB.");
        assertThat(AdvisedText.plain("Run again.").in(Voice.WINDOW)).isEqualTo("Run again.");
    }
}
