package dev.spur.connectors.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.spur.connectors.Action;
import dev.spur.connectors.ControlLevel;
import dev.spur.connectors.Mark;
import dev.spur.connectors.Outcome;
import dev.spur.connectors.Placement;
import dev.spur.connectors.Platform;
import dev.spur.connectors.PlatformJob;
import dev.spur.connectors.PlatformJob.Size;
import dev.spur.connectors.PlatformJob.State;
import dev.spur.connectors.PlatformNode;
import dev.spur.connectors.Words;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What marks say is upheld at each look: by a connector that may, for jobs that are Spur's. */
class UpholdTest {
    private static final Placement THERE = Placement.of(Map.of("gpu1", 8));

    private final List<String> upheld = new ArrayList<>();
    private final List<String> failures = new ArrayList<>();

    private static PlatformJob job(String id, String words, Placement pinned) {
        return new PlatformJob(
                id,
                id,
                "ann",
                "gpu",
                State.WAITING,
                new Size(8, 1),
                1,
                pinned,
                Placement.NONE,
                0,
                Instant.EPOCH,
                Optional.empty(),
                Words.read(words),
                Optional.of(new Mark(1, THERE, Instant.EPOCH)),
                Optional.empty());
    }

    private final Platform platform = new Platform() {
        @Override
        public ControlLevel most() {
            return ControlLevel.RESIZE;
        }

        @Override
        public List<PlatformNode> inventory() {
            return List.of();
        }

        @Override
        public List<PlatformJob> workload() {
            return List.of(
                    job("spurs", "spur", THERE), job("taken-over", "spur", Placement.NONE), job("foreign", "", THERE));
        }

        @Override
        public Outcome apply(Action action, PlatformJob job) {
            return new Outcome.Unanswered("nothing is asked here");
        }

        @Override
        public List<String> uphold(Collection<PlatformJob> jobs) {
            jobs.forEach(job -> upheld.add(job.id()));
            return failures;
        }
    };

    private Report look(MemoryLog log) throws Exception {
        Engine engine = new Engine(platform, log, Limits.USUAL, Clock.systemUTC());
        return engine.carryOut(engine.look(), new Desired(1, Map.of()));
    }

    @Test
    void jobsThatNobodyTookOverAreUpheld() throws Exception {
        look(new MemoryLog(ControlLevel.ADMIT));

        assertThat(upheld).containsExactly("spurs");
    }

    @Test
    void aConnectorThatOnlyObservesOrOrdersUpholdsNothing() throws Exception {
        look(new MemoryLog(ControlLevel.OBSERVE));
        look(new MemoryLog(ControlLevel.PRIORITIZE));

        assertThat(upheld).isEmpty();
    }

    @Test
    void whatIsAnsweredWellAndIsNotSoCountsAsAFailure() throws Exception {
        MemoryLog log = new MemoryLog(ControlLevel.ADMIT);
        failures.add("a pod was let go, and is gated");

        assertThat(look(log).failures()).isEqualTo(failures);
        look(log);
        look(log);

        assertThat(log.standing().controlLevel()).isEqualTo(ControlLevel.OBSERVE);
        assertThat(log.standing().circuitOpenReason()).contains("a pod was let go, and is gated");
    }
}
