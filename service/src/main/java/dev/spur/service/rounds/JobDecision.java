package dev.spur.service.rounds;

import dev.spur.model.allocation.Allocation;
import dev.spur.model.job.ChangeMechanism;
import dev.spur.model.job.JobSpec;
import dev.spur.model.round.ChangeKind;
import dev.spur.model.round.PlannedJob;
import dev.spur.model.round.RoundPlan;
import dev.spur.service.plans.StateSnapshot;
import dev.spur.service.plans.StateSnapshot.JobVersion;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Decision of a plan for a job with an allocation before or after it.
 *
 * @param before its allocation in the snapshot; null for none
 * @param after its new allocation, equal to {@code before} if unchanged; null for none
 * @param planned the entry of the plan; null if the job waits
 * @param mechanism how the job adopts its new allocation; {@code RESTART} if it waits
 */
record JobDecision(
        String jobId,
        @Nullable Allocation before,
        @Nullable Allocation after,
        @Nullable PlannedJob planned,
        ChangeMechanism mechanism) {

    /** All decisions of a plan: for the jobs that it runs, and for the jobs that it preempts. */
    static List<JobDecision> of(StateSnapshot snapshot, RoundPlan plan) {
        Map<String, Allocation> held = new HashMap<>();
        snapshot.stamps().forEach((id, stamp) -> {
            if (stamp.allocation() != null) {
                held.put(id, stamp.allocation());
            }
        });
        Map<String, JobSpec> specs = new HashMap<>();
        snapshot.problem().jobs().forEach(job -> specs.put(job.id(), job.spec()));
        List<JobDecision> decisions = new ArrayList<>();
        for (PlannedJob planned : plan.running()) {
            JobVersion stamp = snapshot.stamps().get(planned.jobId());
            Allocation before = stamp == null ? null : stamp.allocation();
            ChangeMechanism mechanism =
                    Objects.requireNonNull(specs.get(planned.jobId())).change(before, planned.allocation());
            Allocation after = mechanism.adopt(
                    before, planned.allocation(), snapshot.problem().now());
            decisions.add(new JobDecision(planned.jobId(), before, after, planned, mechanism));
            held.remove(planned.jobId());
        }
        held.forEach((id, allocation) ->
                decisions.add(new JobDecision(id, allocation, null, null, ChangeMechanism.RESTART)));
        return decisions;
    }

    /** True if the job keeps its allocation. */
    boolean keeps() {
        return Objects.equals(before, after);
    }

    /** True if the training continues without its checkpoint, so that its generation stays. */
    boolean keepsGeneration() {
        return mechanism.keepsGeneration();
    }

    /** How the allocation changes. */
    ChangeKind change() {
        if (planned == null) {
            return ChangeKind.PREEMPT;
        }
        return !keeps() && planned.change() == ChangeKind.KEEP ? ChangeKind.RECONFIGURE : planned.change();
    }

    /** Nodes of the new allocation. */
    Set<String> nodesAfter() {
        return nodes(after);
    }

    /** Nodes of the current allocation. */
    Set<String> nodesBefore() {
        return nodes(before);
    }

    private static Set<String> nodes(@Nullable Allocation allocation) {
        Set<String> nodes = new HashSet<>();
        if (allocation != null) {
            allocation.placement().forEach(piece -> nodes.add(piece.node()));
            allocation.aggregation().forEach(share -> nodes.add(share.node()));
        }
        return nodes;
    }
}
