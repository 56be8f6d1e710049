package dev.spur.service.jobs.lifecycle;

import dev.spur.model.cluster.Node;
import dev.spur.model.cluster.NodeRequirement;
import dev.spur.model.dataprep.PreparationSpec;
import dev.spur.model.job.BatchLimits;
import dev.spur.model.job.Elasticity;
import dev.spur.model.job.JobSpec;
import dev.spur.model.job.TopologyRequest;
import dev.spur.model.performance.ProfilePoint;
import dev.spur.model.performance.SyncStrategy;
import dev.spur.service.jobs.lifecycle.ClusterInventory.Place;
import dev.spur.solver.explain.BatchSizeMessages;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Detects jobs that can never run. Each place (devices of one type in one pool) is evaluated as if it were idle; a job
 * that fits one of them is accepted. The rules are sound but not complete: no round could start a job that they reject,
 * but they may accept a job that no round can start.
 */
final class SubmissionRules {
    private final ClusterInventory hardware;
    private final String tenant;
    private final JobSpec spec;
    private final BooleanSupplier nonPreemptibleWithinNominal;

    private SubmissionRules(
            ClusterInventory hardware, String tenant, JobSpec spec, BooleanSupplier nonPreemptibleWithinNominal) {
        this.hardware = hardware;
        this.tenant = tenant;
        this.spec = spec;
        this.nonPreemptibleWithinNominal = nonPreemptibleWithinNominal;
    }

    /**
     * Reasons why a job of {@code tenant} can never run on {@code hardware}, one for each place; empty if it can run.
     *
     * @param nonPreemptibleWithinNominal whether a job that is not preemptible starts only within nominal quotas; asked
     *     only if that matters
     */
    static List<Obstacle> reasonsAgainst(
            ClusterInventory hardware, String tenant, JobSpec spec, BooleanSupplier nonPreemptibleWithinNominal) {
        return new SubmissionRules(hardware, tenant, spec, nonPreemptibleWithinNominal).reasons();
    }

    /** Reasons why a data preparation can never run on {@code hardware}; empty if a node could hold it while idle. */
    static List<Obstacle> reasonsAgainst(ClusterInventory hardware, PreparationSpec spec) {
        List<Node> allowed = hardware.hosts().stream()
                .filter(node -> spec.mayUse(node.pool()))
                .toList();
        if (allowed.isEmpty()) {
            return List.of(Obstacle.ofHardware(
                    spec.pools().isEmpty() ? "There are no nodes." : "There is no node in " + spec.pools() + "."));
        }
        boolean fits =
                allowed.stream().anyMatch(node -> node.cpus() >= spec.cpus() && node.memoryGiB() >= spec.minLocalGiB());
        return fits
                ? List.of()
                : List.of(Obstacle.ofHardware("It requires a node with at least %s host CPUs and %d GiB; there is none."
                        .formatted(spec.cpus(), spec.minLocalGiB())));
    }

    private List<Obstacle> reasons() {
        List<Place> places = new ArrayList<>();
        hardware.places().forEach(place -> {
            if (isAllowed(place)) {
                places.add(place);
            }
        });
        if (places.isEmpty()) {
            return List.of(noPlaceReason());
        }
        Set<Obstacle> reasons = new LinkedHashSet<>();
        for (Place place : places) {
            Obstacle reason = reasonAgainst(place);
            if (reason == null) {
                return List.of();
            }
            reasons.add(reason);
        }
        return List.copyOf(reasons);
    }

    private boolean isAllowed(Place place) {
        Elasticity elasticity = spec.elasticity();
        return elasticity.allowsPool(place.pool())
                && elasticity.allowsType(place.type())
                && spec.profile().acceleratorTypes().contains(place.type())
                && hardware.hasNodeFor(place, elasticity);
    }

    private Obstacle noPlaceReason() {
        Elasticity elasticity = spec.elasticity();
        Set<String> desired = new TreeSet<>(elasticity.acceleratorTypes());
        if (desired.isEmpty()) {
            desired.addAll(spec.profile().acceleratorTypes());
        }
        String types = desired.isEmpty() ? "of a known type" : "of type " + String.join(" or ", desired);
        String pools = elasticity.pools().isEmpty() ? "any pool" : "pool " + String.join(" or ", elasticity.pools());
        boolean isOpen = false;
        boolean meets = false;
        boolean shares = elasticity.deviceShare() == null;
        int largest = 0;
        for (Place place : hardware.places()) {
            if (elasticity.allowsType(place.type()) && elasticity.allowsPool(place.pool())) {
                isOpen = true;
                meets |= hardware.hasNodeFor(place, elasticity);
                shares |= hardware.sharesDevices(place);
                largest = Math.max(largest, hardware.maxSlots(place, elasticity, spec.hostLevels(), spec.roles()));
            }
        }
        if (isOpen && !shares) {
            return Obstacle.ofHardware(
                    "No node of an allowed pool and type shares its devices, so no job can have a share of %s of one (elasticity.deviceShare). Start agents with --share-gpus, or submit the job for a whole device."
                            .formatted(elasticity.deviceShare()));
        }
        if (isOpen && !meets) {
            return Obstacle.of(
                    "No node of an allowed pool and type meets the requirements in elasticity.nodes: %s."
                            .formatted(NodeRequirement.describe(elasticity.requirements())),
                    "Change them, or the labels of nodes.");
        }
        int minSlots = minAllowed(elasticity, Integer.MAX_VALUE, 1);
        if (largest > 0 && minSlots > largest) {
            String reason = "It requires at least %d devices of one type in one pool; one job can have at most %d%s. %s"
                    .formatted(minSlots, largest, limits(elasticity), registeredTypes());
            return ofLimits(elasticity, reason);
        }
        if (isOpen && !divides(elasticity.counts(largest), spec.plannedBatch())) {
            return notDivisible();
        }
        if (isOpen && desired.isEmpty()) {
            return noSharedBatchReason("devices", spec.plannedBatch().maxPerDevice());
        }
        return isOpen
                ? Obstacle.of(
                        "The profile states no throughput on an allowed accelerator type (%s)."
                                .formatted(String.join(", ", desired)),
                        "Add a point or a family. " + registeredTypes())
                : Obstacle.ofHardware("No node in %s has devices %s. %s".formatted(pools, types, registeredTypes()));
    }

    /** The registered accelerator types with the largest gang of each. */
    private String registeredTypes() {
        Map<String, Integer> largest = new TreeMap<>();
        hardware.places()
                .forEach(place -> largest.merge(
                        place.type(),
                        hardware.maxSlots(place, spec.elasticity(), spec.hostLevels(), spec.roles()),
                        Math::max));
        return largest.isEmpty()
                ? "No node with devices is registered."
                : largest.entrySet().stream()
                        .map(type -> "%s (up to %d per job)".formatted(type.getKey(), type.getValue()))
                        .collect(Collectors.joining(", ", "Registered: ", "."));
    }

    /** The obstacle of a job that needs more slots than it can have: by its own limits, or else by the hardware. */
    private Obstacle ofLimits(Elasticity elasticity, String reason) {
        int minSlots = minAllowed(elasticity, Integer.MAX_VALUE, 1);
        Elasticity open = Elasticity.between(elasticity.minSlots(), elasticity.maxSlots());
        for (Place place : hardware.places()) {
            if (elasticity.allowsType(place.type())
                    && elasticity.allowsPool(place.pool())
                    && hardware.maxSlots(place, open, spec.hostLevels(), spec.roles()) >= minSlots) {
                return Obstacle.of(reason, "Request fewer slots, or change maxNodes, nodes or topology in elasticity.");
            }
        }
        return Obstacle.ofHardware(reason);
    }

    private Obstacle notDivisible() {
        return new Obstacle(false, BatchSizeMessages.notDivisible(spec));
    }

    /** The reason why the job cannot run in the place; null if it can. */
    private @Nullable Obstacle reasonAgainst(Place place) {
        Elasticity elasticity = spec.elasticity();
        int maxSlots = hardware.maxSlots(place, elasticity, spec.hostLevels(), spec.roles());
        int minSlots = minAllowed(elasticity, Integer.MAX_VALUE, 1);
        if (minSlots == 0) {
            return Obstacle.of("Elasticity allows no number of slots.", "Change allowedCounts, minSlots or maxSlots.");
        }
        if (minSlots > maxSlots) {
            return ofLimits(
                    elasticity,
                    "It requires at least %d %s; one job can have at most %d%s."
                            .formatted(minSlots, place.describe(), maxSlots, limits(elasticity)));
        }
        int allowed = hardware.quota(tenant, place.type());
        if (minSlots > allowed) {
            return Obstacle.of(
                    "It requires at least %d %s; quotas limit a job of tenant %s to %d."
                            .formatted(minSlots, place.describe(), tenant, allowed),
                    "Request fewer slots, or let an operator raise the quota.");
        }
        int nominal = spec.preemptible() ? Integer.MAX_VALUE : hardware.nominalQuota(tenant, place.type());
        if (minSlots > nominal && nonPreemptibleWithinNominal.getAsBoolean()) {
            return Obstacle.of(
                    "It requires at least %d %s and is not preemptible, so it cannot borrow; the nominal quota of tenant %s is %d."
                            .formatted(minSlots, place.describe(), tenant, nominal),
                    "Set preemptible to true, request fewer slots, or let an operator raise the nominal quota.");
        }
        int capped = hardware.groupCap(spec.group());
        if (minSlots > capped) {
            return Obstacle.of(
                    "It requires at least %d %s; the cap of its group %s is %d slots."
                            .formatted(minSlots, place.describe(), spec.group(), capped),
                    "Request fewer slots, or raise the cap of the group.");
        }
        if (!someBatchFits(place, Math.min(maxSlots, Math.min(allowed, capped)))) {
            BatchLimits batch = spec.plannedBatch();
            if (!divides(elasticity.counts(Math.min(maxSlots, Math.min(allowed, capped))), batch)) {
                return notDivisible();
            }
            return noSharedBatchReason(
                    place.describe(), batch.maxPerDeviceByType().getOrDefault(place.type(), batch.maxPerDevice()));
        }
        return strategyFits(place, minSlots);
    }

    private Obstacle noSharedBatchReason(String devices, int share) {
        BatchLimits batch = spec.plannedBatch();
        return Obstacle.of(
                "No batch size from %d to %d divides into equal shares of at most %d samples (maxPerDevice) on the %s that the job may use."
                        .formatted(batch.min(), batch.max(), share, devices),
                "Raise maxPerDevice, lower the batch size, or set accumulation to true.");
    }

    private static boolean divides(int[] counts, BatchLimits batch) {
        return Arrays.stream(counts).anyMatch(batch::dividesAmong);
    }

    private String limits(Elasticity elasticity) {
        String nodes = elasticity.maxNodes() == null ? "" : " on " + elasticity.maxNodes() + " nodes";
        String required = elasticity.requirements().isEmpty() ? "" : " on nodes that meet its requirements";
        TopologyRequest topology = elasticity.topology();
        String domain = topology == null || !topology.requiresDomain() ? "" : " within one " + topology.level();
        boolean host = spec.host().cpusPerSlot() > 0 || spec.host().memoryGiBPerSlot() > 0;
        String roles = spec.roles().list().isEmpty() ? "" : ", with its roles";
        return nodes + required + domain + (host ? ", each slot with its host CPUs and memory" : "") + roles;
    }

    private boolean someBatchFits(Place place, int maxSlots) {
        BatchLimits batch = spec.plannedBatch();
        int slots = minAllowed(spec.elasticity(), maxSlots, 1);
        while (slots > 0) {
            if (batch.fits(place.type(), slots)) {
                return true;
            }
            slots = minAllowed(spec.elasticity(), maxSlots, slots + 1);
        }
        return false;
    }

    /** The minimum allowed number of slots from {@code from} to {@code maxSlots}; 0 if there is none. */
    private static int minAllowed(Elasticity elasticity, int maxSlots, int from) {
        int last = Math.min(maxSlots, elasticity.maxSlots());
        for (int slots = Math.max(from, elasticity.minSlots()); slots <= last; slots++) {
            if (elasticity.allowsCount(slots)) {
                return slots;
            }
        }
        return 0;
    }

    private @Nullable Obstacle strategyFits(Place place, int minSlots) {
        boolean couldReduce = spec.synchronization().allReduce() && runsWith(place, SyncStrategy.ALL_REDUCE);
        boolean reduces = couldReduce && hardware.reducesOn(place, minSlots);
        boolean serves = spec.synchronization().parameterServer() && runsWith(place, SyncStrategy.PARAMETER_SERVER);
        if (couldReduce && !reduces && !serves) {
            return Obstacle.of(
                    "It requires at least %d %s; AllReduce is not possible among that many."
                            .formatted(minSlots, place.describe()),
                    "Allow synchronization.parameterServer, or let an operator raise maxAllReduceSlots of the type.");
        }
        if (!reduces && !serves) {
            return Obstacle.of(
                    "The profile has no speed above 0 for an allowed strategy on type %s.".formatted(place.type()),
                    "Add a point, or allow another strategy.");
        }
        double free = hardware.aggregationSlots(place.pool());
        double needed = spec.synchronization().minAggregationSlots();
        if (!reduces && (free <= 0 || needed > free)) {
            return Obstacle.ofHardware("It requires at least %s aggregation slots in pool %s, which has %s."
                    .formatted(needed, place.pool(), free));
        }
        return null;
    }

    private boolean runsWith(Place place, SyncStrategy strategy) {
        String measured = spec.profile().ratios().stream()
                .filter(ratio -> ratio.acceleratorType().equals(place.type()))
                .map(ratio -> ratio.like())
                .findFirst()
                .orElse(place.type());
        for (ProfilePoint point : spec.profile().points()) {
            if (point.strategy() == strategy
                    && point.acceleratorType().equals(measured)
                    && point.samplesPerSecond() > 0) {
                return true;
            }
        }
        return false;
    }
}
