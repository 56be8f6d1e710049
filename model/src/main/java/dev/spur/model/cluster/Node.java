package dev.spur.model.cluster;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import dev.spur.model.Checks;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A machine.
 *
 * @param id unique id
 * @param pool name of its pool
 * @param rack name of its rack, or null
 * @param acceleratorType name of the type of all its devices; null for a node without accelerators
 * @param devices ids of its accelerators, unique on the node; one device is one slot
 * @param cpus host CPUs available to jobs
 * @param memoryGiB host memory available to jobs, GiB
 * @param aggregationSlots limit of the CPUs that aggregators may take, at most {@code cpus}; one aggregation slot is
 *     one CPU; resolution 0.001
 * @param pricePerSlotHour price of one slot for one hour; 0 if it has none
 * @param state whether jobs may start and stay on it
 * @param labels values of its labels by name; names with the prefix {@link #OWN_LABELS} are those of its properties
 * @param sharesDevices whether jobs that take a share of a device may start on it
 */
public record Node(
        String id,
        String pool,
        @Nullable String rack,
        @Nullable String acceleratorType,
        List<String> devices,
        double cpus,
        double memoryGiB,
        double aggregationSlots,
        double pricePerSlotHour,
        NodeState state,
        Map<String, String> labels,
        @JsonInclude(JsonInclude.Include.NON_DEFAULT) boolean sharesDevices) {
    /**
     * Prefix of the labels {@code spur/node}, {@code spur/pool}, {@code spur/rack}, {@code spur/block} and
     * {@code spur/shared-devices}, which stand for properties of a node.
     */
    public static final String OWN_LABELS = "spur/";

    /** Name of the label whose value is {@code true} on a node that shares its devices, and otherwise {@code false}. */
    public static final String SHARED_DEVICES = OWN_LABELS + "shared-devices";

    /** Name of the label that states the block of a node: the racks of a block share a network. */
    public static final String BLOCK_LABEL = "block";

    public Node {
        Checks.nonBlank("id", id);
        Checks.nonBlank("pool", pool);
        devices = Checks.copy(devices);
        Checks.require(
                Set.copyOf(devices).size() == devices.size(), "devices (%s) of node %s must be unique", devices, id);
        Checks.require(devices.isEmpty() || acceleratorType != null, "node %s has devices but no acceleratorType", id);
        Checks.atLeast("cpus", cpus, 0);
        Checks.atLeast("memoryGiB", memoryGiB, 0);
        Checks.atLeast("aggregationSlots", aggregationSlots, 0);
        Checks.require(
                aggregationSlots <= cpus,
                "aggregationSlots (%s) must be at most the cpus (%s) of the node, because aggregators run on them",
                aggregationSlots,
                cpus);
        Checks.atLeast("pricePerSlotHour", pricePerSlotHour, 0);
        labels = Checks.copy(labels);
        for (String name : labels.keySet()) {
            Checks.require(
                    !name.startsWith(OWN_LABELS),
                    "label %s must not begin with %s, the prefix of Spur",
                    name,
                    OWN_LABELS);
        }
    }

    @JsonCreator
    static Node read(
            @JsonProperty("id") String id,
            @JsonProperty("pool") String pool,
            @JsonProperty("rack") @Nullable String rack,
            @JsonProperty("acceleratorType") @Nullable String acceleratorType,
            @JsonProperty("devices") List<String> devices,
            @JsonProperty("cpus") double cpus,
            @JsonProperty("memoryGiB") double memoryGiB,
            @JsonProperty("aggregationSlots") double aggregationSlots,
            @JsonProperty("pricePerSlotHour") double pricePerSlotHour,
            @JsonProperty("state") NodeState state,
            @JsonProperty("labels") Map<String, String> labels,
            @JsonProperty("sharesDevices") @Nullable Boolean sharesDevices) {
        return new Node(
                id,
                pool,
                rack,
                acceleratorType,
                devices,
                cpus,
                memoryGiB,
                aggregationSlots,
                pricePerSlotHour,
                state,
                labels,
                Boolean.TRUE.equals(sharesDevices));
    }

    /** A node without labels and without shared devices. */
    public Node(
            String id,
            String pool,
            @Nullable String rack,
            @Nullable String acceleratorType,
            List<String> devices,
            double cpus,
            double memoryGiB,
            double aggregationSlots,
            double pricePerSlotHour,
            NodeState state) {
        this(
                id,
                pool,
                rack,
                acceleratorType,
                devices,
                cpus,
                memoryGiB,
                aggregationSlots,
                pricePerSlotHour,
                state,
                Map.of(),
                false);
    }

    /** Returns the value of the label {@code name}; null if the node does not have it. */
    public @Nullable String label(String name) {
        return switch (name) {
            case OWN_LABELS + "node" -> id;
            case OWN_LABELS + "pool" -> pool;
            case OWN_LABELS + "rack" -> rack;
            case OWN_LABELS + "block" -> block();
            case SHARED_DEVICES -> Boolean.toString(sharesDevices);
            default -> labels.get(name);
        };
    }

    /** Returns the name of its block, which the label {@link #BLOCK_LABEL} states; null without one. */
    public @Nullable String block() {
        return labels.get(BLOCK_LABEL);
    }

    /** Returns the number of accelerators. */
    public int slots() {
        return devices.size();
    }

    /** Returns this node in another state. */
    public Node withState(NodeState other) {
        return with(devices, cpus, memoryGiB, aggregationSlots, other, labels, sharesDevices);
    }

    /** Returns this node with other devices of its type. */
    public Node withDevices(List<String> others) {
        return with(others, cpus, memoryGiB, aggregationSlots, state, labels, sharesDevices);
    }

    /** Returns this node with the labels {@code others}. */
    public Node withLabels(Map<String, String> others) {
        return with(devices, cpus, memoryGiB, aggregationSlots, state, others, sharesDevices);
    }

    /** Returns this node, where jobs that take a share of a device may start if {@code other} is true. */
    public Node withSharedDevices(boolean other) {
        return with(devices, cpus, memoryGiB, aggregationSlots, state, labels, other);
    }

    /** Returns this node with other host capacities, in the units of {@link Node}. */
    public Node withHost(double cpus, double memoryGiB, double aggregationSlots) {
        return with(devices, cpus, memoryGiB, aggregationSlots, state, labels, sharesDevices);
    }

    private Node with(
            List<String> newDevices,
            double newCpus,
            double newMemoryGiB,
            double newAggregationSlots,
            NodeState newState,
            Map<String, String> newLabels,
            boolean newSharesDevices) {
        return new Node(
                id,
                pool,
                rack,
                acceleratorType,
                newDevices,
                newCpus,
                newMemoryGiB,
                newAggregationSlots,
                pricePerSlotHour,
                newState,
                newLabels,
                newSharesDevices);
    }
}
