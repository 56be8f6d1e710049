package dev.spur.simulator.cluster;

import dev.spur.model.Checks;
import dev.spur.model.cluster.AcceleratorType;
import dev.spur.model.cluster.Node;
import dev.spur.model.cluster.NodeState;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Equal nodes of a cluster file.
 *
 * @param type accelerator type of all slots
 * @param count number of such nodes, at least 1
 * @param slots accelerators of one node, at least 1
 * @param memoryGiBPerSlot memory of one accelerator; null if it was not stated
 * @param cpus host CPUs of one node; null for plenty
 * @param memoryGiB host memory of one node, GiB; null for plenty
 * @param aggregationSlots aggregation slots of one node; null for none
 * @param pricePerSlotHour price of one slot for one hour; null if it has none
 * @param pool name of the pool; null for {@code main}
 * @param contention relative increase of the step time of a job on several nodes by each further such job on a node;
 *     null for none
 * @param sharesDevices whether jobs that take a share of a device may start there; null for false
 */
public record NodeKind(
        String type,
        int count,
        int slots,
        @Nullable Double memoryGiBPerSlot,
        @Nullable Double cpus,
        @Nullable Double memoryGiB,
        @Nullable Double aggregationSlots,
        @Nullable Double pricePerSlotHour,
        @Nullable String pool,
        @Nullable Double contention,
        @Nullable Boolean sharesDevices) {
    /** Host resources if the file does not state them: more than any job requests. */
    private static final double PLENTY = 1e6;

    private static final String MAIN = "main";

    public NodeKind {
        Checks.nonBlank("type", type);
        Checks.atLeast("count", count, 1);
        Checks.atLeast("slots", slots, 1);
        Checks.atLeast("memoryGiBPerSlot", orElse(memoryGiBPerSlot, 0), 0);
    }

    /**
     * Returns {@code count} nodes of {@code slots} slots of {@code type} in the pool {@code main}, without other
     * limits.
     */
    public static NodeKind of(String type, int count, int slots) {
        return new NodeKind(type, count, slots, null, null, null, null, null, null, null, null);
    }

    /** Returns the nodes; their ids end in a number from {@code first} on. */
    List<Node> nodes(int first) {
        List<String> devices =
                IntStream.range(0, slots).mapToObj(Integer::toString).toList();
        return IntStream.range(first, first + count)
                .mapToObj(i -> new Node(
                                "%s-%d".formatted(type.toLowerCase(Locale.ROOT), i),
                                pool == null ? MAIN : pool,
                                null,
                                type,
                                devices,
                                orElse(cpus, PLENTY),
                                orElse(memoryGiB, PLENTY),
                                orElse(aggregationSlots, 0),
                                orElse(pricePerSlotHour, 0),
                                NodeState.ACTIVE)
                        .withSharedDevices(Boolean.TRUE.equals(sharesDevices)))
                .toList();
    }

    /** Returns the type with its memory per slot and its contention; 0 for each that was not stated. */
    AcceleratorType acceleratorType() {
        return new AcceleratorType(type, orElse(memoryGiBPerSlot, 0)).withContention(orElse(contention, 0));
    }

    private static double orElse(@Nullable Double stated, double otherwise) {
        return stated == null ? otherwise : stated;
    }
}
