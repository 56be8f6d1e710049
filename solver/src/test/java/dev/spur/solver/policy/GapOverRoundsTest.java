package dev.spur.solver.policy;

import static dev.spur.model.JobFixture.job;
import static dev.spur.model.ProblemFixture.problem;
import static org.assertj.core.api.Assertions.assertThat;

import dev.spur.model.JobFixture;
import dev.spur.model.NodeFixture;
import dev.spur.model.ProblemFixture;
import dev.spur.model.cluster.AcceleratorType;
import dev.spur.model.job.BatchLimits;
import dev.spur.model.performance.ProfilePoint;
import dev.spur.model.performance.ThroughputProfile;
import dev.spur.model.round.RoundProblem;
import dev.spur.model.round.RoundSettings;
import dev.spur.model.round.SolveBudget;
import dev.spur.model.tenant.Quota;
import dev.spur.model.tenant.Tenant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/**
 * The optimality gap over many rounds, each of which starts from the prices of the last one. The cluster has the shape
 * of the demo: three types with 4 or 8 slots a node, two tenants with quotas, jobs that need up to 8 slots of one node
 * and may not be touched for some time after their start, and a stream of small jobs for one type alone.
 */
class GapOverRoundsTest {
    private static final double PERIOD = 5;
    private static final double SUBMISSIONS_PER_SECOND = 4;
    private static final int ROUNDS = 320;
    private static final int ROUNDS_UNDER_LOAD = 50;
    private static final double MAX_GAP = 1e-3;
    /** Far above the worth of any job: a higher price says nothing about a unit. */
    private static final double MAX_PRICE = 100;

    /** Nodes of one accelerator type: slots of each, and speed relative to an RTX2080Ti. */
    private record Kind(String type, int nodes, int slots, double speed) {}

    private static final List<Kind> KINDS =
            List.of(new Kind("T4", 6, 4, 0.55), new Kind("RTX2080Ti", 3, 8, 1), new Kind("A100", 2, 8, 3.2));

    private final ClusterSimulation world = new ClusterSimulation(cluster(), PERIOD);
    private int submitted;

    @Test
    void staysSmallOverHundredsOfRoundsOfLoadAndAfterIt() {
        List<String> wide = new ArrayList<>();
        for (int round = 0; round < ROUNDS; round++) {
            submitLongJobs();
            for (int i = 0; round < ROUNDS_UNDER_LOAD && i < SUBMISSIONS_PER_SECOND * PERIOD; i++) {
                world.submit(shortJob());
            }
            world.round();
            double gap = world.plan().quality().gap();
            Map<String, Double> prices = world.plan().memory().duals();
            if (gap > MAX_GAP || prices.values().stream().anyMatch(price -> price > MAX_PRICE)) {
                wide.add("round %d: gap %.4f %%, prices %s".formatted(round, 100 * gap, prices));
            }
        }

        assertThat(wide).isEmpty();
    }

    private static RoundProblem cluster() {
        ProblemFixture cluster = problem()
                .types(KINDS.stream()
                        .map(kind -> new AcceleratorType(kind.type(), 40))
                        .toArray(AcceleratorType[]::new))
                .objective(RoundSettings.DEFAULT.objective())
                .horizon(60, 4)
                .tenant(tenant("vision"))
                .tenant(tenant("language"));
        for (Kind kind : KINDS) {
            for (int i = 1; i <= kind.nodes(); i++) {
                cluster.node(NodeFixture.node(kind.type() + "-" + i, kind.slots())
                        .type(kind.type())
                        .cpus(6 * kind.slots())
                        .memory(32 * kind.slots()));
            }
        }
        RoundProblem whole = cluster.build();
        return whole.withSettings(whole.settings().withEffort(5e-4, new SolveBudget(10, 120, 1, 1)));
    }

    private static Tenant tenant(String name) {
        return new Tenant(
                name,
                "root",
                1,
                Map.of(
                        "T4",
                        new Quota(12, 12, null),
                        "RTX2080Ti",
                        new Quota(12, 12, null),
                        "A100",
                        new Quota(8, 8, null)));
    }

    /** Fills up to a dozen jobs of two tenants, of all sizes. */
    private void submitLongJobs() {
        long active = world.jobs().stream()
                .filter(job -> !job.tenant().equals("root"))
                .count();
        for (; active < 12; active++) {
            int number = submitted++ % 12;
            int max = List.of(4, 16, 8, 8, 8, 4, 16, 8, 16, 16, 4, 8).get(number);
            int min = List.of(1, 2, 2, 4, 1, 1, 4, 2, 4, 8, 1, 1).get(number);
            double speed = 50 + 37 * number;
            double scaling = 0.8 + 0.02 * (number % 8);
            double minutes = 2 + number;
            world.submit(job("long-" + submitted)
                    .tenant(number < 6 ? "vision" : "language")
                    .slots(min, max)
                    .powersOfTwo()
                    .batch(BatchLimits.ofBatch(128))
                    .host(2, 8)
                    .restartPenalty(10)
                    .minRun(20)
                    .work(speed * Math.pow(4, scaling) * minutes * 60)
                    .profile(profile(speed, scaling, max)));
        }
    }

    private static ThroughputProfile profile(double speed, double scaling, int largest) {
        List<ProfilePoint> points = new ArrayList<>();
        for (Kind kind : KINDS) {
            for (int slots = 1; slots <= largest; slots *= 2) {
                int nodes = (slots + kind.slots() - 1) / kind.slots();
                double rate = Math.round(speed * kind.speed() * Math.pow(slots, scaling));
                points.add(ProfilePoint.allReduce(kind.type(), slots, nodes, 128, rate));
            }
        }
        return new ThroughputProfile(points, List.of());
    }

    private JobFixture shortJob() {
        return job("short-" + ++submitted)
                .slots(1, 2)
                .batch(BatchLimits.ofBatch(64))
                .restartPenalty(60)
                .work(submitted < 180 ? 2e5 : 4000 + 37 * (submitted % 50))
                .speed("A100", 1, 1, 200)
                .speed("A100", 2, 1, 380);
    }
}
