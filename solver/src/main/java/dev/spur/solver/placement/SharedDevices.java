package dev.spur.solver.placement;

import dev.spur.model.job.Elasticity;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Devices of one node that jobs share, while jobs are placed one by one. A device that a job keeps has its own number;
 * the others are any devices of the node, with numbers below 0.
 */
final class SharedDevices {
    /** Number for a job that may take any device. */
    static final int ANY = -1;

    /** Steps after which a search for another packing ends. */
    private static final int MAX_STEPS = 2_000;

    private record Share(int job, int parts) {}

    private static final class Device {
        private final int number;
        private final List<Share> shares = new ArrayList<>();
        private int room = Elasticity.PARTS;

        private Device(int number) {
            this.number = number;
        }
    }

    private final List<Device> devices = new ArrayList<>();
    /** Number of the last device that any job could take; each has a number of its own. */
    private int last = ANY;

    /** Returns the free parts of the device with the most; 0 without devices. */
    int largestRoom() {
        int largest = 0;
        for (Device device : devices) {
            largest = Math.max(largest, device.room);
        }
        return largest;
    }

    /** Returns the free parts of each device that has some, ascending. */
    List<Integer> rooms() {
        return devices.stream()
                .map(device -> device.room)
                .filter(room -> room > 0)
                .sorted()
                .toList();
    }

    /** Returns the minimum of the free parts of a device that suffice for {@code parts}; -1 if none does. */
    int tightestRoom(int parts) {
        Device found = tightest(parts);
        return found == null ? -1 : found.room;
    }

    /** Leaves no room on any device. */
    void fill() {
        devices.forEach(device -> device.room = 0);
    }

    /**
     * Returns whether a share of {@code parts} fits without a further device.
     *
     * @param number the device to take, or {@link #ANY}
     */
    boolean hold(int parts, int number) {
        Device own = number == ANY ? tightest(parts) : device(number);
        return own != null && own.room >= parts;
    }

    /** Returns whether jobs share the device {@code number}. */
    boolean contain(int number) {
        return device(number) != null;
    }

    private @Nullable Device device(int number) {
        for (Device device : devices) {
            if (device.number == number) {
                return device;
            }
        }
        return null;
    }

    private @Nullable Device tightest(int parts) {
        Device found = null;
        for (Device device : devices) {
            if (device.room >= parts && (found == null || device.room < found.room)) {
                found = device;
            }
        }
        return found;
    }

    /**
     * Adds a share of {@code job}.
     *
     * @param number the device to take, or {@link #ANY} for the fullest that holds it
     * @return whether it takes a further device
     */
    boolean add(int job, int parts, int number) {
        Device own = number == ANY ? tightest(parts) : device(number);
        boolean isFurther = own == null;
        if (own == null) {
            own = new Device(number == ANY ? --last : number);
            last = Math.min(last, number);
            devices.add(own);
        }
        own.shares.add(new Share(job, parts));
        own.room -= parts;
        return isFurther;
    }

    /** Removes the share of {@code job}; returns whether its device is free now. */
    boolean remove(int job) {
        Device own = of(job);
        Share share =
                own.shares.stream().filter(each -> each.job == job).findFirst().orElseThrow();
        own.shares.remove(share);
        own.room += share.parts;
        if (own.shares.isEmpty()) {
            devices.remove(own);
        }
        return own.shares.isEmpty();
    }

    /**
     * Packs the shares that may be on any device again, on at least {@code count} devices less; devices that a job
     * keeps stay. Returns how many devices are free then; 0, without a change, if the search finds no such packing.
     */
    int compress(int count) {
        List<Device> packed = new ArrayList<>();
        List<Share> open = new ArrayList<>();
        int anonymous = 0;
        for (Device device : devices) {
            if (device.number >= 0) {
                packed.add(device);
            } else {
                anonymous++;
                open.addAll(device.shares);
            }
        }
        if (anonymous < count) {
            return 0;
        }
        for (int d = count; d < anonymous; d++) {
            packed.add(new Device(--last));
        }
        open.sort(Comparator.comparingInt(Share::parts).reversed());
        if (!pack(open, 0, packed, new int[] {MAX_STEPS})) {
            return 0;
        }
        packed.removeIf(device -> device.shares.isEmpty());
        int free = devices.size() - packed.size();
        devices.clear();
        devices.addAll(packed);
        return free;
    }

    /** Puts the shares from {@code first} on, the largest first; devices are unchanged if it returns false. */
    private static boolean pack(List<Share> open, int first, List<Device> packed, int[] steps) {
        if (first == open.size()) {
            return true;
        }
        Share share = open.get(first);
        boolean isEmptyTried = false;
        for (Device device : packed) {
            boolean isEmpty = device.shares.isEmpty();
            if (device.room >= share.parts && !(isEmpty && isEmptyTried) && steps[0]-- > 0) {
                isEmptyTried |= isEmpty;
                device.shares.add(share);
                device.room -= share.parts;
                if (pack(open, first + 1, packed, steps)) {
                    return true;
                }
                device.shares.remove(device.shares.size() - 1);
                device.room += share.parts;
            }
        }
        return false;
    }

    /** Returns the number of the device of {@code job}. */
    int numberOf(int job) {
        return of(job).number;
    }

    private Device of(int job) {
        for (Device device : devices) {
            for (Share share : device.shares) {
                if (share.job == job) {
                    return device;
                }
            }
        }
        throw new IllegalArgumentException("job %d has no share".formatted(job));
    }

    /** Returns these devices without the shares of {@code jobs}; devices that they leave free are omitted. */
    SharedDevices without(List<Integer> jobs) {
        SharedDevices others = new SharedDevices();
        for (Device device : devices) {
            Device copy = new Device(device.number);
            for (Share share : device.shares) {
                if (!jobs.contains(share.job)) {
                    copy.shares.add(share);
                    copy.room -= share.parts;
                }
            }
            if (!copy.shares.isEmpty()) {
                others.devices.add(copy);
            }
        }
        return others;
    }

    /** Returns the number of devices. */
    int size() {
        return devices.size();
    }

    /** Returns the free parts by number of the device, in ascending order of numbers. */
    List<Room> all() {
        return devices.stream()
                .map(device -> new Room(device.number, device.room))
                .sorted(Comparator.comparingInt(Room::number))
                .toList();
    }

    /** Free parts of a device. */
    record Room(int number, int parts) {}
}
