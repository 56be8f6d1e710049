package dev.spur.model.validation;

import static dev.spur.model.JobFixture.allocation;
import static dev.spur.model.JobFixture.configuration;
import static dev.spur.model.JobFixture.job;
import static dev.spur.model.JobFixture.piece;
import static dev.spur.model.JobFixture.served;
import static dev.spur.model.NodeFixture.node;
import static dev.spur.model.ProblemFixture.problem;
import static org.assertj.core.api.Assertions.assertThat;

import dev.spur.model.JobFixture;
import dev.spur.model.ProblemFixture;
import dev.spur.model.allocation.Allocation;
import dev.spur.model.allocation.NodeShare;
import dev.spur.model.cluster.NodeState;
import dev.spur.model.cluster.Reservation;
import dev.spur.model.job.DeadlineStatus;
import dev.spur.model.job.JobGroup;
import dev.spur.model.round.RoundProblem;
import dev.spur.model.tenant.Tenant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** Each rule with a problem that just breaks it, and with the place that it names. */
class ProblemCheckTest {
    private static ProblemFixture sound() {
        return problem()
                .nodes(4, 4)
                .node(node("s", 0).pool("side"))
                .tenant("x", "root", null)
                .reservation(new Reservation("r", List.of("n2"), "x", 0, 10))
                .jobs(job("a").slots(2).on("n1", 0, 2), job("b").on("n1", 2, 1), job("c").tenant("x"));
    }

    private static List<String> found(ProblemFixture fixture) {
        return found(fixture.build());
    }

    private static List<String> found(RoundProblem problem) {
        return ProblemCheck.violations(problem).stream()
                .map(violation -> violation.rule() + " " + violation.subject())
                .toList();
    }

    /** What is wrong with {@code heldAllocation} on two nodes of 4 slots. */
    private static List<String> wrongWith(Allocation heldAllocation) {
        return found(problem()
                .nodes(4, 4)
                .node(node("gone", 4).state(NodeState.LOST))
                .node(node("s", 4).pool("side"))
                .node(node("v", 4).type("V100"))
                .job(job("a").slots(2).holding(heldAllocation)));
    }

    @Test
    void aSoundProblemPasses() {
        assertThat(found(sound())).isEmpty();
    }

    @Nested
    class NamesAreUnique {
        @Test
        void nodes() {
            assertThat(found(sound().node("n1", 4))).containsExactly("namesAreUnique /nodes/3");
        }

        @Test
        void jobs() {
            assertThat(found(sound().job(job("c")))).containsExactly("namesAreUnique /jobs/3");
        }

        @Test
        void reservations() {
            assertThat(found(sound().reservation(new Reservation("r", List.of(), null, 0, 1))))
                    .containsExactly("namesAreUnique /reservations/1");
        }

        @Test
        void tenants() {
            Tenant root = new Tenant("root", null, 1, Map.of());

            assertThat(found(sound().build().withTenants(List.of(root, new Tenant("x", "root", 1, Map.of()), root))))
                    .containsExactly("namesAreUnique /tenants/2");
        }

        @Test
        void groups() {
            assertThat(found(sound().group("g", 1, null).group("g", 2, null)))
                    .containsExactly("namesAreUnique /groups/1");
        }

        @Test
        void typesAndPools() {
            RoundProblem problem = sound().build();
            var types = List.of(
                    problem.acceleratorTypes().get(0),
                    problem.acceleratorTypes().get(0));
            var pools = List.of(
                    problem.pools().get(0),
                    problem.pools().get(1),
                    problem.pools().get(0));

            assertThat(found(new RoundProblem(
                            problem.format(),
                            problem.now(),
                            problem.settings(),
                            types,
                            pools,
                            problem.nodes(),
                            problem.reservations(),
                            problem.tenants(),
                            problem.groups(),
                            problem.jobs(),
                            problem.memory())))
                    .containsExactly("namesAreUnique /acceleratorTypes/1", "namesAreUnique /pools/2");
        }
    }

    @Nested
    class NamesAreKnown {
        @Test
        void poolAndTypeOfANode() {
            assertThat(found(sound().node(node("n3", 1).pool("nowhere"))))
                    .containsExactly("namesAreKnown /nodes/3/pool");
            assertThat(found(sound().node(node("n3", 1).type("H100"))))
                    .containsExactly("namesAreKnown /nodes/3/acceleratorType");
        }

        @Test
        void parentOfATenant() {
            assertThat(found(sound().tenant("y", "nobody", null))).containsExactly("namesAreKnown /tenants/2/parent");
        }

        @Test
        void nodesAndTenantOfAReservation() {
            assertThat(found(sound().reservation(new Reservation("q", List.of("n1", "n9"), "nobody", 0, 1))))
                    .containsExactly("namesAreKnown /reservations/1/nodes/1", "namesAreKnown /reservations/1/tenant");
        }

        @Test
        void tenantOfAJob() {
            assertThat(found(sound().job(job("d").tenant("nobody")))).containsExactly("namesAreKnown /jobs/3/tenant");
        }

        @Test
        void groupOfAJob() {
            assertThat(found(sound().group("g", 1, null).job(job("d").group("g"))))
                    .isEmpty();
            assertThat(found(sound().job(job("d").group("g")))).containsExactly("namesAreKnown /jobs/3/spec/group");
        }

        @Test
        void tenantOfAGroup() {
            RoundProblem problem = sound().build().withGroups(List.of(new JobGroup("g", "nobody", 1, null)));

            assertThat(found(problem)).containsExactly("namesAreKnown /groups/0/tenant");
        }

        @Test
        void nodesThatAJobHolds() {
            assertThat(wrongWith(allocation(0, piece("n9", 0, 2))))
                    .containsExactly("namesAreKnown /jobs/0/allocation/placement/0/node");
            assertThat(wrongWith(served(0, piece("n1", 0, 2), "n9", 1)))
                    .containsExactly("namesAreKnown /jobs/0/allocation/aggregation/0/node");
        }
    }

    @Nested
    class TenantsAreATree {
        @Test
        void noTenantIsBelowItself() {
            List<Tenant> ring = List.of(
                    new Tenant("root", null, 1, Map.of()),
                    new Tenant("x", "y", 1, Map.of()),
                    new Tenant("y", "x", 1, Map.of()));

            assertThat(found(sound().build().withTenants(ring)))
                    .containsExactly("tenantsAreATree /tenants/1/parent", "tenantsAreATree /tenants/2/parent");
        }
    }

    @Nested
    class AllocationsAreComplete {
        private static final String RULE = "allocationsAreComplete /jobs/0/allocation";

        @Test
        void piecesAreThoseOfTheShape() {
            assertThat(wrongWith(new Allocation(configuration(List.of(2)), List.of(), List.of(), 0)))
                    .containsExactly(RULE);
            assertThat(wrongWith(new Allocation(configuration(List.of(2)), List.of(piece("n1", 0, 1)), List.of(), 0)))
                    .containsExactly(RULE);
            assertThat(wrongWith(new Allocation(
                            configuration(List.of(2)), List.of(piece("n1", 0, 1), piece("n2", 0, 1)), List.of(), 0)))
                    .containsExactly(RULE);
            assertThat(wrongWith(new Allocation(
                            configuration(List.of(1, 2)), List.of(piece("n1", 0, 1), piece("n2", 0, 2)), List.of(), 0)))
                    .isEmpty();
        }

        @Test
        void sharesAreAllOfTheAggregation() {
            Allocation whole = served(0, piece("n1", 0, 2), "n1", 1.5);

            assertThat(wrongWith(whole)).isEmpty();
            assertThat(wrongWith(new Allocation(whole.configuration(), whole.placement(), List.of(), 0)))
                    .containsExactly(RULE);
        }
    }

    @Nested
    class AllocationsFitTheirNodes {
        @Test
        void poolAndTypeAreThoseOfTheConfiguration() {
            assertThat(wrongWith(allocation(0, piece("s", 0, 2))))
                    .containsExactly("allocationsFitTheirNodes /jobs/0/allocation/placement/0/node");
            assertThat(wrongWith(allocation(0, piece("v", 0, 2))))
                    .containsExactly("allocationsFitTheirNodes /jobs/0/allocation/placement/0/node");
            assertThat(wrongWith(served(0, piece("n1", 0, 2), "s", 1)))
                    .containsExactly("allocationsFitTheirNodes /jobs/0/allocation/aggregation/0/node");
        }

        @Test
        void devicesAreOnTheirNode() {
            assertThat(wrongWith(allocation(0, new NodeShare("n1", List.of("d3", "d4")))))
                    .containsExactly("allocationsFitTheirNodes /jobs/0/allocation/placement/0/devices");
        }
    }

    @Nested
    class AllocationsAreOnLiveNodes {
        @Test
        void nothingIsHeldOnALostNode() {
            assertThat(wrongWith(allocation(0, piece("gone", 0, 2))))
                    .containsExactly("allocationsAreOnLiveNodes /jobs/0/allocation/placement/0/node");
            assertThat(wrongWith(served(0, piece("n1", 0, 2), "gone", 1)))
                    .containsExactly("allocationsAreOnLiveNodes /jobs/0/allocation/aggregation/0/node");
        }
    }

    @Nested
    class DevicesAreHeldOnce {
        @Test
        void twoJobsHoldDifferentDevices() {
            assertThat(found(sound().job(job("d").on("n1", 3, 1)))).isEmpty();
            assertThat(found(sound().job(job("d").on("n1", 2, 1))))
                    .containsExactly("devicesAreHeldOnce /jobs/3/allocation/placement/0/devices");
        }

        @Test
        void jobsHoldAtMostAWholeDeviceByShares() {
            assertThat(found(sound().job(share("d", 0.6)).job(share("e", 0.4)))).isEmpty();
            assertThat(found(sound().job(share("d", 0.6)).job(share("e", 0.41))))
                    .containsExactly("devicesAreHeldOnce /jobs/4/allocation/placement/0/devices");
        }

        private static JobFixture share(String id, double share) {
            return job(id).share(share).on("n1", 3, 1);
        }
    }

    @Nested
    class JobsCanBePlanned {
        @Test
        void timesAreFinite() {
            double never = Double.POSITIVE_INFINITY;
            JobFixture odd = job("d").arrival(never)
                    .waitingSince(-never)
                    .deadline(Double.NaN, DeadlineStatus.PENDING)
                    .holding(allocation(never, piece("n1", 3, 1)));

            assertThat(found(sound().job(odd).reservation(new Reservation("q", List.of(), null, -never, never))))
                    .containsExactly(
                            "timesAreFinite /reservations/1/start",
                            "timesAreFinite /reservations/1/end",
                            "timesAreFinite /jobs/3/arrival",
                            "timesAreFinite /jobs/3/deadline",
                            "timesAreFinite /jobs/3/history/waitingSince",
                            "timesAreFinite /jobs/3/allocation/since");
        }
    }

    @Test
    void everythingThatIsWrongIsSaidAtOnce() {
        assertThat(found(sound().node("n1", 4).job(job("c").tenant("nobody")).tenant("y", "nobody", null)))
                .hasSize(4);
    }
}
