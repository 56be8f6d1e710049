package dev.spur.service.jobs.learning;

import static org.assertj.core.api.Assertions.assertThat;

import dev.spur.model.allocation.Allocation;
import dev.spur.model.allocation.Configuration;
import dev.spur.model.allocation.NodeShare;
import dev.spur.model.cluster.AcceleratorType;
import dev.spur.model.cluster.Node;
import dev.spur.model.cluster.NodeState;
import dev.spur.model.cluster.Pool;
import dev.spur.model.job.BatchLimits;
import dev.spur.model.job.DeadlineStatus;
import dev.spur.model.job.Elasticity;
import dev.spur.model.job.HostDemand;
import dev.spur.model.job.Job;
import dev.spur.model.job.JobSpec;
import dev.spur.model.job.ServiceHistory;
import dev.spur.model.job.Synchronization;
import dev.spur.model.job.Work;
import dev.spur.model.job.WorkUnit;
import dev.spur.model.performance.StatisticalEfficiency;
import dev.spur.model.performance.SyncStrategy;
import dev.spur.model.performance.ThroughputProfile;
import dev.spur.model.round.RoundMemory;
import dev.spur.model.round.RoundProblem;
import dev.spur.model.round.RoundSettings;
import dev.spur.model.tenant.Tenant;
import dev.spur.prediction.family.Families;
import dev.spur.prediction.job.PredictedProfile;
import dev.spur.prediction.online.LearnedSpeed;
import dev.spur.prediction.online.SpeedReport;
import dev.spur.prediction.speed.StepShape;
import dev.spur.service.jobs.EffectiveSpec;
import dev.spur.solver.policy.Policies;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

/**
 * One elastic job on 1 of 4 slots of two nodes, alone. It has reported 58 times: about 674 samples/s at first, and
 * about 500 after a change.
 */
class MeasuredJobPlanTest {
    private static final int BATCH = 64;
    private static final List<Node> NODES = List.of(node("n1"), node("n2"));
    private static final JobSpec STATED = new JobSpec(
            new Work(WorkUnit.SAMPLES, 480_000, null),
            Elasticity.between(1, 4),
            BatchLimits.ofBatch(BATCH),
            Synchronization.allReduceOnly(),
            StatisticalEfficiency.UNKNOWN,
            new ThroughputProfile(List.of(), List.of()),
            HostDemand.NONE,
            60,
            0,
            true,
            1,
            0,
            null,
            "long");

    @Test
    void theRunningConfigurationHasItsMeasuredSpeedAfterAChange() {
        JobSpec planned = new EffectiveSpec(STATED, predicted(), null).of(DeadlineStatus.NONE);

        assertThat(planned.profile().throughput("cpu", SyncStrategy.ALL_REDUCE, 1, 1, 0, BATCH))
                .isBetween(450.0, 550.0);
        assertThat(planned.profile().throughput("cpu", SyncStrategy.ALL_REDUCE, 2, 1, 0, BATCH))
                .isBetween(550.0, 1000.0);
    }

    @Test
    void aJobOnOneOfFourIdleSlotsGrows() {
        JobSpec planned = new EffectiveSpec(STATED, predicted(), null).of(DeadlineStatus.NONE);
        Job job = new Job(
                "long",
                "root",
                0,
                planned,
                420_000,
                null,
                DeadlineStatus.NONE,
                new ServiceHistory(1800, 1800, 0, 0.0, 0),
                new Allocation(
                        new Configuration("main", "cpu", List.of(1), SyncStrategy.ALL_REDUCE, 0, BATCH, 0),
                        List.of(new NodeShare("n1", List.of("n1/0"))),
                        List.of(),
                        0));

        var plan = Policies.spur().plan(problem(job));

        assertThat(plan.running().get(0).allocation().configuration().slots()).isGreaterThan(1);
    }

    private static PredictedProfile predicted() {
        Random random = new Random(1);
        LearnedSpeed learned = LearnedSpeed.NOTHING;
        for (int report = 0; report < 58; report++) {
            double speed = (report < 30 ? 674 : 500) * Math.exp(0.1 * random.nextGaussian());
            learned = learned.observe(
                            new SpeedReport("cpu", StepShape.ofBatch(1, 1, BATCH, 0, 0), BATCH / speed, 1000, 1),
                            BATCH / 674.0)
                    .learned();
        }
        return JobSpeedPrediction.of(STATED, learned.observations(), Families.NONE, PredictionContext.offers(NODES))
                .profile();
    }

    private static RoundProblem problem(Job job) {
        return new RoundProblem(
                RoundProblem.FORMAT,
                1800,
                RoundSettings.DEFAULT,
                List.of(new AcceleratorType("cpu", 0, null)),
                List.of(new Pool("main", false)),
                NODES,
                List.of(),
                List.of(new Tenant("root", null, 1, Map.of())),
                List.of(),
                List.of(job),
                RoundMemory.EMPTY);
    }

    private static Node node(String id) {
        return new Node(id, "main", null, "cpu", List.of(id + "/0", id + "/1"), 0, 0, 0, 0, NodeState.ACTIVE);
    }
}
