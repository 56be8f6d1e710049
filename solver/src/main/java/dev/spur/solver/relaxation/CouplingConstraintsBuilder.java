package dev.spur.solver.relaxation;

import dev.spur.model.allocation.Allocation;
import dev.spur.model.allocation.NodeShare;
import dev.spur.model.job.HostDemand;
import dev.spur.solver.candidate.Candidate;
import dev.spur.solver.candidate.CandidateSet;
import dev.spur.solver.candidate.ClusterIndex;
import dev.spur.solver.candidate.NodeAccess;
import dev.spur.solver.candidate.NodeAtom;
import dev.spur.solver.program.Obligation;
import dev.spur.solver.resource.ResourceKey;
import dev.spur.solver.resource.RestartLimit;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Builder of the coupling constraints for a candidate set and the hard commitments of the round. */
public final class CouplingConstraintsBuilder {
    private final CandidateSet candidates;
    private final ClusterIndex clusterIndex;
    private final ConstraintList constraints = new ConstraintList();
    private final AggregationRows aggregation;
    private final PatternCapacity patternCapacity;
    private final QuotaAccounts quotas;
    private final GroupCapCoupling caps;

    private final RestartLimit restarts;

    private int restartRow = -1;

    private CouplingConstraintsBuilder(CandidateSet candidates, RelaxationLevel level) {
        this.candidates = candidates;
        this.clusterIndex = candidates.clusterIndex();
        this.patternCapacity = new PatternCapacity(candidates, constraints);
        this.aggregation = new AggregationRows(candidates, constraints);
        this.quotas = new QuotaAccounts(candidates, level == RelaxationLevel.TENANTS, constraints);
        this.caps = new GroupCapCoupling(
                candidates, tenant -> level == RelaxationLevel.TENANTS && decidesWithinCaps(tenant), constraints);
        this.restarts = RestartLimit.of(candidates);
        if (restarts.applies()) {
            restartRow = constraints.add(new ResourceKey.Restarts(), restarts.capacity());
        }
    }

    /**
     * Returns the constraints; a job with a commitment is offered only candidates that satisfy it, and may not wait.
     */
    public static CouplingConstraints of(CandidateSet candidates, List<Obligation> obligations, RelaxationLevel level) {
        return new CouplingConstraintsBuilder(candidates, level).finish(obligations);
    }

    /**
     * Returns whether a knapsack enforces the quotas and caps of the tenant. In large rounds this costs more time than
     * it lowers the bound.
     */
    private boolean decidesWithinCaps(String tenant) {
        return candidates.size() < CouplingConstraints.MANY
                || quotas.privateQuotas(tenant).isEmpty();
    }

    private CouplingConstraints finish(List<Obligation> obligations) {
        SparseMatrixBuilder matrix = new SparseMatrixBuilder(candidates.size());
        boolean[] offered = new boolean[candidates.size()];
        boolean[] mayWait = new boolean[candidates.jobs()];
        int[] privateRow = new int[candidates.size()];
        Arrays.fill(offered, true);
        for (int j = 0; j < candidates.jobs(); j++) {
            mayWait[j] = !candidates.isPinned(j);
        }
        for (Obligation obligation : obligations) {
            int j = obligation.job();
            mayWait[j] = false;
            Arrays.fill(offered, candidates.first(j), candidates.end(j), false);
            obligation.candidates().forEach(c -> offered[c] = true);
        }
        for (int c = 0; c < candidates.size(); c++) {
            Candidate candidate = candidates.get(c);
            addEntries(candidate, matrix);
            matrix.endCandidate();
            LocalQuota ownQuota = quotas.privateQuotas(
                            candidates.job(candidate.job()).tenant())
                    .get(candidate.configuration().acceleratorType());
            privateRow[c] = ownQuota == null ? -1 : ownQuota.row();
        }
        return new CouplingConstraints(
                candidates,
                constraints.all(),
                quotas.claims(),
                matrix,
                offered,
                mayWait,
                restarts,
                restartRow,
                privateRow,
                patternCapacity,
                quotas,
                caps);
    }

    private void addEntries(Candidate candidate, SparseMatrixBuilder matrix) {
        int j = candidate.job();
        if (!candidates.isPinned(j)) {
            HostDemand demand = candidates.host(candidate);
            if (candidate.isRetained()) {
                addRetainedPieces(candidate, demand, matrix);
            } else {
                patternCapacity.addPieces(
                        candidate.nodeClass(),
                        candidate.configuration().shape(),
                        candidate.parts(),
                        demand,
                        candidate.access(),
                        matrix);
            }
            aggregation.addEntries(candidate, demand, matrix);
            if (candidate.isRetained() && restartRow >= 0) {
                matrix.add(restartRow, restarts.coefficient(candidate));
            }
        }
        quotas.rows(candidates.job(j).tenant(), candidate.configuration().acceleratorType())
                .forEach(row -> matrix.add(row, candidates.units(candidate)));
        quotas.rowsOfNonPreemptible(candidates.job(j), candidate.configuration().acceleratorType())
                .forEach(row -> matrix.add(row, candidates.units(candidate)));
        caps.addEntries(candidate, matrix);
    }

    private void addRetainedPieces(Candidate candidate, HostDemand demand, SparseMatrixBuilder matrix) {
        Allocation heldAllocation = candidates.job(candidate.job()).allocation();
        Map<Integer, List<Integer>> byAtom = new HashMap<>();
        for (NodeShare share : heldAllocation == null ? List.<NodeShare>of() : heldAllocation.placement()) {
            byAtom.computeIfAbsent(clusterIndex.atomOf(clusterIndex.indexOf(share.node())), a -> new ArrayList<>())
                    .add(share.slots());
        }
        byAtom.forEach((a, pieces) -> {
            if (a >= 0) {
                NodeAtom atom = clusterIndex.atoms().get(a);
                NodeAccess access = clusterIndex.accessOf(atom.nodes().get(0));
                patternCapacity.addPieces(atom.nodeClass(), pieces, candidate.parts(), demand, access, matrix);
            }
        });
    }
}
