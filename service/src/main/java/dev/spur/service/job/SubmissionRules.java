package dev.spur.service.job;

import dev.spur.model.job.BatchLimits;
import dev.spur.model.job.Elasticity;
import dev.spur.model.job.JobSpec;
import dev.spur.model.performance.ProfilePoint;
import dev.spur.model.performance.SyncStrategy;
import dev.spur.service.job.ClusterInventory.Place;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Finds what can never run. Each place, that is devices of one type in one pool, is looked at as if it were empty; a
 * job that fits one of them may wait. What is refused here no round could ever start; the reverse is not claimed.
 */
final class SubmissionRules {
    private final ClusterInventory hardware;
    private final String tenant;
    private final JobSpec spec;

    private SubmissionRules(ClusterInventory hardware, String tenant, JobSpec spec) {
        this.hardware = hardware;
        this.tenant = tenant;
        this.spec = spec;
    }

    /** Why a job of {@code tenant} can never run on {@code hardware}, by place; empty if it can. */
    static List<String> reasonsAgainst(ClusterInventory hardware, String tenant, JobSpec spec) {
        return new SubmissionRules(hardware, tenant, spec).reasons();
    }

    private List<String> reasons() {
        List<Place> places = new ArrayList<>();
        hardware.places().forEach(place -> {
            if (isAllowed(place)) {
                places.add(place);
            }
        });
        if (places.isEmpty()) {
            return List.of(nowhere());
        }
        Set<String> reasons = new LinkedHashSet<>();
        for (Place place : places) {
            String reason = reasonAgainst(place);
            if (reason.isEmpty()) {
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
                && spec.profile().acceleratorTypes().contains(place.type());
    }

    private String nowhere() {
        Elasticity elasticity = spec.elasticity();
        String types = spec.profile().acceleratorTypes().stream()
                .filter(elasticity::allowsType)
                .collect(Collectors.joining(", "));
        String pools = elasticity.pools().isEmpty() ? "any pool" : "pool " + String.join(", ", elasticity.pools());
        return types.isEmpty()
                ? "The profile speaks of no accelerator type that elasticity allows."
                : "No node in %s has devices of type %s.".formatted(pools, types);
    }

    /** Empty if the job fits there. */
    private String reasonAgainst(Place place) {
        Elasticity elasticity = spec.elasticity();
        int most = hardware.mostSlots(place, elasticity.maxNodes(), spec.host());
        int fewest = fewest(elasticity, Integer.MAX_VALUE, 1);
        if (fewest == 0) {
            return "Elasticity allows no number of slots.";
        }
        if (fewest > most) {
            return "It needs at least %d %s; at most %d can be had together%s."
                    .formatted(fewest, place.words(), most, limits(elasticity));
        }
        int allowed = hardware.quota(tenant, place.type());
        if (fewest > allowed) {
            return "It needs at least %d %s; quotas let a job of tenant %s have at most %d."
                    .formatted(fewest, place.words(), tenant, allowed);
        }
        int capped = hardware.groupCap(spec.group());
        if (fewest > capped) {
            return "It needs at least %d %s; its group %s may hold at most %d slots."
                    .formatted(fewest, place.words(), spec.group(), capped);
        }
        if (!someBatchFits(place, Math.min(most, Math.min(allowed, capped)))) {
            BatchLimits batch = spec.plannedBatch();
            return "No batch size from %d to %d divides into equal shares that fit the memory of the %s that it may have."
                    .formatted(batch.min(), batch.max(), place.words());
        }
        return strategyFits(place, fewest);
    }

    private String limits(Elasticity elasticity) {
        String nodes = elasticity.maxNodes() == null ? "" : " on " + elasticity.maxNodes() + " nodes";
        boolean host = spec.host().cpusPerSlot() > 0 || spec.host().memoryGiBPerSlot() > 0;
        return nodes + (host ? ", each slot with its host CPUs and memory" : "");
    }

    private boolean someBatchFits(Place place, int most) {
        BatchLimits batch = spec.plannedBatch();
        int slots = fewest(spec.elasticity(), most, 1);
        while (slots > 0) {
            if (batch.fits(place.type(), slots)) {
                return true;
            }
            slots = fewest(spec.elasticity(), most, slots + 1);
        }
        return false;
    }

    /** The fewest allowed slots from {@code from} to {@code most}; 0 if there are none. */
    private static int fewest(Elasticity elasticity, int most, int from) {
        int last = Math.min(most, elasticity.maxSlots());
        for (int slots = Math.max(from, elasticity.minSlots()); slots <= last; slots++) {
            if (elasticity.allowsCount(slots)) {
                return slots;
            }
        }
        return 0;
    }

    private String strategyFits(Place place, int fewest) {
        boolean couldReduce = spec.synchronization().allReduce() && runsWith(place, SyncStrategy.ALL_REDUCE);
        boolean reduces = couldReduce && hardware.reducesOn(place, fewest);
        boolean serves = spec.synchronization().parameterServer() && runsWith(place, SyncStrategy.PARAMETER_SERVER);
        if (couldReduce && !reduces && !serves) {
            return "It needs at least %d %s; so many do not sum gradients among themselves."
                    .formatted(fewest, place.words());
        }
        if (!reduces && !serves) {
            return "The profile knows no speed above 0 of an allowed strategy on type %s.".formatted(place.type());
        }
        double free = hardware.aggregationSlots(place.pool());
        double needed = spec.synchronization().minAggregationSlots();
        if (!reduces && (free <= 0 || needed > free)) {
            return "It needs at least %s aggregation slots in pool %s, which has %s."
                    .formatted(needed, place.pool(), free);
        }
        return "";
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
