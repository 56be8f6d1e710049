package dev.spur.solver.program;

import com.google.ortools.sat.CpModel;
import com.google.ortools.sat.LinearExpr;
import com.google.ortools.sat.LinearExprBuilder;
import dev.spur.model.job.HostDemand;
import dev.spur.solver.candidate.Candidate;
import dev.spur.solver.candidate.CandidateSet;
import dev.spur.solver.candidate.NodeClass;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * Constraints of node capacity: the pieces of chosen candidates can be cut from the nodes of each class, and the hosts
 * have enough CPUs and memory.
 */
final class NodeCapacityConstraints {
    /**
     * Maximum size of a group of nodes that is split into single nodes where hosts bind, so that every host has its own
     * rows.
     */
    private static final int MOST_TAKEN_APART = 64;

    private final CpModel program;
    private final CandidateSet candidates;
    private final CandidateVariables chosen;
    private final ResidualNodeClasses groups;
    private int rows;

    NodeCapacityConstraints(CpModel program, VariableFixing fixing, CandidateVariables chosen) {
        this.program = program;
        this.candidates = fixing.candidates();
        this.chosen = chosen;
        this.groups = new ResidualNodeClasses(fixing, chosen);
    }

    /** Adds the constraints of all classes and returns their number. */
    int add() {
        for (NodeClass nodeClass : candidates.hardware().classes()) {
            addClass(nodeClass);
        }
        return rows;
    }

    private void addClass(NodeClass nodeClass) {
        List<Integer> fresh = freshOn(nodeClass.index());
        List<ResidualNodeClasses.Group> own = groups.of(nodeClass);
        boolean hostsBind = hostsBind(fresh, own);
        List<NodeShareKind> kinds = kinds(fresh, hostsBind);
        LinearExprBuilder[] supply = new LinearExprBuilder[kinds.size()];
        LinearExprBuilder[] providers = new LinearExprBuilder[kinds.size()];
        for (int k = 0; k < supply.length; k++) {
            supply[k] = LinearExpr.newBuilder();
            providers[k] = LinearExpr.newBuilder();
        }
        int number = 0;
        for (ResidualNodeClasses.Group group : hostsBind ? takenApart(own) : own) {
            addGroup(group, kinds, nodeClass.index() + "," + number++, hostsBind, supply, providers);
        }
        for (int k = 0; k < supply.length; k++) {
            piecesAreCut(fresh, kinds.get(k), hostsBind, supply[k]);
            if (kinds.get(k).size() * 2 <= nodeClass.slotsPerNode()) {
                gangsHaveNodesOfTheirOwn(fresh, kinds.get(k), hostsBind, providers[k].build());
            }
        }
    }

    private void addGroup(
            ResidualNodeClasses.Group group,
            List<NodeShareKind> kinds,
            String name,
            boolean hostsBind,
            LinearExprBuilder[] supply,
            LinearExprBuilder[] providers) {
        List<NodeShareKind> fitting =
                kinds.stream().filter(kind -> kind.size() <= group.free()).toList();
        NodeGroupCapacity groupRows = new NodeGroupCapacity(program, chosen, group, fitting, name);
        rows += groupRows.add(hostsBind);
        for (int k = 0; k < fitting.size(); k++) {
            int at = kinds.indexOf(fitting.get(k));
            supply[at].add(groupRows.cut(k));
            providers[at].add(groupRows.providers(k));
        }
    }

    /** For each class and kind: pieces of chosen candidates that are not kept <= pieces cut. */
    private void piecesAreCut(List<Integer> fresh, NodeShareKind kind, boolean hostsBind, LinearExprBuilder supply) {
        LinearExprBuilder demand = LinearExpr.newBuilder();
        for (int c : fresh) {
            long pieces = count(c, kind, hostsBind);
            if (pieces > 0) {
                demand.addTerm(chosen.get(c), pieces);
            }
        }
        program.addLessOrEqual(demand, supply);
        rows++;
    }

    /**
     * For each candidate that is not kept and has several pieces of a kind: nodes that provide one >= pieces, if it is
     * chosen.
     */
    private void gangsHaveNodesOfTheirOwn(
            List<Integer> fresh, NodeShareKind kind, boolean hostsBind, LinearExpr providers) {
        for (int c : fresh) {
            long pieces = count(c, kind, hostsBind);
            if (pieces > 1) {
                program.addLessOrEqual(LinearExpr.term(chosen.get(c), pieces), providers);
                rows++;
            }
        }
    }

    private List<Integer> freshOn(int nodeClass) {
        List<Integer> fresh = new ArrayList<>();
        for (int c : chosen.all().keySet()) {
            Candidate candidate = candidates.get(c);
            if (!candidate.kept() && candidate.nodeClass() == nodeClass) {
                fresh.add(c);
            }
        }
        return fresh;
    }

    /** Returns whether some node may exhaust CPU or memory before its slots. */
    private boolean hostsBind(List<Integer> fresh, List<ResidualNodeClasses.Group> own) {
        Set<HostDemand> demands = new LinkedHashSet<>();
        fresh.forEach(c -> demands.add(demand(c)));
        own.forEach(group -> group.keepers().forEach(keeper -> demands.add(keeper.demand())));
        double cpus =
                demands.stream().mapToDouble(HostDemand::cpusPerSlot).max().orElse(0);
        double memory =
                demands.stream().mapToDouble(HostDemand::memoryGiBPerSlot).max().orElse(0);
        return own.stream()
                .anyMatch(group -> cpus * group.free() > group.cpus() || memory * group.free() > group.memoryGiB());
    }

    private List<NodeShareKind> kinds(List<Integer> fresh, boolean hostsBind) {
        Set<NodeShareKind> kinds = new LinkedHashSet<>();
        for (int c : fresh) {
            HostDemand demand = hostsBind ? demand(c) : HostDemand.NONE;
            candidates.get(c).configuration().shape().forEach(size -> kinds.add(new NodeShareKind(size, demand)));
        }
        return kinds.stream().sorted(NodeShareKind.SMALLEST_FIRST).toList();
    }

    private static List<ResidualNodeClasses.Group> takenApart(List<ResidualNodeClasses.Group> own) {
        List<ResidualNodeClasses.Group> apart = new ArrayList<>();
        for (ResidualNodeClasses.Group group : own) {
            if (group.count() <= MOST_TAKEN_APART) {
                ResidualNodeClasses.Group alone = new ResidualNodeClasses.Group(
                        group.free(), group.cpus(), group.memoryGiB(), 1, group.keepers());
                apart.addAll(Collections.nCopies(group.count(), alone));
            } else {
                apart.add(group);
            }
        }
        return apart;
    }

    private long count(int c, NodeShareKind kind, boolean hostsBind) {
        if (hostsBind && !demand(c).equals(kind.demand())) {
            return 0;
        }
        int count = 0;
        for (int piece : candidates.get(c).configuration().shape()) {
            count += piece == kind.size() ? 1 : 0;
        }
        return count;
    }

    private HostDemand demand(int c) {
        return candidates.host(candidates.get(c));
    }
}
