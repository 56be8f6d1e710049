package dev.spur.service.connectors;

import dev.spur.connectors.JobAnnotation;
import dev.spur.connectors.JobAnnotation.Range;
import dev.spur.connectors.PlatformJob;
import dev.spur.connectors.PlatformNode;
import dev.spur.connectors.PlatformText;
import dev.spur.model.cluster.Node;
import dev.spur.model.cluster.NodePreference;
import dev.spur.model.cluster.NodeRequirement;
import dev.spur.model.cluster.TopologyLevel;
import dev.spur.model.job.BatchLimits;
import dev.spur.model.job.DependencyCondition;
import dev.spur.model.job.Elasticity;
import dev.spur.model.job.HostDemand;
import dev.spur.model.job.JobSpec;
import dev.spur.model.job.Synchronization;
import dev.spur.model.job.TimeLimit;
import dev.spur.model.job.TopologyRequest;
import dev.spur.model.job.Work;
import dev.spur.model.job.WorkUnit;
import dev.spur.model.performance.EfficiencyPoint;
import dev.spur.model.performance.HostLevel;
import dev.spur.model.performance.HostSensitivity;
import dev.spur.model.performance.ProfilePoint;
import dev.spur.model.performance.StatisticalEfficiency;
import dev.spur.model.performance.SyncStrategy;
import dev.spur.model.performance.ThroughputProfile;
import dev.spur.service.jobs.StatedDependency;
import dev.spur.service.jobs.lifecycle.JobSubmission.TrainingSubmission;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Translator of a platform's job into a submission. A job with a family is planned with the knowledge of the family.
 * Any other job is planned with its requested slots for its time limit.
 */
final class JobTranslator {
    /** Rate of a job without stated work: its work is then its time limit. */
    private static final double SAMPLES_PER_SECOND = 1;

    private final String connector;
    private final String tenant;
    private final double limitSeconds;
    private final double restartSeconds;
    private final boolean aggregates;

    /** For a platform without aggregators. */
    JobTranslator(String connector, String tenant, double limitSeconds, double restartSeconds) {
        this(connector, tenant, limitSeconds, restartSeconds, false);
    }

    /** @param aggregates whether the platform runs aggregators */
    JobTranslator(String connector, String tenant, double limitSeconds, double restartSeconds, boolean aggregates) {
        this.connector = connector;
        this.tenant = tenant;
        this.limitSeconds = limitSeconds;
        this.restartSeconds = restartSeconds;
        this.aggregates = aggregates;
    }

    /** A job that cannot be imported, with the reason for its owner. */
    static final class UntranslatableJobException extends Exception {
        private static final long serialVersionUID = 1;

        UntranslatableJobException(String reason) {
            super(reason);
        }
    }

    /** Returns the submission of a job. */
    TrainingSubmission of(PlatformJob job, List<PlatformNode> nodes) throws UntranslatableJobException {
        List<PlatformNode> pool = nodes.stream()
                .filter(node -> pools(job).contains(node.pool())
                        && node.slots() > 0
                        && !job.nodes().excluded().contains(node.name()))
                .toList();
        int largest = pool.stream().mapToInt(PlatformNode::slots).max().orElse(0);
        if (largest == 0) {
            throw new UntranslatableJobException("no node of pool %s has GPUs that Spur plans".formatted(job.pool()));
        }
        if (pools(job).size() > 1 && pool.stream().anyMatch(node -> node.slots() != largest)) {
            throw new UntranslatableJobException("the nodes of pools %s are not all of one size".formatted(pools(job)));
        }
        return new TrainingSubmission(
                job.annotation().value("tenant").orElse(tenant),
                PlatformText.clean(job.owner()),
                PlatformText.clean(job.name()),
                connector + "/" + job.id(),
                Map.of("connector", connector),
                job.annotation().has("family") || job.annotation().has("speeds")
                        ? trainingSpec(job, pool, largest)
                        : fixedSpec(job, pool, largest),
                null,
                job.annotation().value("deadline").map(Instant::parse).orElse(null),
                true,
                null,
                job.annotation().names("after").stream()
                        .map(id -> StatedDependency.onJob(id, DependencyCondition.SUCCEEDED))
                        .toList());
    }

    private JobSpec trainingSpec(PlatformJob job, List<PlatformNode> pool, int largest)
            throws UntranslatableJobException {
        JobAnnotation annotation = job.annotation();
        Range batch = annotation
                .range("batch")
                .orElseThrow(() -> new UntranslatableJobException(subjectOf(annotation) + " batch"));
        String samples = annotation
                .value("samples")
                .orElseThrow(() -> new UntranslatableJobException(subjectOf(annotation) + " samples"));
        Range gpus = annotation
                .range("gpus")
                .orElse(new Range(job.requested().slots(), job.requested().slots()));
        return spec(
                job,
                new Work(WorkUnit.SAMPLES, Double.parseDouble(samples), null),
                elasticity(job, gpus, largest, slotsInAll(pool)),
                batch(annotation, batch, Math.min(gpus.max(), slotsInAll(pool))),
                synchronization(annotation, gpus),
                new ThroughputProfile(points(annotation, pool, largest), List.of()));
    }

    /**
     * Returns the batch sizes. A job that cannot be started with another one has the initial one only. For any other
     * job, a single size is the initial one, up to what the devices hold in one pass.
     */
    private static BatchLimits batch(JobAnnotation annotation, Range batch, int slots) {
        boolean range = annotation.value("batch").orElse("").contains("-");
        int share = annotation.speeds().stream()
                .mapToInt(speed -> (speed.batch() + speed.slots() - 1) / speed.slots())
                .max()
                .orElse(batch.max());
        int perDevice = annotation.value("device-batch").map(Integer::parseInt).orElse(range ? batch.max() : share);
        int max = range ? batch.max() : BatchLimits.defaultMax(batch.min(), perDevice, slots);
        if (!annotation.has(JobAnnotation.ELASTIC_BATCH)) {
            max = batch.min();
        }
        return new BatchLimits(batch.min(), batch.min(), max, perDevice, Map.of(), true);
    }

    private static StatisticalEfficiency efficiency(JobAnnotation annotation) {
        List<EfficiencyPoint> table = annotation.efficiency().entrySet().stream()
                .map(point -> new EfficiencyPoint(point.getKey(), point.getValue()))
                .toList();
        return new StatisticalEfficiency(annotation.has("noise") ? annotation.number("noise") : null, table);
    }

    private static String subjectOf(JobAnnotation annotation) {
        return annotation.has("family") ? "family needs" : "speeds need";
    }

    /**
     * Returns the synchronization. A job that states the bytes sent by its workers, or a number of aggregation slots,
     * may use parameter servers.
     */
    private Synchronization synchronization(JobAnnotation annotation, Range gpus) throws UntranslatableJobException {
        if (!annotation.has("gradients") && !annotation.has("aggregation")) {
            if (annotation.speeds().stream().anyMatch(speed -> speed.aggregation() > 0)) {
                throw new UntranslatableJobException("speeds with aggregation slots need gradients or aggregation");
            }
            return Synchronization.allReduceOnly();
        }
        if (!aggregates) {
            throw new UntranslatableJobException("connector %s runs no aggregators".formatted(connector));
        }
        Range slots = annotation.range("aggregation").orElse(new Range(1, gpus.max()));
        return new Synchronization(
                true,
                true,
                slots.min(),
                slots.max(),
                annotation.value("gradients").map(Double::valueOf).orElse(null));
    }

    private static List<ProfilePoint> points(JobAnnotation annotation, List<PlatformNode> pool, int largest) {
        return types(pool).stream()
                .flatMap(type -> annotation.speeds().stream()
                        .map(speed -> new ProfilePoint(
                                type,
                                speed.slots(),
                                (speed.slots() + largest - 1) / largest,
                                speed.batch(),
                                speed.aggregation() > 0 ? SyncStrategy.PARAMETER_SERVER : SyncStrategy.ALL_REDUCE,
                                speed.aggregation(),
                                speed.samplesPerSecond())))
                .toList();
    }

    private static Set<String> types(List<PlatformNode> pool) {
        Set<String> types = new TreeSet<>();
        pool.forEach(node -> types.add(String.valueOf(node.acceleratorType())));
        return types;
    }

    private JobSpec fixedSpec(PlatformJob job, List<PlatformNode> pool, int largest) throws UntranslatableJobException {
        JobAnnotation annotation = job.annotation();
        if (annotation.has("gradients") || annotation.has("aggregation")) {
            throw new UntranslatableJobException("gradients and aggregation need family or speeds");
        }
        if (annotation.has("gpus") || annotation.has("batch") || annotation.has("samples")) {
            throw new UntranslatableJobException("gpus, batch and samples need family");
        }
        if (annotation.has(JobAnnotation.ELASTIC_BATCH)) {
            throw new UntranslatableJobException("elastic-batch needs family");
        }
        if (annotation.has(JobAnnotation.HOST_LEVELS)) {
            throw new UntranslatableJobException("host-levels need family");
        }
        if (annotation.has("device-batch") || annotation.has("noise") || annotation.has("efficiency")) {
            throw new UntranslatableJobException("device-batch, noise and efficiency need family");
        }
        int slots = job.requested().slots();
        int nodes = (slots + largest - 1) / largest;
        List<ProfilePoint> points = types(pool).stream()
                .map(type -> ProfilePoint.allReduce(type, slots, nodes, slots, SAMPLES_PER_SECOND))
                .toList();
        double seconds = job.secondsLimit().orElse(limitSeconds);
        return spec(
                job,
                new Work(WorkUnit.SAMPLES, seconds * SAMPLES_PER_SECOND, null),
                elasticity(job, new Range(slots, slots), largest, slotsInAll(pool)),
                BatchLimits.ofBatch(slots),
                Synchronization.allReduceOnly(),
                new ThroughputProfile(points, List.of()));
    }

    private JobSpec spec(
            PlatformJob job,
            Work work,
            Elasticity elasticity,
            BatchLimits batch,
            Synchronization synchronization,
            ThroughputProfile profile)
            throws UntranslatableJobException {
        JobAnnotation annotation = job.annotation();
        HostSensitivity sensitivity = hostSensitivity(annotation);
        JobSpec spec = new JobSpec(
                work,
                elasticity,
                batch,
                synchronization,
                efficiency(annotation),
                profile,
                new HostDemand(annotation.number("cpus"), annotation.number("memory")),
                restartSeconds
                        + annotation.signal().map(JobAnnotation.Signal::seconds).orElse(0),
                0,
                !annotation.has("fixed"),
                1,
                annotation.value("priority").map(Integer::parseInt).orElse(0),
                annotation.value("group").orElse(null),
                annotation.value("family").orElse(null));
        HostDemand demand = sensitivity == null ? spec.host() : demandOfSpeed1(sensitivity);
        return spec.edit()
                .host(demand, sensitivity)
                .timeLimit(job.secondsLimit().map(TimeLimit::ofStart).orElse(null))
                .build();
    }

    /** Returns the levels that the platform grants at each start; null if the job states none. */
    private static @Nullable HostSensitivity hostSensitivity(JobAnnotation annotation)
            throws UntranslatableJobException {
        if (!annotation.has(JobAnnotation.HOST_LEVELS)) {
            return null;
        }
        try {
            return new HostSensitivity(annotation.hostSpeeds().stream()
                            .map(level -> new HostLevel(level.cpus(), level.memoryGiB(), level.speed()))
                            .toList())
                    .atStart();
        } catch (IllegalArgumentException invalid) {
            throw new UntranslatableJobException("host-levels: " + invalid.getMessage());
        }
    }

    private static HostDemand demandOfSpeed1(HostSensitivity sensitivity) throws UntranslatableJobException {
        return sensitivity.levels().stream()
                .filter(level -> level.speed() == 1)
                .min(Comparator.comparingDouble(HostLevel::cpusPerSlot)
                        .thenComparingDouble(HostLevel::memoryGiBPerSlot))
                .map(HostDemand::of)
                .orElseThrow(() -> new UntranslatableJobException("host-levels need a level of speed 1"));
    }

    /**
     * On one node any number of units is possible; on several only whole nodes, since the platform gives each node of a
     * job equally many. Nodes that its units do not fill are not whole.
     */
    private static @Nullable TopologyRequest topology(JobAnnotation annotation) {
        Optional<String> required = annotation.value(JobAnnotation.WITHIN);
        return required.or(() -> annotation.value(JobAnnotation.PREFER_WITHIN))
                .map(level -> new TopologyRequest(
                        TopologyLevel.valueOf(level.toUpperCase(Locale.ROOT)),
                        required.isPresent() ? TopologyRequest.Policy.REQUIRE : TopologyRequest.Policy.PREFER,
                        null))
                .orElse(null);
    }

    private static Elasticity elasticity(PlatformJob job, Range gpus, int largest, int all)
            throws UntranslatableJobException {
        List<Integer> counts = IntStream.rangeClosed(gpus.min(), Math.min(gpus.max(), all))
                .filter(slots -> slots % job.unit() == 0)
                .filter(slots -> slots <= largest || (slots % largest == 0 && largest % job.unit() == 0))
                .boxed()
                .toList();
        if (counts.isEmpty()) {
            throw new UntranslatableJobException(
                    "no number of GPUs from %d to %d fits one node of pool %s or fills several"
                            .formatted(gpus.min(), gpus.max(), job.pool()));
        }
        return onNodes(job, new Elasticity(List.of(), pools(job), gpus.min(), gpus.max(), false, counts, null, true))
                .withTopology(topology(job.annotation()));
    }

    /** Returns {@code elasticity} on the nodes that the request of a job excludes and prefers. */
    static Elasticity onNodes(PlatformJob job, Elasticity elasticity) {
        List<NodeRequirement> preferred =
                requirements(NodeRequirement.Operator.IN, job.nodes().preferred());
        return elasticity
                .withNodes(requirements(
                        NodeRequirement.Operator.NOT_IN, job.nodes().excluded()))
                .withPreferredNodes(preferred.isEmpty() ? null : new NodePreference(preferred, null));
    }

    private static List<NodeRequirement> requirements(NodeRequirement.Operator operator, List<String> nodes) {
        return nodes.isEmpty() ? List.of() : List.of(new NodeRequirement(Node.OWN_LABELS + "node", operator, nodes));
    }

    private static List<String> pools(PlatformJob job) {
        List<String> described = job.annotation().names("pools");
        return described.isEmpty() ? List.of(job.pool()) : described;
    }

    private static int slotsInAll(List<PlatformNode> pool) {
        return pool.stream().mapToInt(PlatformNode::slots).sum();
    }
}
