package dev.spur.service.rounds;

import dev.spur.model.allocation.Allocation;
import dev.spur.model.allocation.NodeShare;
import dev.spur.model.cluster.Node;
import dev.spur.model.cluster.NodeState;
import dev.spur.model.job.ChangeMechanism;
import dev.spur.model.job.Job;
import dev.spur.service.plans.StateSnapshot;
import dev.spur.service.plans.StateSnapshot.JobVersion;
import dev.spur.service.rounds.CurrentStateReader.CurrentState;
import dev.spur.service.rounds.CurrentStateReader.PublicationJob;
import dev.spur.service.rounds.CurrentStateReader.PublicationNode;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Detects decisions of a plan that conflict with state newer than the snapshot. */
final class StalenessCheck {
    private final StateSnapshot snapshot;
    private final CurrentState state;
    private final Map<String, PublicationJob> jobs;
    private final Map<String, Node> nodesInSnapshot = new HashMap<>();
    private final Set<String> heldInSnapshot = new HashSet<>();
    private final Map<String, String> groups = new HashMap<>();

    StalenessCheck(StateSnapshot snapshot, CurrentState state) {
        this.snapshot = snapshot;
        this.state = state;
        this.jobs = state.jobs();
        for (Node node : snapshot.problem().nodes()) {
            nodesInSnapshot.put(node.id(), node);
        }
        snapshot.held().forEach(job -> heldInSnapshot.add(job.id()));
        for (Job job : snapshot.problem().jobs()) {
            if (job.spec().group() != null) {
                groups.put(job.id(), job.spec().group());
            }
        }
    }

    /** The reasons by id of each job whose decision must be dropped. */
    Map<String, String> among(List<JobDecision> decisions) {
        Map<String, String> dropped = new LinkedHashMap<>();
        for (JobDecision decision : decisions) {
            String reason = reason(decision);
            if (reason != null) {
                dropped.put(decision.jobId(), reason);
            }
        }
        dropDependents(dropped, decisions);
        return dropped;
    }

    private @Nullable String reason(JobDecision decision) {
        JobVersion stamp = snapshot.stamps().get(decision.jobId());
        PublicationJob job = jobs.get(decision.jobId());
        if (job == null || stamp == null) {
            return "the job has ended";
        }
        if (job.generation() != stamp.generation()) {
            return "its allocation has changed";
        }
        if (decision.mechanism() == ChangeMechanism.RESCALE && !job.rescales()) {
            return "its ranks do not run, or change already";
        }
        if (!decision.keeps()) {
            if (job.specVersion() != stamp.specVersion()) {
                return "its specification has changed";
            }
            if (job.heldBack() != heldInSnapshot.contains(decision.jobId())) {
                return job.heldBack() ? "the job is held, or waits for another one" : "the job is released";
            }
        }
        return decision.after() == null ? null : nodeReason(decision.after(), !decision.keeps());
    }

    private @Nullable String nodeReason(Allocation allocation, boolean comes) {
        for (NodeShare piece : allocation.placement()) {
            String reason = nodeReason(piece.node(), comes);
            PublicationNode node = state.nodes().get(piece.node());
            if (reason == null && node != null && !node.devices().containsAll(piece.devices())) {
                reason = "node %s has lost devices".formatted(piece.node());
            }
            if (reason != null) {
                return reason;
            }
        }
        return allocation.aggregation().stream()
                .map(share -> nodeReason(share.node(), comes))
                .filter(reason -> reason != null)
                .findFirst()
                .orElse(null);
    }

    private @Nullable String nodeReason(String id, boolean comes) {
        PublicationNode node = state.nodes().get(id);
        if (node == null) {
            return "node %s was deleted".formatted(id);
        }
        if (node.state() == NodeState.LOST) {
            return "node %s is lost".formatted(id);
        }
        Node before = nodesInSnapshot.get(id);
        if (before == null
                || !node.pool().equals(before.pool())
                || !Objects.equals(node.acceleratorType(), before.acceleratorType())) {
            return "node %s was replaced".formatted(id);
        }
        if (comes && state.maintained().contains(id)) {
            return "node %s is in maintenance".formatted(id);
        }
        boolean closedMeanwhile = before.state() == NodeState.ACTIVE && node.state() != NodeState.ACTIVE;
        return comes && closedMeanwhile ? "node %s accepts no new jobs".formatted(id) : null;
    }

    /**
     * Drops decisions that depend on dropped ones. A job whose change is dropped keeps its resources. Jobs that would
     * receive these, or count against the same quota or cap, wait for the next round, and so on.
     */
    private void dropDependents(Map<String, String> dropped, List<JobDecision> decisions) {
        Set<String> takenNodes = new HashSet<>();
        Set<String> takenTypes = new HashSet<>();
        Set<String> takenGroups = new HashSet<>();
        boolean more = true;
        while (more) {
            more = false;
            for (JobDecision decision : decisions) {
                if (dropped.containsKey(decision.jobId()) && staysBehind(decision)) {
                    takenNodes.addAll(decision.nodesBefore());
                    takenTypes.add(typeOf(decision.before()));
                    takenGroups.addAll(groupOf(decision));
                }
            }
            for (JobDecision decision : decisions) {
                if (!dropped.containsKey(decision.jobId()) && needs(decision, takenNodes, takenTypes, takenGroups)) {
                    dropped.put(decision.jobId(), "the planned resources have not become free");
                    more = true;
                }
            }
        }
    }

    private boolean staysBehind(JobDecision decision) {
        PublicationJob job = jobs.get(decision.jobId());
        return !decision.keeps() && job != null && job.holds();
    }

    private boolean needs(
            JobDecision decision, Set<String> takenNodes, Set<String> takenTypes, Set<String> takenGroups) {
        if (decision.keeps() || decision.after() == null) {
            return false;
        }
        boolean comesToTakenNode = decision.nodesAfter().stream().anyMatch(takenNodes::contains);
        boolean sharesTakenCap = groupOf(decision).stream().anyMatch(takenGroups::contains);
        return comesToTakenNode || sharesTakenCap || (quotasExist() && takenTypes.contains(typeOf(decision.after())));
    }

    /** The group of the job, as a list with at most one element. */
    private List<String> groupOf(JobDecision decision) {
        String group = groups.get(decision.jobId());
        return group == null ? List.of() : List.of(group);
    }

    private boolean quotasExist() {
        return snapshot.problem().tenants().stream()
                .anyMatch(tenant -> !tenant.quotas().isEmpty());
    }

    private static String typeOf(@Nullable Allocation allocation) {
        return allocation == null ? "" : allocation.configuration().acceleratorType();
    }
}
