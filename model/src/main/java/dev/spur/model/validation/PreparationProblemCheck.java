package dev.spur.model.validation;

import dev.spur.model.cluster.Node;
import dev.spur.model.cluster.NodeState;
import dev.spur.model.dataprep.Preparation;
import dev.spur.model.dataprep.PreparationAllocation;
import dev.spur.model.job.Job;
import dev.spur.model.round.RoundProblem;
import dev.spur.model.tenant.Tenant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** Validates the consistency of the preparations and the memory use of a problem with its other parts. */
final class PreparationProblemCheck {
    private final RoundProblem problem;
    private final List<Violation> violations;
    private final Map<String, Node> nodes = new HashMap<>();

    PreparationProblemCheck(RoundProblem problem, List<Violation> violations) {
        this.problem = problem;
        this.violations = violations;
        problem.nodes().forEach(node -> nodes.put(node.id(), node));
    }

    void run() {
        Set<String> tenants = problem.tenants().stream().map(Tenant::name).collect(Collectors.toSet());
        Set<String> ids = problem.jobs().stream().map(Job::id).collect(Collectors.toCollection(HashSet::new));
        for (int i = 0; i < problem.preparations().size(); i++) {
            Preparation preparation = problem.preparations().get(i);
            String pointer = "/preparations/" + i;
            if (!ids.add(preparation.id())) {
                add("namesAreUnique", pointer, "%s appears twice".formatted(preparation.id()));
            }
            if (!tenants.contains(preparation.tenant())) {
                add("namesAreKnown", pointer + "/tenant", "there is no tenant " + preparation.tenant());
            }
            requireFinite(preparation.arrival(), pointer + "/arrival");
            if (preparation.grant() != null) {
                checkGrant(preparation.id(), preparation.grant(), pointer + "/grant");
            }
        }
        checkMemoryUse();
    }

    private void checkGrant(String id, PreparationAllocation allocation, String pointer) {
        requireFinite(allocation.since(), pointer + "/since");
        requireLiveNode(id, allocation.node(), pointer + "/node");
        for (int i = 0; i < allocation.loans().size(); i++) {
            requireLiveNode(id, allocation.loans().get(i).lender(), pointer + "/loans/" + i + "/lender");
        }
    }

    private void requireLiveNode(String id, String name, String pointer) {
        Node node = nodes.get(name);
        if (node == null) {
            add("namesAreKnown", pointer, "there is no node " + name);
        } else if (node.state() == NodeState.LOST) {
            add("grantsAreOnLiveNodes", pointer, "preparation %s uses lost node %s".formatted(id, name));
        }
    }

    private void checkMemoryUse() {
        Set<String> seen = new HashSet<>();
        for (int i = 0; i < problem.memoryUse().size(); i++) {
            String name = problem.memoryUse().get(i).node();
            String pointer = "/memoryUse/" + i;
            if (!nodes.containsKey(name)) {
                add("namesAreKnown", pointer + "/node", "there is no node " + name);
            }
            if (!seen.add(name)) {
                add("namesAreUnique", pointer, "%s appears twice".formatted(name));
            }
        }
    }

    private void requireFinite(double time, String pointer) {
        if (!Double.isFinite(time)) {
            add("timesAreFinite", pointer, "%s is not a finite time".formatted(time));
        }
    }

    private void add(String rule, String pointer, String message) {
        violations.add(new Violation(rule, pointer, message));
    }
}
