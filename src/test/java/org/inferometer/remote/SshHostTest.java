package org.inferometer.remote;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SshHostTest {
    @Test
    void wordsForTheOtherShellAreQuoted() {
        List<String> line = SshHost.parse(
                "ssh:me@gpu1,port=2222,command=/opt/my programs/inferometer,workspace=\"/data/it's, here\",config=/x y")
                .commandLine();

        assertThat(line.subList(line.indexOf("ssh"), line.size())).containsExactly("ssh", "-T", "-o", "BatchMode=yes",
                "-o", "ConnectTimeout=15", "-o", "ServerAliveInterval=15", "-o", "ServerAliveCountMax=4", "-F", "/x y",
                "-p", "2222", "--", "me@gpu1",
                "'/opt/my programs/inferometer' --workspace '/data/it'\\''s, here' remote");
    }

    @ParameterizedTest
    @ValueSource(strings = {"ssh:", "gpu1", "ssh:-oProxyCommand=id", "ssh:me@-oProxyCommand", "ssh:a b", "ssh:a;b",
            "ssh:$(id)", "ssh:a\nb", "ssh:gpu1,port=0", "ssh:gpu1,port=x", "ssh:gpu1,comand=x"})
    void whatIsNoMachineIsRefused(String text) {
        assertThatThrownBy(() -> SshHost.parse(text)).isInstanceOf(IllegalArgumentException.class);
    }

    @ParameterizedTest
    @ValueSource(strings = {"gpu1", "me@gpu-1.example", "10.0.0.7", "me@[fe80::1%eth0]", "::1"})
    void namesAndAddressesAreMachines(String host) {
        assertThat(SshHost.parse("ssh:" + host).host()).isEqualTo(host);
    }
}
