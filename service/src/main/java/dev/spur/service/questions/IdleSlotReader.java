package dev.spur.service.questions;

import dev.spur.model.allocation.NodeShare;
import dev.spur.model.round.IdleReason;
import dev.spur.model.round.IdleSlots;
import dev.spur.model.round.IdleSlots.IdleCause;
import dev.spur.service.cluster.DeviceHealthStore;
import dev.spur.service.database.RecordMapper;
import dev.spur.service.plans.PlanEntry;
import dev.spur.service.plans.PlanFeed;
import dev.spur.service.plans.RoundRecord;
import dev.spur.service.plans.RoundStore;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

/**
 * Reads the slots that the current plan leaves idle, on all nodes that are not lost. The reasons are those of the last
 * round, except where a node or device has accepted no job since.
 */
@Repository
class IdleSlotReader {
    private static final List<String> PLANNED = List.of("PUBLISHED", "UNCHANGED");

    private final JdbcClient jdbc;
    private final PlanFeed feed;
    private final RoundStore rounds;

    IdleSlotReader(JdbcClient jdbc, PlanFeed feed, RoundStore rounds) {
        this.jdbc = jdbc;
        this.feed = feed;
        this.rounds = rounds;
    }

    /** Node with devices; {@code startRefusal} is the reason why its executor starts no process, null if it does. */
    private record DeviceNode(
            String id,
            String pool,
            String acceleratorType,
            List<String> devices,
            List<String> usable,
            String state,
            @Nullable String startRefusal) {}

    /** Idle slots that are listed together. */
    private record Group(String pool, String acceleratorType, IdleReason reason, List<IdleCause> jobs, String message) {
        static Group of(DeviceNode node, IdleReason reason, String message) {
            return new Group(node.pool(), node.acceleratorType(), reason, List.of(), message);
        }
    }

    private static final class Slots {
        private final List<String> nodes = new ArrayList<>();
        private int count;
    }

    /** Returns the idle slots by pool and type, then by reason. */
    List<IdleSlots> read() {
        Map<String, Set<String>> held = heldDevices();
        Map<String, IdleSlots> planned = idleSlotsOfRound();
        Map<Group, Slots> groups = new LinkedHashMap<>();
        for (DeviceNode node : nodes()) {
            Set<String> used = held.getOrDefault(node.id(), Set.of());
            int usable = count(node.usable(), used);
            add(groups, node, group(node, planned.get(node.id())), usable);
            add(
                    groups,
                    node,
                    Group.of(node, IdleReason.QUARANTINED, IdleReason.QUARANTINED.cause()),
                    count(node.devices(), used) - usable);
        }
        return groups.entrySet().stream()
                .map(entry -> idle(entry.getKey(), entry.getValue()))
                .sorted(Comparator.comparing(IdleSlots::pool)
                        .thenComparing(IdleSlots::acceleratorType)
                        .thenComparing(IdleSlots::reason)
                        .thenComparing(IdleSlots::message))
                .toList();
    }

    private static IdleSlots idle(Group group, Slots slots) {
        return new IdleSlots(
                group.pool(),
                group.acceleratorType(),
                slots.nodes,
                slots.count,
                group.reason(),
                group.jobs(),
                group.message());
    }

    private static void add(Map<Group, Slots> groups, DeviceNode node, Group group, int slots) {
        if (slots > 0) {
            Slots all = groups.computeIfAbsent(group, key -> new Slots());
            all.nodes.add(node.id());
            all.count += slots;
        }
    }

    private static int count(Collection<String> devices, Set<String> held) {
        return (int) devices.stream().filter(device -> !held.contains(device)).count();
    }

    private static Group group(DeviceNode node, @Nullable IdleSlots planned) {
        if (!node.state().equals("ACTIVE")) {
            return Group.of(
                    node,
                    IdleReason.NODE_UNAVAILABLE,
                    node.state().equals("DRAINING") ? "The nodes are draining." : "The nodes are cordoned.");
        }
        if (node.startRefusal() != null) {
            return Group.of(
                    node, IdleReason.NO_PROCESS, "The executor starts no process: %s".formatted(node.startRefusal()));
        }
        return planned == null
                        || !planned.pool().equals(node.pool())
                        || !planned.acceleratorType().equals(node.acceleratorType())
                ? Group.of(node, IdleReason.RELEASED, IdleReason.RELEASED.cause())
                : new Group(node.pool(), node.acceleratorType(), planned.reason(), planned.jobs(), planned.message());
    }

    /** Returns the devices in use by node. */
    private Map<String, Set<String>> heldDevices() {
        Map<String, Set<String>> held = new HashMap<>();
        List<PlanEntry> running = feed.current().map(plan -> plan.running()).orElse(List.of());
        for (PlanEntry entry : running) {
            for (NodeShare piece : entry.allocation().placement()) {
                held.computeIfAbsent(piece.node(), node -> new HashSet<>()).addAll(piece.devices());
            }
        }
        return held;
    }

    /** Returns the idle slots of the last round, by node. */
    private Map<String, IdleSlots> idleSlotsOfRound() {
        Map<String, IdleSlots> byNode = new HashMap<>();
        rounds.before(new RoundStore.Filter(PLANNED, null, null), Long.MAX_VALUE, 1).stream()
                .map(RoundRecord::stats)
                .filter(stats -> stats != null)
                .forEach(stats ->
                        stats.idleSlots().forEach(idle -> idle.nodes().forEach(node -> byNode.put(node, idle))));
        return byNode;
    }

    private List<DeviceNode> nodes() {
        return jdbc.sql("select id, pool, accelerator_type, devices, " + DeviceHealthStore.USABLE + """
                         as usable, state, (select e.start_refusal from executor e where e.id = node.id and e.state = 'ALIVE') as start_refusal
                        from node where accelerator_type is not null and state <> 'LOST' order by seq
                        """)
                .query(RecordMapper.of(DeviceNode.class))
                .list();
    }
}
