package org.inferometer.suite.running;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.time.Instant;
import java.util.List;
import org.inferometer.options.Access;
import org.inferometer.suite.running.TestSite.TestEnd;
import org.inferometer.suite.slurm.JobRequest.Allocation;
import org.jspecify.annotations.Nullable;

/// A test of a session and how far it is.
///
/// @param id its name: "disagg_perf_a"
/// @param type "disagg" or "wideep"; empty for an experiment
/// @param file its file in the suite's folder
/// @param folder of its files, by the session's folder
/// @param experiments names of its experiment files, in its folder
/// @param reason why it is blocked or failed; empty for other states
/// @param results names of its records, in the folder of results
/// @param own what the user, else its configuration requests of a cluster; empty texts leave it open
/// @param job its job on a cluster; empty if it runs here
public record SessionTest(@JsonProperty("id") String id, @JsonProperty("type") String type,
        @JsonProperty("file") String file, @JsonProperty("folder") String folder,
        @JsonProperty("experiments") List<String> experiments, @JsonProperty("state") State state,
        @JsonProperty("reason") String reason, @JsonProperty("results") List<String> results,
        @JsonProperty("own") OwnRequest own, @JsonProperty("job") String job,
        @JsonProperty("started") @Nullable Instant started, @JsonProperty("ended") @Nullable Instant ended) {

    /// What a configuration requests of a cluster. Empty texts and zeros leave a value open.
    ///
    /// @param nodes for servers that the job starts; 0 for one node
    /// @param container whether those servers run in a container
    /// @param segment whether the nodes must be one segment of the network
    /// @param extra further options of `sbatch`
    public record OwnRequest(@JsonProperty("partition") String partition, @JsonProperty("account") String account,
            @JsonProperty("time") String time, @JsonProperty("nodes") int nodes,
            @JsonProperty("tasksPerNode") int tasksPerNode, @JsonProperty("container") boolean container,
            @JsonProperty("segment") boolean segment, @JsonProperty("extra") String extra) {
        /// Nothing.
        static final OwnRequest NONE = new OwnRequest("", "", "");

        /// What a job on one node requests.
        OwnRequest(String partition, String account, String time) {
            this(partition, account, time, 0, 0, false, false, "");
        }

        /// What a stranger's configuration could do harm with.
        public List<Access> accesses() {
            return extra.isEmpty() ? List.of() : List.of(new Access(Access.Kind.JOB, extra));
        }

        /// Whether the job starts servers on nodes of its own.
        boolean startsServers() {
            return nodes > 0;
        }
    }

    /// How far a test is.
    public enum State {
        /// Not begun.
        WAITING("waiting"),
        /// Its job waits on a cluster.
        SUBMITTED("submitted"),
        /// It is measured.
        RUNNING("running"),
        /// All its figures are there.
        COMPLETE("complete"),
        /// It was refused, or its run failed.
        FAILED("failed"),
        /// Something that it needs is missing.
        BLOCKED("blocked"),
        /// A person stopped it.
        CANCELLED("cancelled");

        private final String id;

        State(String id) {
            this.id = id;
        }

        /// Lower case, for tables.
        public String id() {
            return id;
        }

        /// Whether the test needs no more work.
        public boolean isEnd() {
            return this == COMPLETE || this == FAILED || this == BLOCKED || this == CANCELLED;
        }
    }

    /// A test that has not begun.
    static SessionTest waiting(String id, String type, String file, String folder, List<String> experiments,
            OwnRequest own) {
        return new SessionTest(id, type, file, folder, experiments, State.WAITING, "", List.of(), own, "", null, null);
    }

    /// Whether there is something to run that is not complete.
    public boolean canBeginAgain() {
        return state != State.COMPLETE && !experiments.isEmpty();
    }

    SessionTest begun(Instant when) {
        return new SessionTest(id, type, file, folder, experiments, State.RUNNING, "", List.of(), own, job, when, null);
    }

    /// The same test with its job.
    SessionTest submitted(String number) {
        return new SessionTest(id, type, file, folder, experiments, State.SUBMITTED, "", List.of(), own, number,
                started, null);
    }

    SessionTest ended(TestEnd end, String folderNow, @Nullable Instant when) {
        return new SessionTest(id, type, file, folderNow, experiments, end.state(), end.reason(), end.results(), own,
                job, started, when);
    }

    /// The same test, not begun.
    SessionTest again(String folderNow) {
        return waiting(id, type, file, folderNow, experiments, own);
    }

    /// The same test with what went wrong so far.
    SessionTest because(String why) {
        return new SessionTest(id, type, file, folder, experiments, state, why, results, own, job, started, ended);
    }

    /// The same test, which requests what the user said, also in a later run of the session.
    SessionTest requesting(Allocation said) {
        Allocation all = allocation(said);
        OwnRequest both = new OwnRequest(all.partition(), all.account(), all.time(), own.nodes(), own.tasksPerNode(),
                own.container(), own.segment(), all.extra());
        return new SessionTest(id, type, file, folder, experiments, state, reason, results, both, job, started, ended);
    }

    /// What its job requests: what the user said, else what was said when it was planned or its configuration says.
    Allocation allocation(Allocation said) {
        String partition = said.partition().isEmpty() ? own.partition() : said.partition();
        String account = said.account().isEmpty() ? own.account() : said.account();
        String time = said.time().isEmpty() ? own.time() : said.time();
        String extra = said.extra().isEmpty() ? own.extra() : said.extra();
        if (!own.startsServers()) {
            return new Allocation(partition, account, time, said.nodes(), said.tasks(), said.tasksPerNode(),
                    said.exclusive(), said.segmentNodes(), extra);
        }
        return new Allocation(partition, account, time, own.nodes(), own.nodes() * own.tasksPerNode(),
                own.tasksPerNode(), said.exclusive(), own.segment() ? own.nodes() : 0, extra);
    }
}
