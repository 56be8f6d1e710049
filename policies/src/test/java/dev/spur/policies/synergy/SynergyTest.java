package dev.spur.policies.synergy;

import static dev.spur.model.JobFixture.allocation;
import static dev.spur.model.JobFixture.job;
import static dev.spur.model.JobFixture.piece;
import static dev.spur.model.NodeFixture.node;
import static dev.spur.model.ProblemFixture.problem;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.spur.model.JobFixture;
import dev.spur.model.NodeFixture;
import dev.spur.model.allocation.Allocation;
import dev.spur.model.allocation.HostGrant;
import dev.spur.model.performance.HostLevel;
import dev.spur.model.round.RoundProblem;
import dev.spur.model.validation.PlanCheck;
import dev.spur.policies.synergy.Synergy.Order;
import dev.spur.policies.synergy.Synergy.Shares;
import java.util.Map;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class SynergyTest {
    private static final double GIB = 62.5;

    /** 8 slots, 24 CPUs and 500 GiB: the node of the paper. */
    private static NodeFixture host(String id) {
        return node(id, 8).cpus(24).memory(500);
    }

    /** ResNet-18 of the paper. */
    private static JobFixture hungry(String id) {
        return job(id).host(3, GIB)
                .levels(
                        new HostLevel(1, GIB, 0.37),
                        new HostLevel(2, GIB, 0.72),
                        new HostLevel(3, GIB, 1),
                        new HostLevel(4, GIB, 1.3),
                        new HostLevel(5, GIB, 1.53),
                        new HostLevel(6, GIB, 1.75),
                        new HostLevel(9, GIB, 2.4));
    }

    private static JobFixture frugal(String id) {
        return job(id).host(3, GIB).levels(new HostLevel(1, GIB, 1), new HostLevel(3, GIB, 1));
    }

    private static Map<String, Allocation> decide(Shares shares, RoundProblem problem) {
        Synergy policy = new Synergy(Order.FIFO, shares);
        assertThat(PlanCheck.violations(problem, policy.plan(problem))).isEmpty();
        return policy.decide(problem).allocations();
    }

    private static double cpus(RoundProblem problem, Map<String, Allocation> allocations, String id) {
        return problem.jobs().stream()
                .filter(job -> job.id().equals(id))
                .mapToDouble(job ->
                        job.spec().hostIn(allocations.get(id).configuration()).cpusPerSlot())
                .sum();
    }

    private static double speeds(RoundProblem problem, Map<String, Allocation> allocations) {
        return problem.jobs().stream()
                .filter(job -> allocations.containsKey(job.id()))
                .mapToDouble(
                        job -> job.spec().hostSpeed(allocations.get(job.id()).configuration()))
                .sum();
    }

    private static RoundProblem alone(JobFixture... jobs) {
        return problem().node(host("n1")).jobs(jobs).build();
    }

    @Nested
    class InProportion {
        @Test
        void noJobHasMoreThanTheShareOfItsSlots() {
            RoundProblem problem = alone(hungry("a"), frugal("b").slots(7));

            Map<String, Allocation> allocations = decide(Shares.PROPORTIONAL, problem);

            assertThat(cpus(problem, allocations, "a")).isEqualTo(3);
            assertThat(cpus(problem, allocations, "b")).as("no faster with 3").isEqualTo(1);
        }

        @Test
        void whatAJobStatesIsNotWrittenAsAGrant() {
            Map<String, Allocation> allocations = decide(Shares.PROPORTIONAL, alone(hungry("a"), job("b")));

            assertThat(allocations.get("a").configuration().host()).isNull();
            assertThat(allocations.get("b").configuration().host()).isNull();
        }
    }

    @Nested
    class Tuned {
        @Test
        void whoIsSensitiveGetsWhatOthersDoNotMiss() {
            RoundProblem problem = alone(hungry("a"), frugal("b").slots(7));

            Map<String, Allocation> allocations = decide(Shares.TUNE, problem);

            assertThat(allocations.get("a").configuration().host()).isEqualTo(new HostGrant(9, GIB));
            assertThat(cpus(problem, allocations, "b")).isEqualTo(1);
        }

        @Test
        void whoFindsTooLittleIsCutToItsShare() {
            RoundProblem problem = alone(hungry("a"), hungry("b"), hungry("c"), hungry("d"));

            Map<String, Allocation> allocations = decide(Shares.TUNE, problem);

            assertThat(cpus(problem, allocations, "b")).isEqualTo(9);
            assertThat(cpus(problem, allocations, "c")).as("6 of 24 are left").isEqualTo(3);
            assertThat(speeds(problem, allocations)).isCloseTo(2.4 + 2.4 + 1 + 1, within(1e-9));
        }

        @Test
        void othersGiveBackWhatALaterJobNeeds() {
            RoundProblem problem = alone(
                    hungry("a").slots(2), hungry("b"), hungry("c"), hungry("d"), hungry("e"), hungry("f"), hungry("g"));

            Map<String, Allocation> allocations = decide(Shares.TUNE, problem);

            assertThat(allocations).hasSize(7);
            assertThat(speeds(problem, allocations))
                    .as("eight slots, three CPUs each")
                    .isCloseTo(7, within(1e-9));
        }

        @Test
        void whoHasMostForASlotGivesFirst() {
            RoundProblem problem = alone(
                    job("a").slots(2).host(3, GIB).levels(new HostLevel(3, GIB, 1), new HostLevel(5, GIB, 1.5)),
                    hungry("b"),
                    job("c").slots(1).host(3, GIB),
                    job("d").slots(1).host(3, GIB));

            Map<String, Allocation> allocations = decide(Shares.TUNE, problem);

            assertThat(cpus(problem, allocations, "a")).isEqualTo(5);
            assertThat(cpus(problem, allocations, "b"))
                    .as("10, 9 and 3 leave 2 for the last")
                    .isEqualTo(3);
            assertThat(allocations).hasSize(4);
        }

        @Test
        void whoRunsGivesBackToWhoRuns() {
            RoundProblem problem = problem()
                    .node(host("n1"))
                    .node(node("n2", 1).cpus(3).memory(GIB))
                    .jobs(
                            job("a").slots(2)
                                    .host(3, GIB)
                                    .levels(new HostLevel(3, GIB, 1), new HostLevel(5, GIB, 1.5))
                                    .on("n1", 0, 2),
                            hungry("b").on("n1", 2, 1),
                            job("c").host(3, GIB).on("n1", 3, 1),
                            job("d").host(3, GIB).on("n1", 4, 1))
                    .build();

            Map<String, Allocation> allocations = decide(Shares.TUNE, problem);

            assertThat(problem.jobs()).allMatch(job -> allocations.get(job.id()).since() == 0);
            assertThat(cpus(problem, allocations, "a")).isEqualTo(5);
            assertThat(cpus(problem, allocations, "b"))
                    .as("10, 9 and 3 leave 2 for the last")
                    .isEqualTo(3);
        }

        @Test
        void aGangIsSpreadWhereOneNodeHasTooFewCpus() {
            RoundProblem problem = problem()
                    .node(host("n1"))
                    .node(host("n2"))
                    .jobs(hungry("a").slots(4).speed("A100", 4, 1, 400).speed("A100", 4, 2, 400))
                    .build();

            Map<String, Allocation> allocations = decide(Shares.TUNE, problem);

            assertThat(cpus(problem, allocations, "a")).isEqualTo(9);
            assertThat(allocations.get("a").placement()).hasSize(2);
        }

        @Test
        void whoRunsStaysInItsRunWhileItsPartChanges() {
            Allocation heldAllocation = allocation(0, piece("n1", 0, 1)).withHost(new HostGrant(9, GIB));
            RoundProblem problem = alone(
                    hungry("a").holding(heldAllocation), hungry("b").slots(7).arrival(1));

            Map<String, Allocation> allocations = decide(Shares.TUNE, problem);

            assertThat(allocations.get("a")).isEqualTo(heldAllocation.withHost(null));
            assertThat(allocations.get("a").since()).isZero();
            assertThat(cpus(problem, allocations, "b")).isEqualTo(3);
        }

        @Test
        void whoMayNotBeTouchedGivesBackTooAndKeepsItsPlace() {
            Allocation heldAllocation = allocation(0, piece("n1", 0, 1)).withHost(new HostGrant(9, GIB));
            RoundProblem problem = alone(
                    hungry("a").holding(heldAllocation).notPreemptible(),
                    hungry("b").slots(7).arrival(1));

            Map<String, Allocation> allocations = decide(Shares.TUNE, problem);

            assertThat(allocations.get("a")).isEqualTo(heldAllocation.withHost(null));
            assertThat(allocations).containsKey("b");
        }

        @Test
        void whoStatesMoreThanItsShareComesAfterTheOthersAndHasAllOfItOrWaits() {
            RoundProblem fits = alone(job("a").slots(4).host(5, GIB), hungry("b"));
            RoundProblem misses = alone(job("a").slots(4).host(5.5, GIB), hungry("b"));

            Map<String, Allocation> beside = decide(Shares.TUNE, fits);

            assertThat(cpus(fits, beside, "a")).isEqualTo(5);
            assertThat(cpus(fits, beside, "b")).as("gives back for it").isEqualTo(3);
            assertThat(decide(Shares.TUNE, misses)).containsOnlyKeys("b");
        }
    }

    @Nested
    class ByAProgram {
        @Test
        void partsBetweenTheShareAndTheBestAreGivenToo() {
            RoundProblem problem = alone(hungry("a"), hungry("b"), hungry("c"), hungry("d"));

            Map<String, Allocation> allocations = decide(Shares.OPT, problem);

            assertThat(speeds(problem, allocations)).as("6 CPUs each").isCloseTo(4 * 1.75, within(1e-9));
        }

        @Test
        void wherePlacesAreShortItFallsBackToShares() {
            RoundProblem problem = problem()
                    .node(host("n1"))
                    .node(host("n2"))
                    .jobs(
                            hungry("a").slots(8),
                            hungry("b").slots(4),
                            frugal("c").slots(4))
                    .build();

            Map<String, Allocation> allocations = decide(Shares.OPT, problem);

            assertThat(allocations).hasSize(3);
            assertThat(problem.jobs())
                    .allMatch(job ->
                            job.spec().hostSpeed(allocations.get(job.id()).configuration()) >= 1);
        }
    }

    @Nested
    class WhoRuns {
        private final RoundProblem two = alone(
                hungry("long").slots(8).work(1e6),
                hungry("short").slots(8).arrival(1).work(1e5));

        @Test
        void isWhoCameFirst() {
            assertThat(new Synergy(Order.FIFO, Shares.TUNE).decide(two).allocations())
                    .containsOnlyKeys("long");
        }

        @Test
        void orWhoIsDoneFirst() {
            assertThat(new Synergy(Order.SRTF, Shares.TUNE).decide(two).allocations())
                    .containsOnlyKeys("short");
        }
    }
}
