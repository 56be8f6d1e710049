package dev.spur.solver.placement;

import com.google.ortools.sat.BoolVar;
import com.google.ortools.sat.CpModel;
import com.google.ortools.sat.CpSolver;
import com.google.ortools.sat.LinearExpr;
import com.google.ortools.sat.LinearExprBuilder;
import dev.spur.model.job.Elasticity;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Part of a placement program: the shared device of each gang that takes a share. Its other part decides the nodes. */
final class ExactShares {
    /** Number of the first device that no job shares yet, below all other numbers. */
    private static final int FIRST_NEW = -2_000_000;

    /** Gang on a node. */
    private record Choice(int gang, int parts, BoolVar onNode, List<BoolVar> inDevice) {}

    /** @param open whether gangs share the device newly; null if jobs share it already */
    private record Device(int number, int room, @Nullable BoolVar open) {}

    private final CpModel program;
    private final ResidualCluster freeCluster;
    private final Map<Integer, List<Choice>> byNode = new LinkedHashMap<>();
    private final Map<Integer, List<Device>> devicesOf = new LinkedHashMap<>();

    ExactShares(CpModel program, ResidualCluster freeCluster) {
        this.program = program;
        this.freeCluster = freeCluster;
    }

    /** Adds a gang with {@code parts} of one device that is on node {@code v} if {@code onNode} is true. */
    void add(int gang, int parts, int v, BoolVar onNode) {
        byNode.computeIfAbsent(v, node -> new ArrayList<>()).add(new Choice(gang, parts, onNode, new ArrayList<>()));
    }

    /** Adds the devices of node {@code v} that gangs share newly to {@code used}, its slots, and all rows of shares. */
    void addDevices(int v, LinearExprBuilder used) {
        List<Choice> choices = byNode.getOrDefault(v, List.of());
        if (choices.isEmpty()) {
            return;
        }
        List<Device> devices = new ArrayList<>();
        for (SharedDevices.Room room : freeCluster.rooms().on(v)) {
            devices.add(new Device(room.number(), room.parts(), null));
        }
        int opened = Math.min(choices.size(), Math.max(0, freeCluster.slots(v)));
        for (int d = 0; d < opened; d++) {
            BoolVar open = program.newBoolVar("d[%d,%d]".formatted(v, d));
            devices.add(new Device(FIRST_NEW - d, Elasticity.PARTS, open));
            used.addTerm(open, 1);
        }
        for (Choice choice : choices) {
            devices.forEach(device -> choice.inDevice()
                    .add(program.newBoolVar("s[%d,%d,%d]".formatted(choice.gang(), v, device.number()))));
            program.addEquality(LinearExpr.sum(choice.inDevice().toArray(BoolVar[]::new)), choice.onNode());
        }
        for (int d = 0; d < devices.size(); d++) {
            LinearExprBuilder parts = LinearExpr.newBuilder();
            for (Choice choice : choices) {
                parts.addTerm(choice.inDevice().get(d), choice.parts());
            }
            Device device = devices.get(d);
            if (device.open() == null) {
                program.addLessOrEqual(parts, device.room());
            } else {
                program.addLessOrEqual(parts.addTerm(device.open(), -device.room()), 0);
            }
        }
        devicesOf.put(v, devices);
    }

    /** Returns the device of {@code gang}, a share, in a solution. */
    int deviceOf(int gang, CpSolver solution) {
        for (Map.Entry<Integer, List<Choice>> entry : byNode.entrySet()) {
            for (Choice choice : entry.getValue()) {
                for (int d = 0; choice.gang() == gang && d < choice.inDevice().size(); d++) {
                    if (solution.booleanValue(choice.inDevice().get(d))) {
                        return devicesOf
                                .getOrDefault(entry.getKey(), List.of())
                                .get(d)
                                .number();
                    }
                }
            }
        }
        throw new IllegalArgumentException("gang %d has no shared device".formatted(gang));
    }
}
