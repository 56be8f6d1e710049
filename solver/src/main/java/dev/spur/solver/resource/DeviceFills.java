package dev.spur.solver.resource;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Predicate;

/** Enumeration of what the room of one device may hold: sets of pieces that take shares. */
public final class DeviceFills {
    /**
     * Pieces that one device holds, at least one.
     *
     * @param counts number of pieces by kind; not to be changed
     * @param cpus host CPUs that they take
     * @param memoryGiB host memory that they take, GiB
     */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    public record Fill(int[] counts, double cpus, double memoryGiB) {}

    private final List<NodeShareKind> kinds;
    private final List<Integer> shares = new ArrayList<>();
    private final boolean onlyMaximal;
    private final int max;
    private final int[] counts;
    private final List<Fill> found = new ArrayList<>();

    private DeviceFills(List<NodeShareKind> kinds, Predicate<NodeShareKind> isOffered, int max) {
        this.kinds = kinds;
        this.max = max;
        this.counts = new int[kinds.size()];
        for (int k = 0; k < counts.length; k++) {
            if (!kinds.get(k).isWhole() && isOffered.test(kinds.get(k))) {
                shares.add(k);
            }
        }
        // A host may leave room on devices, so that each set matters where it could be short.
        this.onlyMaximal = shares.stream()
                .map(k -> kinds.get(k).demand())
                .allMatch(demand -> demand.cpusPerSlot() == 0 && demand.memoryGiBPerSlot() == 0);
    }

    /**
     * Returns the sets of shares that fit {@code room} parts of a device: the maximal ones where hosts do not bind,
     * otherwise all.
     *
     * @param isOffered whether the device may hold a kind; whole devices are ignored
     * @param max number of sets beyond which the enumeration ends; the result then has more than {@code max}
     */
    public static List<Fill> of(List<NodeShareKind> kinds, Predicate<NodeShareKind> isOffered, int room, int max) {
        DeviceFills fills = new DeviceFills(kinds, isOffered, max);
        fills.extend(0, room);
        return fills.found;
    }

    private void extend(int first, int room) {
        for (int s = first; s < shares.size() && found.size() <= max; s++) {
            int k = shares.get(s);
            for (int count = room / kinds.get(k).parts(); count >= 1; count--) {
                counts[k] = count;
                extend(s + 1, room - count * kinds.get(k).parts());
            }
            counts[k] = 0;
        }
        boolean isMaximal = shares.stream().allMatch(k -> kinds.get(k).parts() > room);
        if (Arrays.stream(counts).sum() > 0 && (isMaximal || !onlyMaximal)) {
            found.add(fill());
        }
    }

    private Fill fill() {
        double cpus = 0;
        double memoryGiB = 0;
        for (int k : shares) {
            cpus += counts[k] * kinds.get(k).demand().cpusPerSlot();
            memoryGiB += counts[k] * kinds.get(k).demand().memoryGiBPerSlot();
        }
        return new Fill(counts.clone(), cpus, memoryGiB);
    }
}
