package dev.spur.simulator.experiment;

import dev.spur.model.objective.ObjectiveKind;
import dev.spur.model.round.SolveBudget;
import dev.spur.simulator.cluster.ClusterFile;
import dev.spur.simulator.cluster.NodeKind;
import dev.spur.simulator.trace.synthetic.ArrivalProcess;
import dev.spur.simulator.trace.synthetic.DurationDistribution;
import dev.spur.simulator.trace.synthetic.JobStyle;
import dev.spur.simulator.trace.synthetic.SlotDistribution;
import dev.spur.simulator.trace.synthetic.SyntheticSettings;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Predefined experiments. */
public final class Experiments {
    private static final List<Double> LOADS = List.of(0.5, 0.75, 1.0, 1.25, 1.5, 1.75, 2.0);
    private static final String SPUR = "spur";
    private static final double ROUND_SECONDS = 60;
    private static final double SYNERGY_ROUND_SECONDS = 300;
    private static final double GAP = 0.01;
    /**
     * Solve budget: decides rounds of these sizes within some tenths of a second, with the same plans on every machine.
     */
    private static final SolveBudget BUDGET = new SolveBudget(0.05, 600, 1, 1);

    /** Load at which the jobs of {@link #tiresias} arrive about every 30 s. */
    private static final double EVERY_30_SECONDS = 2.16;

    private static final List<Experiment> ALL = List.of(
            hu(),
            saxena("saxena", "drawn from a range", JobStyle.BATCH_RANGE),
            saxena("saxena-smallest", "the smallest of a range", JobStyle.SMALLEST_BATCH),
            tiresias(),
            synergy());

    private Experiments() {}

    /** Returns all experiments; their names are unique. */
    public static List<Experiment> all() {
        return ALL;
    }

    /** Returns the experiment {@code name}; empty if it does not exist. */
    public static Optional<Experiment> of(String name) {
        return ALL.stream().filter(experiment -> experiment.name().equals(name)).findFirst();
    }

    private static Experiment hu() {
        return new Experiment(
                "hu",
                "Does an optimization over the progress of all jobs start jobs sooner and waste fewer slots than a greedy allocator"
                        + " (Hu et al., arXiv 2109.03389)?",
                new ClusterFile(List.of(NodeKind.of("V100", 16, 4))),
                new SyntheticSettings(
                        150,
                        1,
                        ArrivalProcess.POISSON,
                        SlotDistribution.GAVEL,
                        DurationDistribution.TIRESIAS,
                        JobStyle.RANGED),
                LOADS,
                List.of(
                        Variant.of("eta-greedy"),
                        Variant.of("eta-mip"),
                        Variant.of("eta-mip-remaining"),
                        Variant.of("eta-mip-rate"),
                        Variant.of(SPUR)),
                List.of(
                        ReplayMetric.QUEUEING,
                        ReplayMetric.TRAINING,
                        ReplayMetric.EFFICIENCY,
                        ReplayMetric.MEAN_JCT,
                        ReplayMetric.P99_JCT,
                        ReplayMetric.RESTARTS,
                        ReplayMetric.DECISION),
                ROUND_SECONDS,
                GAP,
                BUDGET);
    }

    private static Experiment saxena(String name, String batches, JobStyle style) {
        return new Experiment(
                name,
                "How much does joint selection of batch sizes and slots gain over the same scaler with the users' batch sizes,"
                        + " here %s (Saxena et al., arXiv 2006.13878)?".formatted(batches),
                new ClusterFile(List.of(NodeKind.of("V100", 10, 4))),
                new SyntheticSettings(
                        300, 1, ArrivalProcess.POISSON, SlotDistribution.SINGLE, DurationDistribution.TIRESIAS, style),
                LOADS,
                List.of(
                        Variant.of("elastic-fixed-batch"),
                        Variant.of("elastic-batch"),
                        Variant.of("elastic-batch-cut"),
                        Variant.of(SPUR)),
                List.of(
                        ReplayMetric.ENDED_BY_LAST_ARRIVAL,
                        ReplayMetric.MEAN_JCT,
                        ReplayMetric.P99_JCT,
                        ReplayMetric.QUEUEING,
                        ReplayMetric.EFFICIENCY,
                        ReplayMetric.RESTARTS,
                        ReplayMetric.DECISION),
                ROUND_SECONDS,
                GAP,
                BUDGET);
    }

    private static Experiment tiresias() {
        return new Experiment(
                "tiresias",
                "How much sooner do jobs complete under least attained service than under FIFO (Gu et al., NSDI '19)?",
                new ClusterFile(List.of(NodeKind.of("P100", 15, 4))),
                new SyntheticSettings(
                        480,
                        EVERY_30_SECONDS,
                        ArrivalProcess.POISSON,
                        SlotDistribution.TIRESIAS,
                        DurationDistribution.TIRESIAS,
                        JobStyle.RIGID),
                List.of(EVERY_30_SECONDS),
                List.of(
                        new Variant("yarn-cs", "fifo", null),
                        Variant.of("2d-las-short"),
                        Variant.of("2d-gittins-short"),
                        Variant.of("srtf"),
                        Variant.of(SPUR),
                        new Variant("spur-blind", SPUR, ObjectiveKind.LEAST_ATTAINED_SERVICE)),
                List.of(
                        ReplayMetric.MEAN_JCT,
                        ReplayMetric.P99_JCT,
                        ReplayMetric.QUEUEING,
                        ReplayMetric.RESTARTS,
                        ReplayMetric.WORST_FAIRNESS,
                        ReplayMetric.DECISION),
                ROUND_SECONDS,
                GAP,
                BUDGET);
    }

    private static Experiment synergy() {
        List<Variant> variants = Stream.concat(
                        Stream.of("fifo", "srtf")
                                .flatMap(order -> Stream.of("proportional-", "synergy-tune-", "synergy-opt-")
                                        .map(shares -> Variant.of(shares + order))),
                        Stream.of(Variant.of(SPUR)))
                .toList();
        return new Experiment(
                "synergy",
                "How much sooner do jobs complete if host CPUs go to the jobs that benefit, instead of in proportion to slots, where half"
                        + " of the jobs benefit (Mohan et al., OSDI '22)?",
                new ClusterFile(List.of(new NodeKind("V100", 4, 8, null, 24.0, 500.0, null, null, null, null, null))),
                new SyntheticSettings(
                        400,
                        1,
                        ArrivalProcess.POISSON,
                        SlotDistribution.GAVEL,
                        DurationDistribution.GAVEL,
                        JobStyle.RIGID,
                        0.5),
                List.of(0.75, 1.0, 1.25, 1.5),
                variants,
                List.of(
                        ReplayMetric.MEAN_JCT,
                        ReplayMetric.P99_JCT,
                        ReplayMetric.QUEUEING,
                        ReplayMetric.TRAINING,
                        ReplayMetric.RESTARTS,
                        ReplayMetric.DECISION),
                SYNERGY_ROUND_SECONDS,
                GAP,
                BUDGET);
    }
}
