package dev.spur.solver.relaxation;

import dev.spur.model.job.Elasticity;
import dev.spur.solver.candidate.HostLimits;
import dev.spur.solver.resource.DeviceFills;
import dev.spur.solver.resource.DeviceFills.Fill;
import dev.spur.solver.resource.NodeShareKind;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

/**
 * Shares of devices of a class that are cut in a second level: nodes are cut into devices among other pieces, and
 * devices into shares. It gives the same bound as patterns of nodes with all shares, with far fewer patterns.
 *
 * @param kinds kinds of shares
 * @param device kind of a free device
 * @param fills what one free device is cut into: nothing, or a fill, which uses the device; the device is the last kind
 */
record SharedKinds(List<NodeShareKind> kinds, NodeShareKind device, List<int[]> fills) {
    /** Number of fills above which each node is cut into its shares. */
    private static final int MAX_FILLS = 2_000;

    /** Returns the shares among {@code usedKinds}; empty without any, if hosts bind, or if their access differs. */
    static Optional<SharedKinds> of(HostLimits limits, Collection<NodeShareKind> usedKinds) {
        List<NodeShareKind> kinds =
                usedKinds.stream().filter(kind -> !kind.isWhole()).toList();
        boolean isOneAccess =
                kinds.stream().map(NodeShareKind::access).distinct().count() == 1;
        if (!isOneAccess || limits.cpus() || limits.memory()) {
            return Optional.empty();
        }
        List<Fill> all = DeviceFills.of(kinds, kind -> true, Elasticity.PARTS, MAX_FILLS);
        if (all.size() > MAX_FILLS) {
            return Optional.empty();
        }
        List<int[]> fills = new ArrayList<>(List.of(new int[kinds.size() + 1]));
        for (Fill fill : all) {
            int[] counts = Arrays.copyOf(fill.counts(), kinds.size() + 1);
            counts[kinds.size()] = -1;
            fills.add(counts);
        }
        return Optional.of(
                new SharedKinds(kinds, NodeShareKind.ofDevice(kinds.get(0).access()), fills));
    }

    /** Returns the kinds of shares, and that of a device. */
    List<NodeShareKind> kindsWithDevice() {
        List<NodeShareKind> all = new ArrayList<>(kinds);
        all.add(device);
        return all;
    }

    /** Returns what {@code room} parts of a device are cut into: nothing, or a fill of them. */
    List<int[]> fillsOf(int room) {
        List<int[]> found = new ArrayList<>(List.of(new int[kinds.size()]));
        DeviceFills.of(kinds, kind -> true, room, MAX_FILLS).forEach(fill -> found.add(fill.counts()));
        return found;
    }
}
