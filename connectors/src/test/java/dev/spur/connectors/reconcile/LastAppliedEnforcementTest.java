package dev.spur.connectors.reconcile;

import static org.assertj.core.api.Assertions.assertThat;

import dev.spur.connectors.ControlLevel;
import dev.spur.connectors.JobAction;
import dev.spur.connectors.JobAnnotation;
import dev.spur.connectors.JobPlacement;
import dev.spur.connectors.LastAppliedState;
import dev.spur.connectors.Platform;
import dev.spur.connectors.PlatformJob;
import dev.spur.connectors.PlatformJob.Size;
import dev.spur.connectors.PlatformJob.State;
import dev.spur.connectors.PlatformNode;
import dev.spur.connectors.StepOutcome;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What marks say is upheld at each look: by a connector that may, for jobs that are Spur's. */
class LastAppliedEnforcementTest {
    private static final JobPlacement THERE = JobPlacement.of(Map.of("gpu1", 8));

    private final List<String> upheld = new ArrayList<>();
    private final List<String> failures = new ArrayList<>();

    private static PlatformJob job(String id, String words, JobPlacement pinned) {
        return new PlatformJob(
                id,
                id,
                "ann",
                "gpu",
                State.WAITING,
                new Size(8, 1),
                1,
                pinned,
                JobPlacement.NONE,
                0,
                Instant.EPOCH,
                Optional.empty(),
                JobAnnotation.read(words),
                Optional.of(new LastAppliedState(1, THERE, Instant.EPOCH)),
                Optional.empty());
    }

    private final Platform platform = new Platform() {
        @Override
        public ControlLevel maxControlLevel() {
            return ControlLevel.RESIZE;
        }

        @Override
        public List<PlatformNode> inventory() {
            return List.of();
        }

        @Override
        public List<PlatformJob> workload() {
            return List.of(
                    job("spurs", "spur", THERE),
                    job("taken-over", "spur", JobPlacement.NONE),
                    job("foreign", "", THERE));
        }

        @Override
        public StepOutcome apply(JobAction action, PlatformJob job) {
            return new StepOutcome.NoResponse("nothing is asked here");
        }

        @Override
        public List<String> enforce(Collection<PlatformJob> jobs) {
            jobs.forEach(job -> upheld.add(job.id()));
            return failures;
        }
    };

    private ReconcileReport look(InMemoryActionLog log) throws Exception {
        PlatformReconciler engine = new PlatformReconciler(platform, log, Limits.DEFAULT, Clock.systemUTC());
        return engine.reconcile(engine.look(), new DesiredState(1, Map.of()));
    }

    @Test
    void jobsWithoutAnotherControllerAreEnforced() throws Exception {
        look(new InMemoryActionLog(ControlLevel.ADMIT));

        assertThat(upheld).containsExactly("spurs");
    }

    @Test
    void aConnectorThatOnlyObservesOrOrdersUpholdsNothing() throws Exception {
        look(new InMemoryActionLog(ControlLevel.OBSERVE));
        look(new InMemoryActionLog(ControlLevel.PRIORITIZE));

        assertThat(upheld).isEmpty();
    }

    @Test
    void whatIsAnsweredWellAndIsNotSoCountsAsAFailure() throws Exception {
        InMemoryActionLog log = new InMemoryActionLog(ControlLevel.ADMIT);
        failures.add("a pod was released but is still gated");

        assertThat(look(log).failures()).isEqualTo(failures);
        look(log);
        look(log);

        assertThat(log.status().controlLevel()).isEqualTo(ControlLevel.OBSERVE);
        assertThat(log.status().circuitOpenReason()).contains("a pod was released but is still gated");
    }
}
