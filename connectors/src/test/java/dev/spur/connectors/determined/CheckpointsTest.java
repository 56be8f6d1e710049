package dev.spur.connectors.determined;

import static org.assertj.core.api.Assertions.assertThat;

import dev.spur.connectors.PlatformJob;
import dev.spur.connectors.PlatformJob.State;
import dev.spur.connectors.reconcile.DesiredState;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Checkpoints and their garbage collection at each end of an experiment. */
class CheckpointsTest {
    private final DeterminedFixture rig = new DeterminedFixture(2);

    @AfterEach
    void close() {
        rig.close();
    }

    private String running(int keptLatest) {
        String job = rig.submit(8);
        rig.master.keepLatest(job, keptLatest);
        rig.converge(DeterminedFixture.wants(job, DeterminedFixture.run("gpu1", 8)));
        rig.master.tick();
        return job;
    }

    @Test
    void aResizeThatWouldDeleteTheOnlyCheckpointIsRefusedBeforeTheExperimentStops() {
        String job = running(0);

        DesiredState smaller = rig.plan(DeterminedFixture.wants(job, DeterminedFixture.run("gpu1", 4)));
        for (int look = 0; look < 20; look++) {
            rig.step(smaller);
            rig.master.tick();
        }

        assertThat(rig.master.state(job)).isEqualTo("STATE_ACTIVE");
        assertThat(rig.master.held(job)).isEqualTo(8);
        assertThat(rig.log.lastOf(job).orElseThrow().detail()).contains("checkpoint_storage.save_trial_latest is 0");
    }

    @Test
    void anExperimentThatMayBeResizedAndKeepsNoCheckpointIsLeftOut() {
        String resizable = rig.master.submit("gpu", 4, 42, false, List.of("spur", "spur/gpus=2-8"));
        String rigid = rig.master.submit("gpu", 4, 42, false, List.of("spur", "spur/gpus=4"));
        rig.master.keepLatest(resizable, 0);
        rig.master.keepLatest(rigid, 0);

        assertThat(rig.look(resizable).unsupportedReason().orElseThrow())
                .contains("set it to at least 1, or remove the labels spur/gpus");
        assertThat(rig.look(rigid).isOffered()).isTrue();
        rig.master.labels(rigid, List.of("spur", "spur/elastic-batch"));
        assertThat(rig.look(rigid).isOffered()).isFalse();
        rig.master.keepLatest(resizable, 1);
        assertThat(rig.look(resizable).isOffered()).isTrue();
    }

    @Test
    void aTaskThatDeletesCheckpointsIsNotTheRunOfItsExperiment() {
        String job = rig.submit(8);
        rig.converge(DeterminedFixture.wants(job, DeterminedFixture.run("gpu1", 8)));
        rig.master.tick();
        rig.converge(DeterminedFixture.wants(job, new DesiredState.DesiredJob.Wait()));
        rig.converge(DeterminedFixture.wants(job, DeterminedFixture.run("gpu1", 8)));
        rig.master.tick();
        DesiredState smaller = rig.plan(DeterminedFixture.wants(job, DeterminedFixture.run("gpu1", 4)));

        int beside = 0;
        for (int look = 0; look < 30; look++) {
            rig.step(smaller);
            PlatformJob seen = rig.look(job);
            boolean collected = rig.master.collectsGarbage(job);
            if (collected) {
                beside++;
                assertThat(seen.training().run()).isEqualTo(rig.master.allocation(job));
                assertThat(seen.priority()).isEqualTo(100 - 42);
            }
            rig.master.tick();
        }

        assertThat(beside).as("looks while checkpoints were deleted").isPositive();
        assertThat(rig.look(job).state()).isEqualTo(State.RUNNING);
        assertThat(rig.master.held(job)).isEqualTo(4);
    }
}
