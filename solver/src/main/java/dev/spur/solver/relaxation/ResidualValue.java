package dev.spur.solver.relaxation;

import dev.spur.model.job.Elasticity;
import dev.spur.model.job.HostDemand;
import dev.spur.solver.placement.HostUnits;
import dev.spur.solver.resource.NodeShareKind;
import java.util.Comparator;
import java.util.List;
import java.util.function.IntToDoubleFunction;
import java.util.stream.IntStream;

/**
 * Value of the remaining capacity of a node at prices of pieces: the maximum over its packing patterns, by dynamic
 * programming. Shares of devices need no CPUs and memory here. Values are cached in a hash table in arrays. Not
 * thread-safe.
 */
final class ResidualValue {
    /** Number of cached capacities beyond which no more are added; further ones get the value 0. */
    private static final int MAX = 1 << 20;

    private static final int FIRST_SIZE = 1 << 12;

    private final int[] size;
    private final long[] cpus;
    private final long[] memory;
    private final double[] price;
    /** Value of the parts of a shared device. */
    private final DeviceValue deviceValue;

    private long mostCpusPerSlot;
    private long mostMemoryPerSlot;

    private int[] slotKeys = new int[FIRST_SIZE];
    private long[] cpuKeys = new long[FIRST_SIZE];
    private long[] memoryKeys = new long[FIRST_SIZE];
    private double[] values = new double[FIRST_SIZE];
    private int known;

    /** @param prices price by index of a kind; kinds with the price 0 are ignored */
    ResidualValue(List<NodeShareKind> kinds, IntToDoubleFunction prices) {
        deviceValue = new DeviceValue(
                kinds.stream().mapToInt(NodeShareKind::parts).toArray(),
                IntStream.range(0, kinds.size()).mapToDouble(prices).toArray());
        int[] pieces = IntStream.range(0, kinds.size())
                .filter(k -> kinds.get(k).isWhole() && prices.applyAsDouble(k) > 0)
                .boxed()
                .sorted(Comparator.comparingDouble(
                        k -> -prices.applyAsDouble(k) / kinds.get(k).size()))
                .mapToInt(Integer::intValue)
                .toArray();
        size = new int[pieces.length];
        cpus = new long[size.length];
        memory = new long[size.length];
        price = new double[size.length];
        for (int i = 0; i < size.length; i++) {
            NodeShareKind kind = kinds.get(pieces[i]);
            HostDemand demand = kind.demand();
            size[i] = kind.size();
            cpus[i] = kind.size() * HostUnits.demand(demand.cpusPerSlot());
            memory[i] = kind.size() * HostUnits.demand(demand.memoryGiBPerSlot());
            price[i] = prices.applyAsDouble(pieces[i]);
            mostCpusPerSlot = Math.max(mostCpusPerSlot, HostUnits.supply(demand.cpusPerSlot()));
            mostMemoryPerSlot = Math.max(mostMemoryPerSlot, HostUnits.supply(demand.memoryGiBPerSlot()));
        }
    }

    /** Returns the maximum value of pieces cut from the remaining capacity. */
    double of(int slots, double cpus, double memory) {
        return ofUnits(slots, HostUnits.supply(cpus), HostUnits.supply(memory));
    }

    /**
     * Returns the loss of value when a piece of {@code size} slots is cut from the remaining capacity, with host
     * resources in host units.
     */
    double loss(int slots, long cpuUnits, long memoryUnits, int size, long cpusPerSlot, long memoryPerSlot) {
        return ofUnits(slots, cpuUnits, memoryUnits)
                - ofUnits(slots - size, cpuUnits - size * cpusPerSlot, memoryUnits - size * memoryPerSlot);
    }

    /**
     * Returns the loss of value when a share of {@code parts} takes the room of a shared device; hosts do not count.
     *
     * @param room free parts of that device
     */
    double lossOfRoom(int room, int parts) {
        return deviceValue.of(room) - deviceValue.of(room - parts);
    }

    /** Returns the value of the free parts of shared devices. */
    double ofRooms(List<Integer> rooms) {
        return rooms.stream().mapToDouble(deviceValue::of).sum();
    }

    /** Returns the value of {@code room} free parts of a shared device. */
    double ofRoom(int room) {
        return deviceValue.of(room);
    }

    /** Returns the maximum value of pieces cut from the remaining capacity, with host resources in host units. */
    double ofUnits(int slots, long cpuUnits, long memoryUnits) {
        if (slots <= 0) {
            return 0;
        }
        // Capacity above the largest possible demand has no value.
        long freeCpus = Math.max(0, Math.min(cpuUnits, slots * mostCpusPerSlot));
        long freeMemory = Math.max(0, Math.min(memoryUnits, slots * mostMemoryPerSlot));
        int at = position(slots, freeCpus, freeMemory);
        if (slotKeys[at] != 0) {
            return values[at];
        }
        if (known >= MAX) {
            return 0;
        }
        double ofShared = deviceValue.of(Elasticity.PARTS);
        double max = ofShared > 0 ? ofShared + ofUnits(slots - 1, freeCpus, freeMemory) : 0;
        for (int i = 0; i < size.length; i++) {
            if (size[i] <= slots && cpus[i] <= freeCpus && memory[i] <= freeMemory) {
                max = Math.max(max, price[i] + ofUnits(slots - size[i], freeCpus - cpus[i], freeMemory - memory[i]));
            }
        }
        add(slots, freeCpus, freeMemory, max);
        return max;
    }

    private int position(int slots, long freeCpus, long freeMemory) {
        int mask = slotKeys.length - 1;
        long hash = (slots * 0x9E3779B97F4A7C15L + freeCpus) * 0xC2B2AE3D27D4EB4FL + freeMemory * 0x165667B19E3779F9L;
        int at = (int) (((hash ^ (hash >>> 32)) * 0x9E3779B9L) >>> 8) & mask;
        while (slotKeys[at] != 0
                && (slotKeys[at] != slots || cpuKeys[at] != freeCpus || memoryKeys[at] != freeMemory)) {
            at = (at + 1) & mask;
        }
        return at;
    }

    private void add(int slots, long freeCpus, long freeMemory, double value) {
        if (2 * known >= slotKeys.length) {
            grow();
        }
        int at = position(slots, freeCpus, freeMemory);
        slotKeys[at] = slots;
        cpuKeys[at] = freeCpus;
        memoryKeys[at] = freeMemory;
        values[at] = value;
        known++;
    }

    private void grow() {
        int[] oldSlots = slotKeys;
        long[] oldCpus = cpuKeys;
        long[] oldMemory = memoryKeys;
        double[] oldValues = values;
        slotKeys = new int[2 * oldSlots.length];
        cpuKeys = new long[slotKeys.length];
        memoryKeys = new long[slotKeys.length];
        values = new double[slotKeys.length];
        for (int i = 0; i < oldSlots.length; i++) {
            if (oldSlots[i] != 0) {
                int at = position(oldSlots[i], oldCpus[i], oldMemory[i]);
                slotKeys[at] = oldSlots[i];
                cpuKeys[at] = oldCpus[i];
                memoryKeys[at] = oldMemory[i];
                values[at] = oldValues[i];
            }
        }
    }
}
