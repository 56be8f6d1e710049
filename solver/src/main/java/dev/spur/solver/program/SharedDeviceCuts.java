package dev.spur.solver.program;

import com.google.ortools.sat.CpModel;
import com.google.ortools.sat.IntVar;
import com.google.ortools.sat.LinearExpr;
import com.google.ortools.sat.LinearExprBuilder;
import dev.spur.model.job.Elasticity;
import dev.spur.solver.resource.DeviceFills;
import dev.spur.solver.resource.DeviceFills.Fill;
import dev.spur.solver.resource.NodeShareKind;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ObjIntConsumer;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * Free devices of a class that are cut into shares, on whatever node: the second level of a cutting stock, whose first
 * level cuts nodes into pieces. Variables {@code f[fill]}: number of devices that hold the shares of a fill. Where
 * fills are too many, {@link ShareRows} relax them.
 */
final class SharedDeviceCuts {
    private static final int MAX_FILLS = 1_000;

    private final List<NodeShareKind> kinds;
    private final List<Fill> fills;
    private final IntVar[] times;
    /** Number of shares by kind, where fills are relaxed. */
    private final Map<NodeShareKind, IntVar> shares = new LinkedHashMap<>();

    /**
     * @param name name of the class in names of variables
     * @param kinds kinds of shares, the largest first, all with the same access
     * @param devices number of free devices
     */
    SharedDeviceCuts(CpModel model, String name, List<NodeShareKind> kinds, int devices) {
        this.kinds = List.copyOf(kinds);
        List<Fill> all = DeviceFills.of(kinds, kind -> true, Elasticity.PARTS, MAX_FILLS);
        this.fills = all.size() <= MAX_FILLS ? all : List.of();
        this.times = new IntVar[Math.max(1, fills.size())];
        for (int f = 0; f < times.length; f++) {
            times[f] = model.newIntVar(0, devices, "f[%s,%d]".formatted(name, f));
        }
        if (fills.isEmpty()) {
            kinds.forEach(kind -> shares.put(
                    kind,
                    model.newIntVar(
                            0,
                            (long) devices * (Elasticity.PARTS / kind.parts()),
                            "f[%s,%d %%]".formatted(name, kind.parts()))));
            ShareRows.add(
                    model,
                    kinds.stream()
                            .map(kind -> new ShareRows.Shares(pieces(kind), kind.parts()))
                            .toList(),
                    List.of(times),
                    List.of());
        }
    }

    /** Returns the kind of the devices: pieces of one slot. */
    NodeShareKind device() {
        return NodeShareKind.ofDevice(kinds.get(0).access());
    }

    /** Returns the kinds of shares. */
    List<NodeShareKind> kinds() {
        return kinds;
    }

    private IntVar pieces(NodeShareKind kind) {
        IntVar variable = shares.get(kind);
        if (variable == null) {
            throw new IllegalArgumentException("no shares of kind %s".formatted(kind));
        }
        return variable;
    }

    /** Returns the number of devices that are cut. */
    LinearExpr devices() {
        return LinearExpr.sum(times);
    }

    /** Returns the number of shares of {@code kind} that the devices hold. */
    LinearExpr shares(NodeShareKind kind) {
        if (fills.isEmpty()) {
            return LinearExpr.term(pieces(kind), 1);
        }
        int k = kinds.indexOf(kind);
        LinearExprBuilder sum = LinearExpr.newBuilder();
        for (int f = 0; f < times.length; f++) {
            sum.addTerm(times[f], fills.get(f).counts()[k]);
        }
        return sum.build();
    }

    /**
     * Passes the present shares to the solver as a hint, and adds their devices to {@code now}, which is by node and
     * kind.
     */
    void hint(Map<Integer, Map<NodeShareKind, Integer>> now, ObjIntConsumer<IntVar> hint) {
        int[] devices = new int[times.length];
        Map<NodeShareKind, Integer> all = new HashMap<>();
        now.values().forEach(pieces -> {
            Map<NodeShareKind, Deque<Integer>> onNode = new LinkedHashMap<>();
            for (NodeShareKind kind : kinds) {
                int count = pieces.getOrDefault(kind, 0);
                all.merge(kind, count, Integer::sum);
                onNode.put(kind, new ArrayDeque<>(Collections.nCopies(count, kinds.indexOf(kind))));
            }
            for (int count = 1; onNode.values().stream().anyMatch(open -> !open.isEmpty()); count++) {
                List<List<Integer>> packed = pack(count, copy(onNode));
                if (packed != null) {
                    packed.forEach(held -> devices[fillOf(held)]++);
                    pieces.merge(device(), count, Integer::sum);
                    onNode.clear();
                }
            }
        });
        for (int f = 0; f < times.length; f++) {
            hint.accept(times[f], devices[f]);
        }
        shares.forEach((kind, variable) -> hint.accept(variable, all.getOrDefault(kind, 0)));
    }

    private static Map<NodeShareKind, Deque<Integer>> copy(Map<NodeShareKind, Deque<Integer>> pieces) {
        Map<NodeShareKind, Deque<Integer>> copy = new LinkedHashMap<>();
        pieces.forEach((kind, open) -> copy.put(kind, new ArrayDeque<>(open)));
        return copy;
    }

    /** Returns the first fill that contains {@code held}, kinds by number. */
    private int fillOf(List<Integer> held) {
        for (int f = 0; f < fills.size(); f++) {
            int[] counts = fills.get(f).counts();
            if (held.stream().allMatch(k -> Collections.frequency(held, k) <= counts[k])) {
                return f;
            }
        }
        return 0;
    }

    /**
     * Returns the pieces on each device that is cut in a solution; null if the devices do not hold them.
     *
     * @param chosen pieces by kind, which are removed as they are put on a device
     */
    @Nullable
    List<List<Integer>> cut(ToLongFunction<IntVar> value, Map<NodeShareKind, Deque<Integer>> chosen) {
        return fills.isEmpty() ? pack((int) value.applyAsLong(times[0]), chosen) : byFills(value, chosen);
    }

    private List<List<Integer>> byFills(ToLongFunction<IntVar> value, Map<NodeShareKind, Deque<Integer>> chosen) {
        List<List<Integer>> devices = new ArrayList<>();
        for (int f = 0; f < fills.size(); f++) {
            for (long left = value.applyAsLong(times[f]); left > 0; left--) {
                List<Integer> held = new ArrayList<>();
                for (int k = 0; k < kinds.size(); k++) {
                    Deque<Integer> open = chosen.getOrDefault(kinds.get(k), new ArrayDeque<>());
                    for (int count = fills.get(f).counts()[k]; count > 0 && !open.isEmpty(); count--) {
                        held.add(open.remove());
                    }
                }
                devices.add(held);
            }
        }
        return devices;
    }

    /** Packs the largest pieces first, each on the fullest device that holds it. */
    private @Nullable List<List<Integer>> pack(int count, Map<NodeShareKind, Deque<Integer>> chosen) {
        List<List<Integer>> devices = new ArrayList<>();
        int[] room = new int[count];
        Arrays.fill(room, Elasticity.PARTS);
        for (int d = 0; d < count; d++) {
            devices.add(new ArrayList<>());
        }
        for (NodeShareKind kind : kinds) {
            Deque<Integer> open = chosen.getOrDefault(kind, new ArrayDeque<>());
            while (!open.isEmpty()) {
                int best = -1;
                for (int d = 0; d < count; d++) {
                    best = room[d] >= kind.parts() && (best < 0 || room[d] < room[best]) ? d : best;
                }
                if (best < 0) {
                    return null;
                }
                room[best] -= kind.parts();
                devices.get(best).add(open.remove());
            }
        }
        return devices;
    }
}
