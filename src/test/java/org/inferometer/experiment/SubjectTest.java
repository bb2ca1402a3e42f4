package org.inferometer.experiment;

import static org.assertj.core.api.Assertions.assertThat;

import org.inferometer.experiment.Subject.TargetSubject;
import org.inferometer.options.Selection;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SubjectTest {
    @ParameterizedTest
    @CsvSource({"'edgellm:engine_dir=/engines/llama-fp8/', llama-fp8 · edgellm",
            "'edgellm:engine_dir=engines\\int4,name=jetson', int4 · jetson",
            "'edgellm:engine_dir=fp8,model=llama', llama · edgellm", "'http:url=http://a.test,model=m', m · http",
            "'http:url=http://a.test', http", "'http:url=http://a.test,model=org/m', org/m · http",
            "'vllm:model=/models/llama/', llama · vllm", "'llama-server:model=m-q4_0.gguf', m-q4_0 · llama-server",
            "'llama-server:model=/models/m-q4_0.gguf', m-q4_0 · llama-server"})
    void targetsAreNamedByModelOrEngineFolder(String target, String label) {
        assertThat(new TargetSubject(Selection.parse(target)).label()).isEqualTo(label);
    }
}
