package org.inferometer.scheduling;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.inferometer.serving.TestRequests.request;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.inferometer.options.Option;
import org.inferometer.options.OptionDescription;
import org.inferometer.options.OptionException;
import org.inferometer.options.Selection;
import org.inferometer.record.RequestStatus;
import org.inferometer.serving.EngineAuditor;
import org.inferometer.serving.EngineSetup;
import org.inferometer.serving.EventJournal;
import org.inferometer.serving.PrefixCacheModel;
import org.inferometer.serving.VirtualEngine;
import org.junit.jupiter.api.Test;

/// A new scheduler is one class and one line in the registry.
class AddingASchedulerTest {
    private static final SchedulerRegistry REGISTRY = with(ShortestFirst.DESCRIPTION);

    /// Runs one request at a time, the one with the least to generate.
    static final class ShortestFirst implements Scheduler {
        static final SchedulerDescription<Options> DESCRIPTION = new SchedulerDescription<>("shortest",
                "The shortest answer first, alone.", "Never: it is a toy.", Options.class, ShortestFirst::new);

        record Options(@Option(name = "chunk", standard = "8", min = 1, unit = "tokens",
                help = "Most tokens in a step.") int chunk) {}

        private final int chunk;

        ShortestFirst(Options options) {
            this.chunk = options.chunk();
        }

        @Override
        public Decision decide(Lane lane, EngineView view) {
            List<RequestProgress> candidates = new ArrayList<>(view.running());
            if (candidates.isEmpty()) {
                view.waiting().forEach(candidates::add);
            }
            KvReservation kv = view.reserveKv(lane.pool());
            return candidates.stream()
                    .filter(progress -> !progress.inFlight()
                            && kv.reserve(progress, progress.request().totalPositions()))
                    .min(Comparator.comparingInt(RequestProgress::remaining)).<Decision>map(shortest -> {
                        KvReservation alone = view.reserveKv(lane.pool());
                        alone.reserve(shortest, shortest.request().totalPositions());
                        int count = Math.min(chunk, shortest.pending());
                        Slice slice = new Slice(shortest.request().id(), shortest.computed(), count);
                        return new Decision.Run(new Work.Compute(List.of(slice), 0), alone.plan(), "shortest");
                    }).orElseGet(Decision.Idle::new);
        }
    }

    @Test
    void aToySchedulerServesAsTheOthersDo() throws Exception {
        EngineSetup setup = DecisionTrace.engine(2, 20, 4, 8);
        EventJournal journal = new EventJournal();
        Scheduler toy = new EngineAuditor(REGISTRY.create(Selection.parse("shortest:chunk=2")), setup);
        PrefixCacheModel model = new PrefixCacheModel(setup.pools().getFirst(), 1_000, 0, 1_000);
        VirtualEngine engine = new VirtualEngine(setup, toy, model, journal, journal);
        List.of(request(0, 5, 3), request(1, 2, 1), request(2, 3, 2)).forEach(request -> engine.sendAt(0, request));
        engine.run();

        assertThat(journal.ends.values()).hasSize(3).containsOnly(RequestStatus.OK);
        assertThat(journal.endNanos.keySet()).containsExactly(1, 2, 0);
        assertThat(journal.faults).isEmpty();
    }

    @Test
    void itsOptionsAreDescribedByItsRecord() throws Exception {
        assertThat(REGISTRY.find("shortest").options()).extracting(OptionDescription::name, OptionDescription::standard)
                .containsExactly(org.assertj.core.groups.Tuple.tuple("chunk", "8"));
    }

    @Test
    void itWorksWithHoweverManyLanesThereAre() throws Exception {
        assertThat(REGISTRY.find("shortest").layout(Selection.of("shortest"), 0)).isEqualTo(LaneLayout.sharing(1));
        assertThat(REGISTRY.find("shortest").layout(Selection.of("shortest"), 3)).isEqualTo(LaneLayout.sharing(3));
    }

    @Test
    void noWordNamesTwoOptionsOfAScheduler() {
        for (SchedulerDescription<?> description : REGISTRY.descriptions()) {
            List<String> words = new ArrayList<>();
            description.options().forEach(option -> {
                words.add(option.name());
                words.addAll(option.aliases());
            });
            assertThat(words).as(description.name()).doesNotHaveDuplicates();
        }
    }

    @Test
    void anUnknownNameIsAnsweredWithTheNearestAndAllValidOnes() {
        assertThatThrownBy(() -> SchedulerRegistry.standard().find("continous")).isInstanceOf(OptionException.class)
                .hasMessage(
                        "Unknown scheduler \"continous\". Did you mean continuous? Valid: naive, dynamic, simple, parallel, continuous, disaggregated.");
    }

    @Test
    void faultsOfOptionsAreToldTogether() {
        assertThatThrownBy(
                () -> SchedulerRegistry.standard().create(Selection.parse("naive:batch_size=0,batch_tmeout=1")))
                .isInstanceOfSatisfying(OptionException.class, e -> assertThat(e.faults()).hasSize(2));
    }

    @Test
    void everySchedulerCanBeMadeFromItsDefaults() throws Exception {
        for (String name : SchedulerRegistry.standard().names()) {
            SchedulerDescription<?> description = SchedulerRegistry.standard().find(name);
            assertThat(description.create(Selection.of(name))).isNotNull();
            assertThat(description.summary()).endsWith(".");
            assertThat(description.whenItWins()).endsWith(".");
            assertThat(description.options()).allSatisfy(option -> assertThat(option.help()).endsWith("."));
        }
    }

    private static SchedulerRegistry with(SchedulerDescription<?> added) {
        List<SchedulerDescription<?>> descriptions = new ArrayList<>(SchedulerRegistry.standard().descriptions());
        descriptions.add(added);
        return new SchedulerRegistry(descriptions);
    }
}
