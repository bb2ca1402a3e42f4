package org.inferometer.target.serve;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.inferometer.options.Access;
import org.inferometer.options.OptionException;
import org.inferometer.options.Selection;
import org.inferometer.target.TargetKind;
import org.inferometer.target.TargetKind.TargetKinds;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Options of started servers that others may have written.
class ServedTargetKindTest {
    private static final TargetKinds KINDS = new TargetKinds(ServedTargetKind.all(name -> Optional.empty()));
    private static final String KEY = "sk-SECRETSECRET1234567";

    private static TargetKind.ConfiguredTarget configure(String target) throws OptionException {
        Selection selection = Selection.parse(target);
        return KINDS.find(selection.name()).configure(selection);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"health", "@evil.example/", "/a b", "/%zz", "http://evil.example/", "/#part", ":80/x", "1/x"})
    void readyMustBeAPath(String ready) {
        assertThatThrownBy(() -> configure("serve:command=s --port {port},ready=" + ready))
                .isInstanceOf(OptionException.class)
                .hasMessage("serve: ready=" + ready + ": expected a path, as in /health.");
    }

    @ParameterizedTest
    @ValueSource(strings = {"/health", "/v1/models?detail=1", "/"})
    void pathsWithAQueryAreTaken(String ready) throws OptionException {
        assertThat(configure("serve:command=s --port {port},ready=" + ready).model()).isEqualTo("serve");
    }

    @ParameterizedTest
    @ValueSource(strings = {"serve:command=s --port {port} --api-key K", "serve:command=s --port {port} --api_key=K",
            "vllm:model=m,arguments=--api-key K", "sglang:model=m,arguments=--admin-api-key K",
            "vllm:model=m,env=HF_TOKEN=K", "vllm:model=m,env=OTHER=K",
            "serve:command=docker run -e HF_TOKEN=K -p {port}:8000 i", "serve:command=s {port} {x},x=K",
            "llama-server:model=m,arguments=-hft K", "vllm:model=m,env='HF_TOKEN= 'K", "vllm:model=m,env=A= K",
            "serve:command=s {port} --header 'Authorization: Bearer SECRETSECRET'",
            "vllm:model=https://user:SECRET@host/m"})
    void keysThatWouldBeRecordedAreRefused(String target) {
        assertThatThrownBy(() -> configure(target.replace("K", KEY))).isInstanceOf(OptionException.class).message()
                .doesNotContain("SECRET");
    }

    @Test
    void refusalSaysWhereTheKeyIs() {
        assertThatThrownBy(() -> configure("vllm:model=m,arguments=--api-key K")).hasMessage(
                "vllm: The command has a key in --api-key, which would be recorded. Set it as a variable in the environment"
                        + " of Inferometer: the server inherits it, and api_key_env can name it.");
    }

    @ParameterizedTest
    @ValueSource(strings = {"vllm:model=m,env=TOKENIZERS_PARALLELISM=false MAX_TOKENS=4 HF_TOKEN=",
            "vllm:model=m,arguments=--api-key-file k.txt --max-num-batched-tokens 8",
            "serve:command=s {port} -e HF_TOKEN"})
    void namesThatOnlyLookLikeKeysAreTaken(String target) throws OptionException {
        assertThat(configure(target).model()).isNotEmpty();
    }

    @Test
    void variablesAreApprovedWithTheCommand() {
        String filler = "x".repeat(300);
        Selection selection = new Selection("vllm", Map.of("model", "my m", "env", "LD_PRELOAD=./evil.so B=c",
                "arguments", filler + " --trust-remote-code"));
        List<Access> accesses = KINDS.find("vllm").accesses(selection);

        assertThat(accesses).containsExactly(new Access(Access.Kind.PROGRAM,
                "B=c LD_PRELOAD=./evil.so vllm serve 'my m' --host 127.0.0.1 --port {port} " + filler
                        + " --trust-remote-code"));
        assertThat(accesses.getFirst().phrase()).endsWith(" --trust-remote-code");
    }
}
