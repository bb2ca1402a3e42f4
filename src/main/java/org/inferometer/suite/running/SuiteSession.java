package org.inferometer.suite.running;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.inferometer.suite.running.SessionTest.State;

/// A run of a suite: its tests in their order, and how far each is.
///
/// @param id name of its folder
/// @param suite the suite's folder
/// @param platform what its tests run on, as text
/// @param site where they run: "here", "slurm", or a machine as `--on` takes it: "ssh:gpu1,port=2222"
public record SuiteSession(@JsonProperty("formatVersion") int formatVersion, @JsonProperty("id") String id,
        @JsonProperty("suite") String suite, @JsonProperty("platform") String platform,
        @JsonProperty("site") String site, @JsonProperty("created") Instant created,
        @JsonProperty("tests") List<SessionTest> tests) {
    /// The format that this version reads and writes.
    public static final int FORMAT_VERSION = 1;

    /// The same session with one test changed.
    SuiteSession with(int index, SessionTest test) {
        List<SessionTest> changed = new ArrayList<>(tests);
        changed.set(index, test);
        return new SuiteSession(formatVersion, id, suite, platform, site, created, List.copyOf(changed));
    }

    /// Tests in a state.
    public int count(State state) {
        return (int) tests.stream().filter(test -> test.state() == state).count();
    }

    /// Whether its tests are jobs of a cluster.
    public boolean isOnCluster() {
        return site.equals(SlurmSite.NAME);
    }

    /// Whether no test needs more work.
    public boolean isEnded() {
        return tests.stream().allMatch(test -> test.state().isEnd());
    }
}
