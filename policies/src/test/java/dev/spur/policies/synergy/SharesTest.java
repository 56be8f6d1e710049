package dev.spur.policies.synergy;

import static dev.spur.model.JobFixture.job;
import static dev.spur.model.NodeFixture.node;
import static dev.spur.model.ProblemFixture.problem;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.spur.model.JobFixture;
import dev.spur.model.ProblemFixture;
import dev.spur.model.allocation.Allocation;
import dev.spur.model.job.HostDemand;
import dev.spur.model.job.Job;
import dev.spur.model.performance.HostLevel;
import dev.spur.model.round.RoundProblem;
import dev.spur.model.validation.PlanCheck;
import dev.spur.policies.RoundSimulation;
import dev.spur.policies.support.BatchRule;
import dev.spur.policies.support.NodeSlots;
import dev.spur.policies.support.PlacementRule.FreeNode;
import dev.spur.policies.support.RoundView;
import dev.spur.policies.support.SlotAllocations;
import dev.spur.policies.synergy.Synergy.Order;
import dev.spur.policies.synergy.Synergy.Shares;
import dev.spur.solver.SensitiveProblems;
import dev.spur.solver.policy.Decision;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What holds for all shares, whatever the jobs. */
class SharesTest {
    private static final int SEEDS = 60;
    private static final HostDemand SHARE = new HostDemand(3, 16);

    /** One to four nodes of 8 slots, and more jobs than fit. Some are sensitive, some not, some say nothing. */
    private static RoundProblem random(long seed, boolean areSensitive) {
        Random random = new Random(seed);
        ProblemFixture problem = problem();
        int nodes = 1 + random.nextInt(4);
        for (int i = 1; i <= nodes; i++) {
            problem.node(node("n" + i, 8).cpus(24).memory(128));
        }
        for (int j = 0; j < 4 * nodes; j++) {
            int slots = List.of(1, 1, 2, 3, 4, 8).get(random.nextInt(6));
            JobFixture job = job("j" + j)
                    .arrival(j)
                    .slots(slots)
                    .speed("A100", slots, 1, 100 * slots)
                    .work(1e5 * slots * (1 + random.nextInt(20)))
                    .host(SHARE.cpusPerSlot(), SHARE.memoryGiBPerSlot());
            int kind = random.nextInt(3);
            problem.job(
                    kind == 0
                            ? job
                            : job.levels(SensitiveProblems.levels(SHARE, areSensitive && kind == 1)
                                    .toArray(new HostLevel[0])));
        }
        return problem.build();
    }

    private static double speed(RoundProblem problem, Decision decision) {
        return problem.jobs().stream()
                .filter(job -> decision.allocations().containsKey(job.id()))
                .mapToDouble(job -> speed(job, decision))
                .sum();
    }

    private static double speed(Job job, Decision decision) {
        Allocation allocation = decision.allocations().get(job.id());
        return job.spec().hostSpeed(allocation.configuration());
    }

    @Nested
    class NobodyIsBelowItsShare {
        @ParameterizedTest
        @EnumSource(Shares.class)
        void inAnyRoundAndTheJudgeFindsNothingWrong(Shares shares) {
            Synergy policy = new Synergy(Order.SRTF, shares);
            for (long seed = 0; seed < SEEDS; seed++) {
                RoundProblem problem = random(seed, true);
                for (int round = 0; round < 4; round++) {
                    Decision decision = policy.decide(problem);

                    assertThat(PlanCheck.violations(problem, decision.plan()))
                            .as("seed %d, round %d", seed, round)
                            .isEmpty();
                    assertThat(problem.jobs())
                            .filteredOn(job -> decision.allocations().containsKey(job.id()))
                            .as("seed %d, round %d", seed, round)
                            .allMatch(job -> speed(job, decision) >= 1);
                    problem = RoundSimulation.next(problem, decision, 700);
                }
            }
        }
    }

    @Nested
    class AllTogether {
        @Test
        void tunedSharesAreAsFastAsProportionalOnesAndNoFasterThanTheProgramAllows() {
            double gained = 0;
            for (long seed = 0; seed < SEEDS; seed++) {
                RoundProblem problem = random(seed, true);
                RoundView view = RoundView.of(problem, BatchRule.USER);
                SlotAllocations allocations = new Synergy(Order.FIFO, Shares.TUNE).grant(view);
                Decision inProportion = new Synergy(Order.FIFO, Shares.PROPORTIONAL).decide(problem);

                Decision tuned = new Synergy(Order.FIFO, Shares.TUNE).decide(problem);
                double max = new OptProgram(allocations, new HostRequests(view))
                        .solve()
                        .orElseThrow()
                        .bestBound();

                assertThat(tuned.allocations().keySet())
                        .as("seed %d", seed)
                        .isEqualTo(inProportion.allocations().keySet());
                assertThat(speed(problem, tuned))
                        .as("seed %d", seed)
                        .isBetween(speed(problem, inProportion) - 1e-9, max + 1e-6);
                gained += speed(problem, tuned) - speed(problem, inProportion);
            }
            assertThat(gained / SEEDS).as("mean gain of a round").isGreaterThan(0.25);
        }
    }

    @Nested
    class NobodyIsSensitive {
        @ParameterizedTest
        @EnumSource(Order.class)
        void soThatAllJobsEndAsWithProportionalShares(Order order) {
            for (long seed = 0; seed < 20; seed++) {
                RoundProblem problem = random(seed, false);
                Map<String, Double> inProportion =
                        RoundSimulation.ends(new Synergy(order, Shares.PROPORTIONAL), problem, 60, 700);

                assertThat(inProportion)
                        .as("seed %d", seed)
                        .hasSize(problem.jobs().size());
                assertThat(RoundSimulation.ends(new Synergy(order, Shares.TUNE), problem, 60, 700))
                        .as("seed %d", seed)
                        .isEqualTo(inProportion);
                assertThat(RoundSimulation.ends(new Synergy(order, Shares.OPT), problem, 60, 700))
                        .as("seed %d", seed)
                        .isEqualTo(inProportion);
            }
        }
    }

    @Nested
    class RoomCanAlwaysBeMade {
        private final HostLevel share = new HostLevel(3, 16, 1);
        private final ResidualHosts hosts =
                new ResidualHosts(List.of(node("n1", 8).cpus(24).memory(128).build()));

        private static ResidualHosts twoNodes() {
            return new ResidualHosts(List.of(
                    node("n1", 8).cpus(24).memory(128).build(),
                    node("n2", 8).cpus(24).memory(128).build()));
        }

        @Test
        void fromThoseWhoHaveMoreThanTheirFloors() {
            List<NodeSlots> one = List.of(new NodeSlots(0, 1));
            hosts.add(0, one, new HostLevel(9, 16, 2), share);
            hosts.add(1, one, new HostLevel(12, 16, 3), share);

            hosts.reduceToFloors("late", List.of(new NodeSlots(0, 2)), share);

            assertThat(hosts.level(0)).hasValue(new HostLevel(9, 16, 2));
            assertThat(hosts.level(1)).as("it had most CPUs").hasValue(share);
        }

        @Test
        void onOneNodeBeforeOnSeveral() {
            ResidualHosts two = twoNodes();
            two.add(0, List.of(new NodeSlots(0, 1), new NodeSlots(1, 1)), new HostLevel(12, 16, 3), share);
            two.add(1, List.of(new NodeSlots(0, 1)), new HostLevel(9, 16, 2), share);

            two.reduceToFloors("late", List.of(new NodeSlots(0, 2)), share);

            assertThat(two.level(0)).hasValue(new HostLevel(12, 16, 3));
            assertThat(two.level(1)).hasValue(share);
        }

        @Test
        void alsoForMemoryInExchangeForCpus() {
            ResidualHosts two = twoNodes();
            two.add(0, List.of(new NodeSlots(0, 4), new NodeSlots(1, 4)), new HostLevel(6, 1, 2), share);
            two.add(1, List.of(new NodeSlots(1, 1)), new HostLevel(0, 124, 2), share);

            two.reduceToFloors("late", List.of(new NodeSlots(0, 3)), new HostLevel(3, 1, 1));

            assertThat(two.level(0)).hasValue(share);
            assertThat(two.level(1)).as("gives the other node's memory").hasValue(share);
        }

        @Test
        void becauseNoJobStartsWhoseMinimumDoesNotFit() {
            List<FreeNode> free = List.of(new FreeNode(0, 4, 8));
            HostLevel fast = new HostLevel(9, 10, 2);
            hosts.add(0, List.of(new NodeSlots(0, 1)), new HostLevel(1, 113, 1), new HostLevel(1, 113, 1));

            assertThat(hosts.withRoom(free, fast, new HostLevel(3, 10, 1))).containsExactly(new FreeNode(0, 1, 8));
            assertThat(hosts.withRoom(free, fast, share)).isEmpty();
            assertThat(hosts.fits(List.of(new NodeSlots(0, 1)), fast, share)).isFalse();
        }

        @Test
        void andIfNotTheErrorNamesTheJob() {
            hosts.add(0, List.of(new NodeSlots(0, 8)), share, share);

            assertThatThrownBy(() -> hosts.reduceToFloors("late", List.of(new NodeSlots(0, 1)), share))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("job late: 1 slots with");
        }
    }
}
