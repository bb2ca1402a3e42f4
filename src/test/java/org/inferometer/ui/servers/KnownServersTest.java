package org.inferometer.ui.servers;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import org.inferometer.target.TargetKind.ProbeCheck;
import org.inferometer.ui.fx.Settings;
import org.inferometer.ui.servers.KnownServers.KnownServer;
import org.inferometer.ui.servers.KnownServers.KnownServer.State;
import org.inferometer.ui.twin.InlineUi;
import org.inferometer.ui.twin.MachinesTwin;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class KnownServersTest {
    @TempDir
    Path folder;

    private KnownServers servers() {
        return new KnownServers(new MachinesTwin()::probe, new Settings(folder.resolve("settings.properties")),
                new InlineUi().work());
    }

    @Test
    void anAddedServerIsProbed() {
        KnownServers servers = servers();
        assertThat(servers.add(" http://127.0.0.1:8000 ")).isEmpty();
        KnownServer added = servers.all().getFirst();
        assertThat(added.target().toString()).isEqualTo("http:url=http://127.0.0.1:8000");
        assertThat(added.state().get()).isEqualTo(
                new State.Probed(List.of(ProbeCheck.passed("models", "llama."), ProbeCheck.absent("gauges", "None."))));
        assertThat(((State.Probed) added.state().get()).usable()).isTrue();
        assertThat(servers.add("http:url=http://127.0.0.1:8000"))
                .contains("http:url=http://127.0.0.1:8000 is in the list.");
    }

    @Test
    void anAddressIsProbedAgainWhereItIsKnown() {
        KnownServers servers = servers();
        KnownServer first = servers.probed("localhost:8000/v1");
        assertThat(first.target().toString()).isEqualTo("http:url=http://localhost:8000/v1");
        assertThat(servers.probed("http://localhost:8000/v1")).isSameAs(first);
        assertThat(servers.all()).containsExactly(first);
    }

    @Test
    void wrongOptionsAreSaid() {
        KnownServers servers = servers();
        assertThat(servers.add("htp:x=1")).isEmpty();
        assertThat(servers.all().getFirst().state().get())
                .isEqualTo(new State.Refused("No such target. Write http:url=URL."));
        assertThat(servers.add("http:url")).isPresent();
        assertThat(servers.all()).hasSize(1);
    }

    @Test
    void serversAreKeptForTheNextStartAndNotContacted() {
        KnownServers first = servers();
        first.add("http:url=http://a.test,model=m");
        first.add("http://b.test");
        first.all().removeLast();
        KnownServers later = servers();
        assertThat(later.all()).extracting(server -> server.target().toString())
                .containsExactly("http:url=http://a.test,model=m");
        assertThat(later.all().getFirst().state().get()).isEqualTo(new State.NotProbed());
    }
}
