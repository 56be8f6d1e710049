package dev.spur.service.jobs.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;

import dev.spur.model.cluster.AcceleratorType;
import dev.spur.model.cluster.Node;
import dev.spur.model.cluster.NodeRequirement;
import dev.spur.model.cluster.NodeState;
import dev.spur.model.job.BatchLimits;
import dev.spur.model.job.Elasticity;
import dev.spur.model.job.JobSpec;
import dev.spur.model.job.JobSpecEdit;
import dev.spur.model.job.Synchronization;
import dev.spur.model.performance.ProfilePoint;
import dev.spur.model.performance.StatisticalEfficiency;
import dev.spur.model.performance.SyncStrategy;
import dev.spur.model.performance.ThroughputProfile;
import dev.spur.model.tenant.Quota;
import dev.spur.model.tenant.Tenant;
import dev.spur.service.testing.TestCluster;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class SubmissionRulesTest {
    private static final List<ProfilePoint> BOTH = List.of(
            ProfilePoint.allReduce("A100", 1, 1, 64, 100),
            new ProfilePoint("A100", 1, 1, 64, SyncStrategy.PARAMETER_SERVER, 1, 90));

    /** A pool of one node with four devices of a type and four aggregation slots. */
    private static List<String> reasons(Integer maxAllReduceSlots, JobSpec spec) {
        return obstacles(maxAllReduceSlots, spec).stream()
                .map(Obstacle::message)
                .toList();
    }

    private static List<Obstacle> obstacles(Integer maxAllReduceSlots, JobSpec spec) {
        var node = new Node("n", "main", null, "A100", List.of("a", "b", "c", "d"), 64, 512, 4, 0, NodeState.ACTIVE);
        var hardware = new ClusterInventory(
                List.of(new AcceleratorType("A100", 40, maxAllReduceSlots)),
                List.of(),
                List.of(node),
                List.of(new Tenant("root", null, 1, Map.of())),
                List.of());
        return SubmissionRules.reasonsAgainst(hardware, "root", spec, () -> true);
    }

    private static JobSpec wants(int fewest, Synchronization synchronization) {
        return TestCluster.spec(1)
                .edit()
                .elasticity(Elasticity.between(fewest, 8))
                .synchronization(synchronization)
                .speed(new ThroughputProfile(BOTH, List.of()), StatisticalEfficiency.UNKNOWN)
                .build();
    }

    @Test
    void aJobThatIsNotPreemptibleFitsTheNominalQuota() {
        var node = new Node("n", "main", null, "A100", List.of("a", "b", "c", "d"), 64, 512, 4, 0, NodeState.ACTIVE);
        var hardware = new ClusterInventory(
                List.of(new AcceleratorType("A100", 40)),
                List.of(),
                List.of(node),
                List.of(
                        new Tenant("root", null, 1, Map.of()),
                        new Tenant("x", "root", 1, Map.of("A100", new Quota(2, null, null)))),
                List.of());
        JobSpec three = wants(3, Synchronization.allReduceOnly())
                .edit()
                .preemptible(false)
                .build();

        assertThat(SubmissionRules.reasonsAgainst(hardware, "x", three, () -> true))
                .containsExactly(new Obstacle(
                        false,
                        "It requires at least 3 A100 in pool main and is not preemptible, so it cannot borrow;"
                                + " the nominal quota of tenant x is 2. Set preemptible to true, request fewer slots,"
                                + " or let an operator raise the nominal quota."));
        assertThat(SubmissionRules.reasonsAgainst(hardware, "x", three, () -> false))
                .isEmpty();
        assertThat(SubmissionRules.reasonsAgainst(
                        hardware, "x", three.edit().preemptible(true).build(), () -> true))
                .isEmpty();
    }

    @Test
    void aTypeThatIsNotRegisteredIsReportedWithTheRegisteredTypes() {
        JobSpec other = TestCluster.spec(1)
                .edit()
                .elasticity(new Elasticity(List.of("H100"), List.of(), 1, 8, false, List.of(), null, false))
                .build();

        assertThat(reasons(null, other))
                .containsExactly("No node in any pool has devices of type H100. Registered: A100 (up to 4 per job).");
    }

    @Test
    void aJobOfUnknownSpeedThatIsTooLargeIsReportedWithTheLargestGang() {
        JobSpec large = TestCluster.spec(1)
                .edit()
                .elasticity(Elasticity.between(100, 200))
                .speed(new ThroughputProfile(List.of(), List.of()), StatisticalEfficiency.UNKNOWN)
                .build();

        assertThat(reasons(null, large))
                .containsExactly("It requires at least 100 devices of one type in one pool; one job can have at most 4."
                        + " Registered: A100 (up to 4 per job).");
    }

    /** The predicted profile of a job without points has no type on which its batch divides. */
    @Test
    void aBatchIsTheReasonAlsoWhereNoThroughputIsPredicted() {
        JobSpecEdit unknown = wants(2, Synchronization.allReduceOnly())
                .edit()
                .elasticity(Elasticity.between(2, 2))
                .speed(new ThroughputProfile(List.of(), List.of()), StatisticalEfficiency.UNKNOWN);

        assertThat(reasons(null, unknown.batch(BatchLimits.ofBatch(63)).build()))
                .containsExactly("A batch of 63 samples does not divide into equal shares for 2 slots."
                        + " The nearest for 2 slots are 62 and 64.");
        assertThat(reasons(
                        null,
                        unknown.batch(new BatchLimits(64, 64, 64, 8, Map.of(), false, 1))
                                .build()))
                .containsExactly(
                        "No batch size from 64 to 64 divides into equal shares of at most 8 samples (maxPerDevice)"
                                + " on the devices that the job may use."
                                + " Raise maxPerDevice, lower the batch size, or set accumulation to true.");
    }

    @Test
    void aBatchThatNoAllowedNumberOfSlotsDividesIsReportedWithTheNearestOnes() {
        JobSpec odd = wants(3, Synchronization.allReduceOnly())
                .edit()
                .elasticity(Elasticity.between(3, 3))
                .batch(BatchLimits.ofBatch(64))
                .build();

        assertThat(reasons(null, odd))
                .containsExactly("A batch of 64 samples does not divide into equal shares for 3 slots."
                        + " The nearest for 3 slots are 63 and 66.");
    }

    @Test
    void onlyMissingHardwareHasOtherHardwareAsRemedy() {
        JobSpecEdit large = wants(5, Synchronization.allReduceOnly()).edit();
        Elasticity named = new Elasticity(
                List.of(),
                List.of(),
                1,
                4,
                false,
                List.of(),
                null,
                false,
                List.of(new NodeRequirement("spur/node", NodeRequirement.Operator.IN, List.of("other"))),
                null,
                null,
                null);
        Elasticity narrow = new Elasticity(List.of(), List.of(), 3, 4, false, List.of(2), null, false);

        assertThat(Obstacle.explanation(obstacles(null, large.build())))
                .isEqualTo("The job can never run on the registered hardware."
                        + " Set waitForHardware to let it wait for other hardware.");
        for (Elasticity own : List.of(named, narrow)) {
            List<Obstacle> obstacles = obstacles(null, large.elasticity(own).build());
            assertThat(obstacles)
                    .singleElement()
                    .satisfies(obstacle -> assertThat(obstacle.message()).contains(" Change "));
            assertThat(Obstacle.explanation(obstacles)).isEqualTo("The job can never run as it is stated.");
        }
    }

    @Nested
    class DevicesSumGradientsAmongThemselvesUpToALimit {
        @Test
        void aJobThatNeedsSoManyMayWait() {
            assertThat(reasons(2, wants(2, Synchronization.allReduceOnly()))).isEmpty();
            assertThat(reasons(null, wants(4, Synchronization.allReduceOnly()))).isEmpty();
        }

        @Test
        void aJobThatNeedsOneMoreNeverRuns() {
            assertThat(reasons(2, wants(3, Synchronization.allReduceOnly())))
                    .containsExactly(
                            "It requires at least 3 A100 in pool main; AllReduce is not possible among that many."
                                    + " Allow synchronization.parameterServer, or let an operator raise maxAllReduceSlots of the type.");
        }

        @Test
        void aJobThatParameterServersSumForMayWait() {
            assertThat(reasons(2, wants(3, new Synchronization(true, true, 1, 4))))
                    .isEmpty();
        }

        @Test
        void aJobForWhichTheyHaveTooLittleNeverRuns() {
            assertThat(reasons(2, wants(3, new Synchronization(true, true, 5, 8))))
                    .singleElement()
                    .asString()
                    .contains("5.0 aggregation slots in pool main, which has 4.0");
        }
    }
}
