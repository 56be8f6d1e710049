package dev.spur.service.round;

import static org.assertj.core.api.Assertions.assertThat;

import dev.spur.model.allocation.Allocation;
import dev.spur.model.allocation.Configuration;
import dev.spur.model.allocation.NodeShare;
import dev.spur.model.job.ChangeCosts;
import dev.spur.model.job.DeadlineStatus;
import dev.spur.model.job.Job;
import dev.spur.model.job.JobSpec;
import dev.spur.model.job.ServiceHistory;
import dev.spur.model.performance.SyncStrategy;
import dev.spur.service.testing.TestCluster;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Start times of a plan that is published after its approval. */
class ProposedPlanTest {
    private static final double NOW = 5000;
    private static final JobSpec RECONFIGURES = TestCluster.spec(1)
            .edit()
            .changeCosts(new ChangeCosts(1.0, null, null))
            .done();

    private static Allocation allocation(double since, int batch) {
        return new Allocation(
                new Configuration("main", "A100", List.of(1), SyncStrategy.ALL_REDUCE, 0, batch, 0),
                List.of(new NodeShare("n1", List.of("d0"))),
                List.of(),
                since);
    }

    private static double start(JobSpec spec, @Nullable Allocation held, int batch) {
        Job job = new Job(
                "a",
                "root",
                0,
                spec,
                spec.totalSamples(),
                null,
                DeadlineStatus.NONE,
                new ServiceHistory(0, 0, 0, null, 0),
                held);
        return ProposedPlan.adopted(job, allocation(0, batch), NOW).since();
    }

    @Test
    void anUnchangedAllocationKeepsItsStart() {
        assertThat(start(TestCluster.spec(1), allocation(100, 64), 64)).isEqualTo(100);
    }

    @Test
    void anotherBatchSizeKeepsItOnlyWithoutARestart() {
        assertThat(start(RECONFIGURES, allocation(100, 64), 128)).isEqualTo(100);
        assertThat(start(TestCluster.spec(1), allocation(100, 64), 128)).isEqualTo(NOW);
    }

    @Test
    void aStartBeginsNow() {
        assertThat(start(RECONFIGURES, null, 64)).isEqualTo(NOW);
    }
}
