package dev.spur.policies.synergy;

import dev.spur.model.allocation.Configuration;
import dev.spur.model.allocation.HostGrant;
import dev.spur.model.cluster.Node;
import dev.spur.model.job.HostDemand;
import dev.spur.model.job.JobSpec;
import dev.spur.model.performance.HostLevel;
import dev.spur.model.performance.HostSensitivity;
import dev.spur.policies.support.RoundView;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What jobs want of the hosts, and what they may count on: the share of each slot is what a node has by its slots, on
 * the node of the pool and type that has least.
 */
final class HostRequests {
    private static final double TOLERANCE = 1e-9;
    private static final Comparator<HostLevel> FASTEST_THEN_LEAST = Comparator.comparingDouble(HostLevel::speed)
            .reversed()
            .thenComparingDouble(HostLevel::cpusPerSlot)
            .thenComparingDouble(HostLevel::memoryGiBPerSlot);

    private record Place(String pool, String type) {}

    private final RoundView snapshot;
    private final Map<Place, HostDemand> shares = new HashMap<>();

    HostRequests(RoundView snapshot) {
        this.snapshot = snapshot;
        for (Node node : snapshot.hardware().nodes()) {
            String type = node.acceleratorType();
            if (type != null && node.slots() > 0) {
                HostDemand own = new HostDemand(node.cpus() / node.slots(), node.memoryGiB() / node.slots());
                shares.merge(new Place(node.pool(), type), own, HostRequests::lesser);
            }
        }
    }

    private static HostDemand lesser(HostDemand a, HostDemand b) {
        return new HostDemand(
                Math.min(a.cpusPerSlot(), b.cpusPerSlot()), Math.min(a.memoryGiBPerSlot(), b.memoryGiBPerSlot()));
    }

    /** What job {@code j} wants on {@code type} in {@code pool}. */
    HostRequest of(int j, String pool, String type) {
        List<HostLevel> levels = levels(j);
        HostDemand share = shares.getOrDefault(new Place(pool, type), HostDemand.NONE);
        Optional<HostLevel> fair = levels.stream()
                .filter(level -> level.cpusPerSlot() <= share.cpusPerSlot() + TOLERANCE
                        && level.memoryGiBPerSlot() <= share.memoryGiBPerSlot() + TOLERANCE)
                .min(FASTEST_THEN_LEAST);
        HostLevel best = levels.stream().min(FASTEST_THEN_LEAST).orElseThrow();
        return fair.map(floor -> new HostRequest(best, floor, true))
                .orElseGet(() -> new HostRequest(stated(j), stated(j), false));
    }

    /** What job {@code j} may be granted, what it states included. */
    List<HostLevel> levels(int j) {
        HostSensitivity sensitivity = spec(j).hostSensitivity();
        return sensitivity == null ? List.of(stated(j)) : sensitivity.levels();
    }

    /** What job {@code j} has in {@code held}. */
    HostLevel in(int j, Configuration held) {
        HostDemand taken = spec(j).hostIn(held);
        double speed = spec(j).hostSpeed(held);
        // a level may have been taken from the job's request while it held it
        return new HostLevel(taken.cpusPerSlot(), taken.memoryGiBPerSlot(), speed > 0 ? speed : 1);
    }

    /** What is to be written of {@code level}: null if job {@code j} states it. */
    @Nullable
    HostGrant grant(int j, HostLevel level) {
        return level.cpusPerSlot() == spec(j).host().cpusPerSlot()
                        && level.memoryGiBPerSlot() == spec(j).host().memoryGiBPerSlot()
                ? null
                : new HostGrant(level.cpusPerSlot(), level.memoryGiBPerSlot());
    }

    private HostLevel stated(int j) {
        return new HostLevel(spec(j).host().cpusPerSlot(), spec(j).host().memoryGiBPerSlot(), 1);
    }

    private JobSpec spec(int j) {
        return snapshot.job(j).spec();
    }
}
