package dev.spur.connectors.reconcile;

import dev.spur.connectors.JobAction;
import dev.spur.connectors.JobPlacement;
import dev.spur.connectors.LastAppliedState;
import dev.spur.connectors.PlatformJob;
import dev.spur.connectors.PlatformJob.State;
import dev.spur.connectors.PlatformNode;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;

/** Free capacity by node, for platforms that accept placements by node. */
final class FreeNodeCapacity implements FreeCapacity {
    private final Map<String, Integer> free = new HashMap<>();

    FreeNodeCapacity(PlatformObservation observed) {
        for (PlatformNode node : observed.nodes()) {
            free.put(node.name(), node.free());
        }
        observed.jobs().values().stream()
                .filter(job -> job.state() == State.WAITING
                        && job.mark().filter(LastAppliedState::runs).isPresent())
                .forEach(job -> take(job.pinned(), JobPlacement.NONE));
    }

    private FreeNodeCapacity(FreeNodeCapacity other) {
        free.putAll(other.free);
    }

    @Override
    public boolean has(JobAction action, PlatformJob job) {
        return action.placement().slots().entrySet().stream()
                .allMatch(piece ->
                        free.getOrDefault(piece.getKey(), 0) + heldSlots(job, piece.getKey()) >= piece.getValue());
    }

    private static int heldSlots(PlatformJob job, String node) {
        return job.state() == State.WAITING && job.mark().isPresent()
                ? job.pinned().on(node)
                : job.held().on(node);
    }

    @Override
    public void reserve(JobAction action, PlatformJob job) {
        take(action.placement(), job.state() == State.WAITING ? job.pinned() : job.held());
    }

    private void take(JobPlacement placement, JobPlacement own) {
        placement.slots().forEach((node, slots) -> free.merge(node, -Math.max(0, slots - own.on(node)), Integer::sum));
    }

    @Override
    public boolean fitsAll(Collection<JobAction> blocked, PlatformObservation observed) {
        FreeNodeCapacity copy = new FreeNodeCapacity(this);
        for (JobAction action : blocked) {
            observed.job(action.job())
                    .ifPresent(job ->
                            job.held().slots().forEach((node, slots) -> copy.free.merge(node, slots, Integer::sum)));
            action.placement().slots().forEach((node, slots) -> copy.free.merge(node, -slots, Integer::sum));
        }
        return blocked.stream()
                .flatMap(action -> action.placement().slots().keySet().stream())
                .allMatch(node -> copy.free.getOrDefault(node, 0) >= 0);
    }
}
