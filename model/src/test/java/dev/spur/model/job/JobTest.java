package dev.spur.model.job;

import static dev.spur.model.JobFixture.allocation;
import static dev.spur.model.JobFixture.job;
import static dev.spur.model.JobFixture.piece;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.spur.model.performance.HostLevel;
import dev.spur.model.performance.HostSensitivity;
import dev.spur.model.performance.SyncStrategy;
import java.util.List;
import org.junit.jupiter.api.Test;

class JobTest {
    @Test
    void itsWaitBeginsWithItsArrivalOrWithTheLossOfItsSlots() {
        assertThat(job("a").arrival(100).build().waitingSeconds(150)).isEqualTo(50);
        assertThat(job("a").arrival(100).waitingSince(140).build().waitingSeconds(150))
                .isEqualTo(10);
        assertThat(job("a").arrival(200).build().waitingSeconds(150)).isZero();
        assertThat(job("a").arrival(100).on("n1", 1).build().waitingSeconds(150))
                .isZero();
    }

    @Test
    void itsRestartBeginsWithItsAllocation() {
        Job job = job("a").restartPenalty(60)
                .holding(allocation(100, piece("n1", 0, 1)))
                .build();

        assertThat(job.restartSecondsLeft(100)).isEqualTo(60);
        assertThat(job.restartSecondsLeft(150)).isEqualTo(10);
        assertThat(job.restartSecondsLeft(161)).isZero();
        assertThat(job("b").build().restartSecondsLeft(0)).isZero();
    }

    @Test
    void aPromiseNeedsADeadlineAndADeadlineAPromise() {
        assertThatThrownBy(() -> job("a").deadline(5, DeadlineStatus.NONE).build())
                .hasMessageContaining("deadlineStatus (NONE)");
    }

    @Test
    void aPriorityIsFromMinusTenToTen() {
        assertThatThrownBy(() -> job("a").priority(11).spec()).hasMessageContaining("priority (11)");
    }

    @Test
    void theSpeedOfWhatItStatesOfItsHostsIsOne() {
        assertThatThrownBy(() ->
                        job("a").host(3, 8).levels(new HostLevel(3, 8, 1.1)).spec())
                .hasMessageContaining("must have speed 1 at the stated 3.0 CPUs and 8.0 GiB");
        assertThatThrownBy(
                        () -> job("a").host(3, 8).levels(new HostLevel(3, 9, 1)).spec())
                .hasMessageContaining("must have speed 1 at the stated 3.0 CPUs and 8.0 GiB");
        assertThat(job("a").host(3, 8)
                        .levels(new HostLevel(3, 8, 1))
                        .spec()
                        .edit()
                        .importance(2, 0)
                        .build())
                .extracting(JobSpec::hostSensitivity)
                .isEqualTo(new HostSensitivity(List.of(new HostLevel(3, 8, 1))));
    }

    @Test
    void workIsCountedInSamplesAtTheInitialBatchSize() {
        assertThat(new Work(WorkUnit.SAMPLES, 5000, null).samples(64)).isEqualTo(5000);
        assertThat(new Work(WorkUnit.STEPS, 5000, null).samples(64)).isEqualTo(320_000);
        assertThat(new Work(WorkUnit.EPOCHS, 3, 50_000.0).samples(64)).isEqualTo(150_000);
        assertThatThrownBy(() -> new Work(WorkUnit.EPOCHS, 3, null)).hasMessageContaining("samplesPerEpoch");
    }

    @Test
    void strategiesAreAllowedWithTheirAggregation() {
        Synchronization both = new Synchronization(true, true, 0.5, 2);

        assertThat(both.allows(SyncStrategy.ALL_REDUCE, 0)).isTrue();
        assertThat(both.allows(SyncStrategy.ALL_REDUCE, 1)).isFalse();
        assertThat(both.allows(SyncStrategy.PARAMETER_SERVER, 0.5)).isTrue();
        assertThat(both.allows(SyncStrategy.PARAMETER_SERVER, 0.4)).isFalse();
        assertThat(both.allows(SyncStrategy.PARAMETER_SERVER, 2.1)).isFalse();
        assertThat(new Synchronization(true, true, 0, 2).allows(SyncStrategy.PARAMETER_SERVER, 0))
                .as("parameter servers without aggregation")
                .isFalse();
        assertThatThrownBy(() -> new Synchronization(false, false, 0, 0)).hasMessageContaining("must allow");
    }
}
