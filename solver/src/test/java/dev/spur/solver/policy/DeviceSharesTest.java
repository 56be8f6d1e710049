package dev.spur.solver.policy;

import static dev.spur.model.JobFixture.allocation;
import static dev.spur.model.JobFixture.job;
import static dev.spur.model.JobFixture.piece;
import static dev.spur.model.NodeFixture.node;
import static dev.spur.model.ProblemFixture.problem;
import static org.assertj.core.api.Assertions.assertThat;

import dev.spur.model.JobFixture;
import dev.spur.model.NodeFixture;
import dev.spur.model.ProblemFixture;
import dev.spur.model.round.PendingJob;
import dev.spur.model.round.PendingReason;
import dev.spur.model.round.PlannedJob;
import dev.spur.model.round.RoundPlan;
import dev.spur.model.round.RoundProblem;
import dev.spur.model.round.SolveStatus;
import dev.spur.model.tenant.Quota;
import dev.spur.model.validation.PlanCheck;
import dev.spur.solver.ShareProblems;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Jobs that take a share of a device. */
class DeviceSharesTest {
    private static RoundProblem round(List<NodeFixture> nodes, JobFixture... jobs) {
        ProblemFixture whole = problem().jobs(jobs);
        nodes.forEach(whole::node);
        return whole.build();
    }

    private static RoundPlan plan(RoundProblem round) {
        RoundPlan plan = Policies.spur().plan(round);
        assertThat(PlanCheck.violations(round, plan)).isEmpty();
        return plan;
    }

    /** Jobs by node and device. */
    private static Map<String, List<String>> jobsByDevice(RoundPlan plan) {
        return plan.running().stream()
                .flatMap(planned -> planned.allocation().placement().stream()
                        .flatMap(share -> share.devices().stream()
                                .map(device -> Map.entry(share.node() + " " + device, planned.jobId()))))
                .collect(Collectors.groupingBy(
                        Map.Entry::getKey, Collectors.mapping(Map.Entry::getValue, Collectors.toList())));
    }

    @Test
    void jobsFillADeviceTogether() {
        RoundPlan plan = plan(
                round(List.of(node("n1", 1).shared()), job("a").share(0.5), job("b").share(0.3), job("c").share(0.2)));

        assertThat(jobsByDevice(plan)).containsOnlyKeys("n1 d0");
        assertThat(plan.running()).hasSize(3);
        assertThat(plan.quality().status()).isEqualTo(SolveStatus.OPTIMAL);
    }

    @Test
    void aDeviceHoldsAtMostItsWhole() {
        RoundPlan plan = plan(round(List.of(node("n1", 1).shared()), job("a").share(0.6), job("b").share(0.6)));

        assertThat(plan.running()).hasSize(1);
        assertThat(plan.quality().gap()).isZero();
        assertThat(plan.running())
                .extracting(PlannedJob::message)
                .singleElement()
                .asString()
                .startsWith("Runs on 0.6 of 1 A100");
        assertThat(plan.waiting()).extracting(PendingJob::reason).containsExactly(PendingReason.OUTRANKED);
        assertThat(plan.waiting())
                .extracting(PendingJob::message)
                .singleElement()
                .asString()
                .startsWith("Needs 0.6 of a device of main/A100, of which 0 have that much free; ");
    }

    /** Three shares of 0.4 need two devices, although they sum to 1.2. */
    @Test
    void theBoundCountsWholeSharesOnADevice() {
        RoundPlan plan = plan(round(
                List.of(node("n1", 2).shared()),
                IntStream.range(0, 6).mapToObj(i -> job("j" + i).share(0.4)).toArray(JobFixture[]::new)));

        assertThat(plan.running()).hasSize(4);
        assertThat(plan.quality().gap()).isZero();
    }

    @Test
    void aShareTakesTheRoomNextToARunningOneSoThatAWholeDeviceStaysFree() {
        JobFixture running = job("a").share(0.4).holding(allocation(-5000, piece("n1", 1, 1)));

        RoundPlan plan = plan(round(List.of(node("n1", 2).shared()), running, job("b").share(0.6), job("c").slots(1)));

        assertThat(jobsByDevice(plan).get("n1 d1")).containsExactlyInAnyOrder("a", "b");
        assertThat(jobsByDevice(plan).get("n1 d0")).containsExactly("c");
    }

    @Test
    void jobsWithAShareNeedNodesThatShareTheirDevices() {
        RoundPlan plan =
                plan(round(List.of(node("n1", 1), node("n2", 1).shared()), job("a").share(0.5), job("b").share(0.6)));

        assertThat(jobsByDevice(plan)).containsOnlyKeys("n2 d0");
        RoundPlan none = plan(round(List.of(node("n1", 1)), job("a").share(0.5)));
        assertThat(none.waiting()).singleElement().satisfies(pending -> {
            assertThat(pending.reason()).isEqualTo(PendingReason.NO_MATCHING_NODES);

            assertThat(pending.message()).contains("shared devices, as of an agent with --share-gpus");
        });
    }

    @Test
    void hostsLimitTheSharesOfADevice() {
        RoundPlan plan = plan(round(
                List.of(node("n1", 1).shared().cpus(8).aggregation(0)),
                job("a").share(0.2).host(4, 0),
                job("b").share(0.2).host(4, 0),
                job("c").share(0.2).host(4, 0)));

        assertThat(plan.running()).hasSize(2);
        assertThat(plan.waiting())
                .extracting(PendingJob::reason)
                .containsExactly(PendingReason.INSUFFICIENT_HOST_RESOURCES);
    }

    /** Random rounds of which many plans have a device with several jobs. */
    @Test
    void randomRoundsShareDevices() {
        List<Long> shared = new ArrayList<>();
        for (long seed = 130_000; seed < 130_100; seed++) {
            RoundPlan plan = plan(ShareProblems.problem(seed, 2, 5));
            if (jobsByDevice(plan).values().stream().anyMatch(jobs -> jobs.size() > 1)) {
                shared.add(seed);
            }
        }
        assertThat(shared).hasSizeGreaterThan(15);
    }

    /** The shares of a higher class stay on their devices while lower classes are decided. */
    @Test
    void roundsWithPriorityClassesAreProved() {
        List<Long> open = new ArrayList<>();
        for (long seed = 131_000; seed < 131_200; seed++) {
            if (plan(ShareProblems.problem(seed, 3, 9)).quality().gap() > 1e-6) {
                open.add(seed);
            }
        }
        assertThat(open).isEmpty();
    }

    @Test
    void manySharesOnManyNodesAreProved() {
        List<NodeFixture> nodes =
                IntStream.range(0, 20).mapToObj(v -> node("n" + v, 4).shared()).toList();
        double[] shares = {0.2, 0.25, 0.33, 0.5, 0.6};
        RoundPlan plan = plan(round(
                nodes,
                IntStream.range(0, 300)
                        .mapToObj(i -> i % 6 == 5
                                ? job("j" + i).slots(1, 4)
                                : job("j" + i).share(shares[i % 6]))
                        .toArray(JobFixture[]::new)));

        assertThat(plan.quality().gap()).isZero();
        assertThat(plan.running()).extracting(PlannedJob::jobId).hasSizeGreaterThan(150);
    }

    @Test
    void quotasAndCapsCountShares() {
        RoundProblem quota = problem()
                .node(node("n1", 4).shared())
                .tenant("x", null, new Quota(1, 0, null))
                .jobs(
                        job("a").tenant("x").share(0.5),
                        job("b").tenant("x").share(0.25),
                        job("c").tenant("x").share(0.25),
                        job("d").tenant("x").share(0.25))
                .build();
        RoundPlan plan = plan(quota);

        assertThat(plan.running()).hasSize(3);
        assertThat(plan.waiting()).singleElement().satisfies(pending -> {
            assertThat(pending.reason()).isEqualTo(PendingReason.QUOTA_EXCEEDED);
            assertThat(pending.message()).contains("Of the 1 slots of A100 of tenant x, 0.75 are in use");
        });
    }
}
