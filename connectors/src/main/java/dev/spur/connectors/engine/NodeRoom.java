package dev.spur.connectors.engine;

import dev.spur.connectors.Action;
import dev.spur.connectors.Mark;
import dev.spur.connectors.Placement;
import dev.spur.connectors.PlatformJob;
import dev.spur.connectors.PlatformJob.State;
import dev.spur.connectors.PlatformNode;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;

/** Room by node, on platforms that start jobs on the nodes that they are given. */
final class NodeRoom implements Room {
    private final Map<String, Integer> free = new HashMap<>();

    NodeRoom(Observation seen) {
        for (PlatformNode node : seen.nodes()) {
            free.put(node.name(), node.free());
        }
        seen.jobs().values().stream()
                .filter(job -> job.state() == State.WAITING
                        && job.mark().filter(Mark::runs).isPresent())
                .forEach(job -> take(job.pinned(), Placement.NONE));
    }

    private NodeRoom(NodeRoom other) {
        free.putAll(other.free);
    }

    @Override
    public boolean has(Action action, PlatformJob job) {
        return action.placement().slots().entrySet().stream()
                .allMatch(piece -> free.getOrDefault(piece.getKey(), 0) + own(job, piece.getKey()) >= piece.getValue());
    }

    private static int own(PlatformJob job, String node) {
        return job.state() == State.WAITING && job.mark().isPresent()
                ? job.pinned().on(node)
                : job.held().on(node);
    }

    @Override
    public void promise(Action action, PlatformJob job) {
        take(action.placement(), job.state() == State.WAITING ? job.pinned() : job.held());
    }

    private void take(Placement placement, Placement own) {
        placement.slots().forEach((node, slots) -> free.merge(node, -Math.max(0, slots - own.on(node)), Integer::sum));
    }

    @Override
    public boolean hasForAll(Collection<Action> blocked, Observation seen) {
        NodeRoom then = new NodeRoom(this);
        for (Action action : blocked) {
            seen.job(action.job())
                    .ifPresent(job ->
                            job.held().slots().forEach((node, slots) -> then.free.merge(node, slots, Integer::sum)));
            action.placement().slots().forEach((node, slots) -> then.free.merge(node, -slots, Integer::sum));
        }
        return blocked.stream()
                .flatMap(action -> action.placement().slots().keySet().stream())
                .allMatch(node -> then.free.getOrDefault(node, 0) >= 0);
    }
}
