package dev.spur.policies.synergy;

import dev.spur.model.allocation.Configuration;
import dev.spur.model.allocation.HostGrant;
import dev.spur.model.cluster.Node;
import dev.spur.model.job.HostDemand;
import dev.spur.model.job.JobSpec;
import dev.spur.model.performance.HostLevel;
import dev.spur.policies.support.RoundView;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Host requests of jobs and their guaranteed shares. The share of a slot is the resources of a node divided by its
 * slots, on the node of the pool and type with the least.
 */
final class HostRequests {
    private static final double TOLERANCE = 1e-9;
    private static final Comparator<HostLevel> FASTEST_THEN_LEAST = Comparator.comparingDouble(HostLevel::speed)
            .reversed()
            .thenComparingDouble(HostLevel::cpusPerSlot)
            .thenComparingDouble(HostLevel::memoryGiBPerSlot);

    private record Place(String pool, String type) {}

    private final RoundView view;
    private final Map<Place, HostDemand> demands = new HashMap<>();

    HostRequests(RoundView view) {
        this.view = view;
        for (Node node : AggregatorReserve.nodes(view)) {
            String type = node.acceleratorType();
            if (type != null && node.slots() > 0) {
                HostDemand own = new HostDemand(node.cpus() / node.slots(), node.memoryGiB() / node.slots());
                demands.merge(new Place(node.pool(), type), own, HostRequests::min);
            }
        }
    }

    private static HostDemand min(HostDemand a, HostDemand b) {
        return new HostDemand(
                Math.min(a.cpusPerSlot(), b.cpusPerSlot()), Math.min(a.memoryGiBPerSlot(), b.memoryGiBPerSlot()));
    }

    /** Returns the request of job {@code j} on {@code type} in {@code pool}. */
    HostRequest of(int j, String pool, String type) {
        List<HostLevel> levels = levels(j);
        HostDemand demand = demands.getOrDefault(new Place(pool, type), HostDemand.NONE);
        Optional<HostLevel> fair = levels.stream()
                .filter(level -> level.cpusPerSlot() <= demand.cpusPerSlot() + TOLERANCE
                        && level.memoryGiBPerSlot() <= demand.memoryGiBPerSlot() + TOLERANCE)
                .min(FASTEST_THEN_LEAST);
        HostLevel bestLevel = levels.stream().min(FASTEST_THEN_LEAST).orElseThrow();
        return fair.map(floorLevel -> new HostRequest(bestLevel, floorLevel, true))
                .orElseGet(() -> new HostRequest(requestOf(j), requestOf(j), false));
    }

    /**
     * Returns the levels that job {@code j} may be granted, including its stated demand, each with an upper limit of
     * the share of its roles.
     */
    List<HostLevel> levels(int j) {
        return spec(j).hostLevels().stream()
                .map(level -> withRoles(j, HostDemand.of(level), level.speed()))
                .toList();
    }

    private HostLevel withRoles(int j, HostDemand ofRank, double speed) {
        HostDemand demand = ofRank.plus(ofRoles(j));
        return new HostLevel(demand.cpusPerSlot(), demand.memoryGiBPerSlot(), speed);
    }

    private HostDemand ofRoles(int j) {
        return spec(j).roles().maxShare(spec(j).elasticity().minSlots());
    }

    /** Returns the level of job {@code j} in {@code heldConfiguration}. */
    HostLevel in(int j, Configuration heldConfiguration) {
        HostDemand taken = spec(j).hostOfRankIn(heldConfiguration);
        double speed = spec(j).hostSpeed(heldConfiguration);
        // the request may have changed, so that the level no longer exists
        return withRoles(j, taken, speed > 0 ? speed : 1);
    }

    /** Returns the host grant for {@code level}; null if it equals the stated demand of job {@code j}. */
    @Nullable
    HostGrant grant(int j, HostLevel level) {
        int own = levels(j).indexOf(level);
        HostDemand ofRoles = ofRoles(j);
        return own >= 0
                ? spec(j).grant(spec(j).hostLevels().get(own))
                : new HostGrant(
                        level.cpusPerSlot() - ofRoles.cpusPerSlot(),
                        level.memoryGiBPerSlot() - ofRoles.memoryGiBPerSlot());
    }

    private HostLevel requestOf(int j) {
        return withRoles(j, spec(j).host(), 1);
    }

    private JobSpec spec(int j) {
        return view.job(j).spec();
    }
}
