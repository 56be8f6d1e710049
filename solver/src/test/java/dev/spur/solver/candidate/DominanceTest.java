package dev.spur.solver.candidate;

import static dev.spur.model.JobFixture.job;
import static dev.spur.model.NodeFixture.node;
import static dev.spur.model.ProblemFixture.problem;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.spur.model.JobFixture;
import dev.spur.model.ProblemFixture;
import dev.spur.model.job.ChangeCosts;
import dev.spur.model.job.ChangeMechanism;
import dev.spur.model.job.DeadlineStatus;
import dev.spur.model.job.Job;
import dev.spur.model.job.Synchronization;
import dev.spur.model.performance.HostLevel;
import dev.spur.model.round.RoundProblem;
import dev.spur.solver.EnumeratedObligations;
import dev.spur.solver.Enumeration;
import dev.spur.solver.RandomProblems;
import dev.spur.solver.RoleProblems;
import dev.spur.solver.SensitiveProblems;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What is left out could be in no plan that is better than all others. */
class DominanceTest {
    @ParameterizedTest(name = "100 problems from seed {0}, shrunk hosts {1}")
    @CsvSource({"0, false", "4000, false", "8000, true"})
    void theBestPlanIsNotLost(long first, boolean shrunk) {
        long before = 0;
        long after = 0;
        for (long seed = first; seed < first + 100; seed++) {
            RoundProblem problem = RandomProblems.withoutObligations(
                    shrunk ? RandomProblems.shrunk(seed, 3, 3) : RandomProblems.problem(seed, 3, 3));
            CandidateSet generated = CandidateGenerator.generate(problem);
            CandidateSet all = AllConfigurations.of(problem, generated);

            double best = Enumeration.bestWorth(all);

            assertThat(Enumeration.bestWorth(generated))
                    .as("seed %d", seed)
                    .isCloseTo(best, within(1e-9 * Math.max(1, best)));
            before += all.size();
            after += generated.size();
        }
        assertThat(after).as("dominance takes something away").isLessThan(before);
    }

    @ParameterizedTest(name = "200 problems, with roles {0}")
    @ValueSource(booleans = {false, true})
    void theBestPlanOnScarceHostsIsNotLost(boolean roles) {
        long before = 0;
        long after = 0;
        for (long seed = 0; seed < 200; seed++) {
            RoundProblem sensitive = SensitiveProblems.scarce(seed, 2, 3);
            RoundProblem problem =
                    RandomProblems.withoutObligations(roles ? RoleProblems.withRoles(sensitive, seed) : sensitive);
            CandidateSet generated = CandidateGenerator.generate(problem);
            CandidateSet all = AllConfigurations.of(problem, generated);

            double best = Enumeration.bestWorth(all);

            assertThat(Enumeration.bestWorth(generated))
                    .as("seed %d", seed)
                    .isCloseTo(best, within(1e-9 * Math.max(1, best)));
            before += all.size();
            after += generated.size();
        }
        assertThat(after).as("dominance takes something away").isLessThan(before);
    }

    @Test
    void slowerLevelsAreCandidatesWhereCpusMayBeShort() {
        JobFixture loading = job("a").slots(1)
                .host(2, 1)
                .levels(new HostLevel(1, 1, 0.6), new HostLevel(2, 1, 1), new HostLevel(3, 1, 1));

        assertThat(levels(problem().node(node("n1", 4).cpus(6)).job(loading))).containsExactly(1.0, 2.0);
        assertThat(levels(problem().node(node("n1", 4).cpus(8)).job(loading)))
                .as("each slot may have 2 CPUs, more than which are of no use")
                .containsExactly(2.0);
    }

    private static List<Double> levels(ProblemFixture fixture) {
        CandidateSet candidates = CandidateGenerator.generate(fixture.build());
        return candidates.of(0).freshCandidates().stream()
                .map(candidate -> candidates.host(candidate).cpusPerSlot())
                .toList();
    }

    @Test
    void exactlyTheDominatedConfigurationsAreLeftOut() {
        for (long seed = 0; seed < 200; seed++) {
            RoundProblem problem = RandomProblems.problem(seed, 3, 4);
            if (seed % 2 == 0) {
                problem = RandomProblems.withObligations(problem, 1e9, DominanceTest::migrating);
            }
            CandidateSet generated = CandidateGenerator.generate(problem);
            CandidateSet all = AllConfigurations.of(problem, generated);

            for (int j = 0; j < generated.jobs(); j++) {
                List<Candidate> ownCandidates = all.of(j).freshCandidates();
                boolean hasDeadline = generated.job(j).deadline() != null;

                assertThat(generated.of(j).freshCandidates())
                        .as("job %d of seed %d, ascending by class, slots, nodes, aggregation and access", j, seed)
                        .containsExactlyElementsOf(ownCandidates.stream()
                                .filter(one ->
                                        ownCandidates.stream().noneMatch(other -> precedes(other, one, hasDeadline)))
                                .sorted(Comparator.comparingInt(Candidate::nodeClass)
                                        .thenComparingInt(Candidate::slots)
                                        .thenComparingInt(
                                                one -> one.configuration().nodes())
                                        .thenComparingDouble(
                                                one -> one.configuration().aggregationSlots())
                                        .thenComparing(Candidate::access)
                                        .thenComparing(
                                                one -> text(one.configuration().shape()), Comparator.reverseOrder()))
                                .toList());
            }
        }
    }

    private static String text(List<Integer> shape) {
        return shape.stream().map("%4d"::formatted).collect(Collectors.joining());
    }

    private static Job migrating(Job job) {
        return job.withSpec(
                job.spec().edit().changeCosts(new ChangeCosts(null, null, 1.0)).build());
    }

    /**
     * Whether {@code a} fits into the place of {@code b} and is worth no less; of two equal ones the smaller counts.
     */
    private static boolean precedes(Candidate a, Candidate b, boolean hasDeadline) {
        List<Integer> small = a.configuration().shape();
        List<Integer> large = b.configuration().shape();
        return !a.equals(b)
                && a.nodeClass() == b.nodeClass()
                && a.access().includes(b.access())
                && a.utility() >= b.utility()
                && (!hasDeadline || a.goodput() >= b.goodput())
                && a.configuration().aggregationSlots() <= b.configuration().aggregationSlots()
                && small.size() <= large.size()
                && IntStream.range(0, small.size()).allMatch(i -> small.get(i) <= large.get(i))
                && switch (a.change()) {
                    case UNCHANGED, RECONFIGURE, RESTART -> true;
                    case MIGRATE -> b.change() == ChangeMechanism.MIGRATE;
                    // wherever b has rank 0, a has it as well
                    case RESCALE ->
                        b.change() == ChangeMechanism.RESCALE
                                && large.stream()
                                        .allMatch(share -> small.stream().anyMatch(own -> own <= share));
                };
    }

    @Test
    void deadlinesThatCouldBeMetAreNotLost() {
        for (long seed = 0; seed < 60; seed++) {
            Random random = new Random(seed);
            RoundProblem problem = RandomProblems.withObligations(
                    RandomProblems.problem(seed, 3, 3),
                    1e9,
                    job -> RandomProblems.withDeadline(job, 100_100.0 + random.nextInt(4000), DeadlineStatus.PENDING));
            CandidateSet generated = CandidateGenerator.generate(problem);
            CandidateSet all = AllConfigurations.of(problem, generated);

            double best = new EnumeratedObligations(all).bestWorth();

            assertThat(new EnumeratedObligations(generated).bestWorth())
                    .as("seed %d", seed)
                    .isCloseTo(best, within(1e-9 * Math.max(1, best)));
        }
    }

    @Test
    void aShapeThatNeedsMoreAndIsWorthNoMoreIsLeftOut() {
        assertThat(slots(job("a").slots(1, 4).speeds(100, 150, 150, 140))).containsExactly(1, 2);
    }

    @Test
    void aSmallerShareForTheNodeOfRankZeroIsKept() {
        JobFixture flat = job("a").slots(2, 4)
                .allowedCounts(2, 4)
                .speeds(100, 150, 150, 150)
                .on("n1", 1);

        assertThat(shapes(flat)).containsExactly(List.of(2));
        assertThat(shapes(flat.rescales(1))).containsExactly(List.of(2), List.of(3, 1));
    }

    @Test
    void aShapeThatIsFasterButWorthNoMoreIsKeptForADeadline() {
        JobFixture brief = job("a").slots(1, 2).work(1000).speeds(100, 150);

        assertThat(slots(brief)).containsExactly(1);
        assertThat(slots(brief.deadline(1040, DeadlineStatus.PENDING))).containsExactly(1, 2);
    }

    @Test
    void aSpreadIsKeptBesideTheSameSlotsOnOneNode() {
        ProblemFixture two = problem()
                .nodes(4, 4)
                .job(job("a").slots(2).speed("A100", 2, 1, 200).speed("A100", 2, 2, 190));

        assertThat(CandidateGenerator.generate(two.build()).of(0).freshCandidates())
                .extracting(candidate -> candidate.configuration().shape())
                .containsExactly(List.of(2), List.of(1, 1));
    }

    @Test
    void moreAggregationIsLeftOutWhereItIsWorthNoMore() {
        JobFixture flat = job("a").synchronization(new Synchronization(false, true, 1, 3))
                .servedSpeed(1, 1, 100)
                .servedSpeed(1, 2, 120)
                .servedSpeed(1, 3, 120);

        assertThat(CandidateGenerator.generate(problem().nodes(2).job(flat).build())
                        .of(0)
                        .freshCandidates())
                .extracting(candidate -> candidate.configuration().aggregationSlots())
                .containsExactly(1.0, 2.0);
    }

    private static List<List<Integer>> shapes(JobFixture job) {
        return CandidateGenerator.generate(problem().nodes(3, 3).job(job).build()).of(0).freshCandidates().stream()
                .map(candidate -> candidate.configuration().shape())
                .toList();
    }

    private static List<Integer> slots(JobFixture job) {
        return CandidateGenerator.generate(problem().nodes(4).job(job).build()).of(0).freshCandidates().stream()
                .map(Candidate::slots)
                .toList();
    }
}
