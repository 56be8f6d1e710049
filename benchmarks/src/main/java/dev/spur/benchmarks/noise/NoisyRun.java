package dev.spur.benchmarks.noise;

import dev.spur.model.allocation.Allocation;
import dev.spur.model.allocation.Configuration;
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
import dev.spur.model.performance.ThroughputProfile;
import dev.spur.model.round.PlannedJob;
import dev.spur.model.round.RoundMemory;
import dev.spur.model.round.RoundProblem;
import dev.spur.model.round.RoundSettings;
import dev.spur.model.tenant.Tenant;
import dev.spur.prediction.StepTimeModel;
import dev.spur.prediction.family.Families;
import dev.spur.prediction.online.SpeedReport;
import dev.spur.prediction.speed.StepShape;
import dev.spur.service.jobs.learning.JobSpeedPrediction;
import dev.spur.service.jobs.learning.PredictionContext;
import dev.spur.solver.policy.Policies;
import dev.spur.solver.policy.Policy;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * One job of unknown speed, alone on two nodes with four slots each. It reports each 30 s; a round follows each 60 s. A
 * change of its allocation stops it for 60 s.
 */
final class NoisyRun {
    private static final double LENGTH = 7200;
    private static final double REPORT_SECONDS = 30;
    private static final double ROUND_SECONDS = 60;
    private static final double STALL_SECONDS = 60;
    private static final int BATCH = 256;
    private static final String TYPE = "A";
    private static final String SLOW_NODE = "n2";
    private static final StepTimeModel TRUTH = new StepTimeModel(0.02, 0.0078, 0.35, 0.02, 0.05, 0.01, 2);
    private static final List<Node> NODES = List.of(node("n1"), node(SLOW_NODE));
    private static final JobSpec STATED = new JobSpec(
            new Work(WorkUnit.SAMPLES, 1e9, null, null, false),
            Elasticity.between(1, 8),
            BatchLimits.ofBatch(BATCH),
            Synchronization.allReduceOnly(),
            StatisticalEfficiency.UNKNOWN,
            new ThroughputProfile(List.of(), List.of()),
            HostDemand.NONE,
            STALL_SECONDS,
            0,
            true,
            1,
            0,
            null,
            "unknown");

    private final HostScenario scenario;
    private final LearningRule rule;
    private final Random random;
    private final double busyOffset;
    private final Policy policy = Policies.spur();

    private @Nullable Allocation held;
    private long generation;
    private double doneSamples;
    private double possibleSamples;
    private final List<Double> events = new ArrayList<>();

    NoisyRun(HostScenario scenario, LearningRule rule, long seed) {
        this.scenario = scenario;
        this.rule = rule;
        random = new Random(seed);
        busyOffset = 900 * random.nextDouble();
    }

    /**
     * Result of a run.
     *
     * @param falseEvents detected changes without a change, and repetitions
     * @param delaySeconds time from the change to its detection; null if there was none, or it was missed
     * @param regret fraction of the samples of the fastest configuration that were not made, from 0 to 1
     * @param restarts changes of the allocation after the first start
     */
    record RunResult(int falseEvents, @Nullable Double delaySeconds, double regret, long restarts) {}

    RunResult run() {
        for (double time = 0; time < LENGTH; time += REPORT_SECONDS) {
            if (time % ROUND_SECONDS == 0) {
                plan(time);
            }
            train(time);
        }
        double changed = scenario.changes() ? LENGTH / 2 : Double.POSITIVE_INFINITY;
        Double delay = events.stream()
                .filter(event -> event >= changed)
                .findFirst()
                .map(event -> event - changed)
                .orElse(null);
        return new RunResult(
                events.size() - (delay == null ? 0 : 1),
                delay,
                1 - doneSamples / possibleSamples,
                Math.max(0, generation - 1));
    }

    private void plan(double now) {
        ThroughputProfile profile = rule.plan(
                JobSpeedPrediction.of(STATED, rule.observations(), Families.NONE, PredictionContext.offers(NODES))
                        .profile());
        Job job = new Job(
                "job",
                "root",
                0,
                STATED.withSpeed(profile, STATED.efficiency()),
                STATED.totalSamples() - doneSamples,
                null,
                DeadlineStatus.NONE,
                new ServiceHistory(0, now, (int) Math.max(0, generation - 1), held == null ? null : 0.0, 0),
                held);
        List<PlannedJob> running = policy.plan(problem(now, job)).running();
        Allocation given = running.isEmpty() ? null : running.get(0).allocation();
        if (given != null && (held == null || !given.sameRunAs(held))) {
            generation++;
            held = given;
        }
    }

    private static RoundProblem problem(double now, Job job) {
        return new RoundProblem(
                RoundProblem.FORMAT,
                now,
                RoundSettings.DEFAULT,
                List.of(new AcceleratorType(TYPE, 0, null, null)),
                List.of(new Pool("main", false)),
                NODES,
                List.of(),
                List.of(new Tenant("root", null, 1, Map.of())),
                List.of(),
                List.of(job),
                RoundMemory.EMPTY);
    }

    private void train(double now) {
        possibleSamples += REPORT_SECONDS * fastest(now);
        Allocation allocation = held;
        if (allocation == null || now < allocation.since() + (generation == 1 ? 0 : STALL_SECONDS)) {
            return;
        }
        Configuration configuration = allocation.configuration();
        boolean slow =
                allocation.placement().stream().anyMatch(share -> share.node().equals(SLOW_NODE));
        double lasting = seconds(configuration.slots(), configuration.nodes()) * scenario.lasting(now, LENGTH, slow);
        doneSamples += REPORT_SECONDS * BATCH / lasting;
        double reported = lasting * scenario.passing(now, busyOffset, random);
        SpeedReport report = new SpeedReport(
                TYPE,
                StepShape.ofBatch(configuration.slots(), configuration.nodes(), BATCH, 0, 0),
                reported,
                Math.max(1, Math.round(REPORT_SECONDS / reported)),
                (int) generation);
        if (rule.learn(generation, configuration, report, BATCH)) {
            events.add(now);
        }
    }

    /** Returns the samples per second of the fastest configuration, with the first node used first. */
    private double fastest(double now) {
        return Stream.of(1, 2, 4, 8)
                .mapToDouble(
                        slots -> BATCH / (seconds(slots, slots > 4 ? 2 : 1) * scenario.lasting(now, LENGTH, slots > 4)))
                .max()
                .orElseThrow();
    }

    private static double seconds(int slots, int nodes) {
        return TRUTH.stepSeconds(nodes, slots, (double) BATCH / slots, 0);
    }

    private static Node node(String id) {
        return new Node(
                id,
                "main",
                null,
                TYPE,
                List.of(id + "/0", id + "/1", id + "/2", id + "/3"),
                0,
                0,
                0,
                0,
                NodeState.ACTIVE);
    }
}
