package dev.spur.solver.relaxation;

import static dev.spur.model.JobFixture.job;
import static dev.spur.model.ProblemFixture.problem;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.spur.model.ProblemFixture;
import dev.spur.model.cluster.Node;
import dev.spur.model.job.JobGroup;
import dev.spur.model.round.ResourceKind;
import dev.spur.model.round.RoundProblem;
import dev.spur.model.round.ShadowPrice;
import dev.spur.model.tenant.Quota;
import dev.spur.solver.Enumeration;
import dev.spur.solver.GroupedProblems;
import dev.spur.solver.candidate.CandidateGenerator;
import dev.spur.solver.candidate.CandidateSet;
import dev.spur.solver.policy.Policies;
import dev.spur.solver.resource.DualPrice;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class ShadowPricesTest {
    /** Prices with the bound that they prove. */
    private record Priced(List<DualPrice> prices, double bound) {
        static Priced of(RoundProblem problem) {
            CandidateSet candidates = CandidateGenerator.generate(problem);
            CouplingConstraints constraints =
                    CouplingConstraintsBuilder.of(candidates, List.of(), RelaxationLevel.PATTERNS);
            DualSolution dualSolution = ColumnGeneration.search(
                    constraints,
                    List.of(WarmStartDuals.byRow(constraints, Map.of())),
                    passes -> 1e-7,
                    300,
                    () -> false);
            return new Priced(ShadowPrices.of(candidates, constraints, dualSolution), dualSolution.bound());
        }

        double price(String resource) {
            return prices.stream()
                    .filter(price -> price.reported().toString().equals(resource))
                    .mapToDouble(DualPrice::price)
                    .sum();
        }
    }

    private static double best(RoundProblem problem) {
        return Enumeration.bestWorth(CandidateGenerator.generate(problem));
    }

    @Nested
    class WithOneMoreUnitNoPlanIsWorthMoreThanTheBoundPlusThePrice {
        @Test
        void ofTheSlotsOfAGroup() {
            for (long seed = 90_000; seed < 90_150; seed++) {
                RoundProblem problem = GroupedProblems.problem(seed, 3, 4);
                JobGroup group = problem.groups().get(0);
                Priced now = Priced.of(problem);

                double more = best(problem.withGroups(List.of(
                        new JobGroup("g", "root", group.maxSlots() + 1, group.maxJobs()),
                        problem.groups().get(1))));

                assertThat(more)
                        .as("seed %d", seed)
                        .isLessThanOrEqualTo(now.bound() + now.price("group-slots:g") + 1e-9);
            }
        }

        @Test
        void ofTheJobsOfAGroup() {
            for (long seed = 91_000; seed < 91_150; seed++) {
                RoundProblem problem = GroupedProblems.problem(seed, 3, 4);
                JobGroup group = problem.groups().get(1);
                Priced now = Priced.of(problem);

                double more = best(problem.withGroups(List.of(
                        problem.groups().get(0), new JobGroup("h", "root", group.maxSlots(), group.maxJobs() + 1))));

                assertThat(more)
                        .as("seed %d", seed)
                        .isLessThanOrEqualTo(now.bound() + now.price("group-jobs:h") + 1e-9);
            }
        }

        @Test
        void ofTheQuotaOfATenant() {
            for (long seed = 92_000; seed < 92_150; seed++) {
                Random random = new Random(seed);
                Quota quota = quota(random);
                RoundProblem problem = ofTwoTenants(seed, quota, quota(random));
                Priced now = Priced.of(problem);

                double more = best(problem.withTenants(ProblemFixture.problem()
                        .tenant(
                                "a",
                                "root",
                                new Quota(quota.nominal() + 1, quota.borrowingLimit(), quota.lendingLimit()))
                        .tenant(problem.tenants().get(2))
                        .build()
                        .tenants()));

                assertThat(more)
                        .as("seed %d", seed)
                        .isLessThanOrEqualTo(now.bound()
                                + now.price("quota:a/A100")
                                + now.price("quota:tenants below root/A100")
                                + 1e-9);
            }
        }

        private static Quota quota(Random random) {
            return new Quota(random.nextInt(4), random.nextInt(3), random.nextInt(3));
        }

        private static RoundProblem ofTwoTenants(long seed, Quota a, Quota b) {
            Random random = new Random(seed);
            ProblemFixture fixture =
                    problem().nodes(4, 4).tenant("a", "root", a).tenant("b", "root", b);
            for (int j = 0; j < 5; j++) {
                fixture.job(job("j" + j)
                        .slots(1, 1 + random.nextInt(3))
                        .tenant(j % 2 == 0 ? "a" : "b")
                        .weight(1 + random.nextInt(5)));
            }
            return fixture.build();
        }

        /** A node brings its slots at once, which is how a slot is priced. */
        @Test
        void ofTheSlotsOfAType() {
            for (long seed = 0; seed < 60; seed++) {
                RoundProblem problem = onOneNodeEach(new Random(seed));
                Priced now = Priced.of(problem);
                List<Node> nodes = new ArrayList<>(problem.nodes());
                nodes.add(problem().nodes(4, 4, 4).build().nodes().get(2));

                double more = best(problem.withNodes(nodes));

                assertThat(more)
                        .as("seed %d", seed)
                        .isLessThanOrEqualTo(now.bound() + 4 * now.price("slots:main/A100") + 1e-9);
            }
        }

        private static RoundProblem onOneNodeEach(Random random) {
            ProblemFixture fixture = problem().nodes(4, 4);
            for (int j = 0; j < 5; j++) {
                int fewest = 1 + random.nextInt(4);
                fixture.job(job("j" + j).slots(fewest, 4).maxNodes(1).weight(1 + random.nextInt(5)));
            }
            return fixture.build();
        }
    }

    @Nested
    class WhatIsNotScarceHasNoPrice {
        @Test
        void whereEverythingFits() {
            RoundProblem free = problem()
                    .nodes(8, 8)
                    .group("g", 16, 4)
                    .jobs(job("a").slots(2).group("g"), job("b").slots(4))
                    .build();

            assertThat(Priced.of(free).prices())
                    .extracting(price -> price.reported().kind())
                    .contains(ResourceKind.SLOT, ResourceKind.GROUP_SLOT, ResourceKind.GROUP_JOB);
            assertThat(Priced.of(free).prices()).allMatch(price -> price.price() == 0);
        }

        @Test
        void butAScarceResourceHas() {
            RoundProblem scarce = problem()
                    .nodes(4)
                    .jobs(job("a").slots(4), job("b").slots(4))
                    .build();

            assertThat(Priced.of(scarce).price("slots:main/A100")).isGreaterThan(0);
        }

        @Test
        void aCapThatIsOneShortIsWorthWhatTheJobBringsThatItKeepsOut() {
            RoundProblem capped = problem()
                    .nodes(16)
                    .group("g", null, 1)
                    .jobs(job("a").slots(1).group("g"), job("b").slots(1).group("g"))
                    .build();
            RoundProblem wider = capped.withGroups(List.of(new JobGroup("g", "root", null, 2)));

            assertThat(Priced.of(capped).price("group-jobs:g")).isCloseTo(best(wider) - best(capped), within(1e-6));
        }
    }

    @Nested
    class AQuotaOfWhichEverythingIsKept {
        /** Both tenants need all that is theirs, so what they claim together is the same in every plan. */
        private final RoundProblem retained = problem()
                .nodes(8)
                .tenant("a", "root", new Quota(2, null, 0))
                .tenant("b", "root", new Quota(2, null, 0))
                .jobs(
                        job("a1").slots(2).tenant("a"),
                        job("a2").slots(1).tenant("a").weight(3),
                        job("b1").slots(2).tenant("b"))
                .build();

        @Test
        void isWorthToThoseAboveWhatOneBelowWouldGiveForMore() {
            Priced priced = Priced.of(retained);

            assertThat(priced.price("quota:a/A100")).isPositive();
            assertThat(priced.price("quota:tenants below root/A100"))
                    .isCloseTo(Math.max(priced.price("quota:a/A100"), priced.price("quota:b/A100")), within(1e-9));
        }

        @Test
        void isAllThatThereIs() {
            assertThat(Priced.of(retained).prices())
                    .filteredOn(price -> price.reported().toString().equals("quota:tenants below root/A100"))
                    .extracting(DualPrice::available)
                    .containsExactly(4.0);
        }
    }

    @Nested
    class ThePlan {
        @Test
        void explainsThemComparedWithASlotInUse() {
            RoundProblem scarce = problem()
                    .nodes(4)
                    .jobs(job("a").slots(4), job("b").slots(4))
                    .build();

            ShadowPrice slot =
                    Policies.spur().plan(scarce).stats().shadowPrices().get(0);

            assertThat(slot.averageSlots()).isPositive();
            assertThat(slot.available()).isEqualTo(4);
            assertThat(slot.message())
                    .startsWith("One more slot of main/A100, on a whole node, would add at most about ")
                    .contains("times the mean utility of a used slot");
        }
    }
}
