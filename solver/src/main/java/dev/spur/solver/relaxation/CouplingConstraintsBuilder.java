package dev.spur.solver.relaxation;

import dev.spur.model.allocation.Allocation;
import dev.spur.model.allocation.NodeShare;
import dev.spur.model.job.HostDemand;
import dev.spur.solver.candidate.Candidate;
import dev.spur.solver.candidate.CandidateSet;
import dev.spur.solver.candidate.ClusterIndex;
import dev.spur.solver.candidate.NodeAccess;
import dev.spur.solver.candidate.NodeAtom;
import dev.spur.solver.constraint.ResourceKey;
import dev.spur.solver.constraint.RestartLimit;
import dev.spur.solver.program.Obligation;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Builder of the coupling constraints for a candidate set and the hard commitments of the round. */
public final class CouplingConstraintsBuilder {
    private final CandidateSet candidates;
    private final ClusterIndex hardware;
    private final ConstraintList rows = new ConstraintList();
    private final Map<String, Integer> aggregationRow = new HashMap<>();
    private final PatternCapacity nodeRows;
    private final QuotaAccounts quotas;
    private final GroupCapCoupling caps;

    private final RestartLimit restarts;

    private int restartRow = -1;

    private CouplingConstraintsBuilder(CandidateSet candidates, RelaxationLevel detail) {
        this.candidates = candidates;
        this.hardware = candidates.hardware();
        this.nodeRows = new PatternCapacity(candidates, rows);
        addAggregationRows();
        this.quotas = new QuotaAccounts(candidates, detail == RelaxationLevel.TENANTS, rows);
        this.caps = new GroupCapCoupling(
                candidates, tenant -> detail == RelaxationLevel.TENANTS && decidesWithinCaps(tenant), rows);
        this.restarts = RestartLimit.of(candidates);
        if (restarts.applies()) {
            restartRow = rows.add(new ResourceKey.Restarts(), restarts.capacity());
        }
    }

    /**
     * Returns the constraints; a job with a commitment is offered only candidates that satisfy it, and may not wait.
     */
    public static CouplingConstraints of(
            CandidateSet candidates, List<Obligation> commitments, RelaxationLevel detail) {
        return new CouplingConstraintsBuilder(candidates, detail).finish(commitments);
    }

    /**
     * Returns whether a knapsack enforces the quotas and caps of the tenant. In large rounds this costs more time than
     * it lowers the bound.
     */
    private boolean decidesWithinCaps(String tenant) {
        return candidates.size() < CouplingConstraints.MANY
                || quotas.privateQuotas(tenant).isEmpty();
    }

    private void addAggregationRows() {
        for (int c = 0; c < candidates.size(); c++) {
            String pool = candidates.get(c).configuration().pool();
            if (candidates.get(c).configuration().aggregationThousandths() > 0 && !aggregationRow.containsKey(pool)) {
                aggregationRow.put(
                        pool,
                        rows.add(new ResourceKey.Aggregation(pool), candidates.aggregationThousandths(pool) / 1000.0));
            }
        }
    }

    private CouplingConstraints finish(List<Obligation> commitments) {
        SparseMatrixBuilder entries = new SparseMatrixBuilder(candidates.size());
        boolean[] offered = new boolean[candidates.size()];
        boolean[] mayWait = new boolean[candidates.jobs()];
        int[] privateRow = new int[candidates.size()];
        Arrays.fill(offered, true);
        for (int j = 0; j < candidates.jobs(); j++) {
            mayWait[j] = !candidates.isPinned(j);
        }
        for (Obligation obligation : commitments) {
            int j = obligation.job();
            mayWait[j] = false;
            Arrays.fill(offered, candidates.first(j), candidates.end(j), false);
            obligation.candidates().forEach(c -> offered[c] = true);
        }
        for (int c = 0; c < candidates.size(); c++) {
            Candidate candidate = candidates.get(c);
            addEntries(candidate, entries);
            entries.endCandidate();
            LocalQuota own = quotas.privateQuotas(
                            candidates.job(candidate.job()).tenant())
                    .get(candidate.configuration().acceleratorType());
            privateRow[c] = own == null ? -1 : own.row();
        }
        return new CouplingConstraints(
                candidates,
                rows.all(),
                quotas.claims(),
                entries,
                offered,
                mayWait,
                restarts,
                restartRow,
                privateRow,
                nodeRows,
                quotas,
                caps);
    }

    private void addEntries(Candidate candidate, SparseMatrixBuilder entries) {
        int j = candidate.job();
        if (!candidates.isPinned(j)) {
            HostDemand demand = candidates.host(candidate);
            if (candidate.isRetained()) {
                addRetainedPieces(j, demand, entries);
            } else {
                nodeRows.addPieces(
                        candidate.nodeClass(), candidate.configuration().shape(), demand, candidate.access(), entries);
            }
            Integer aggregation = aggregationRow.get(candidate.configuration().pool());
            if (aggregation != null) {
                entries.add(aggregation, candidate.configuration().aggregationThousandths() / 1000.0);
            }
            if (candidate.isRetained() && restartRow >= 0) {
                entries.add(restartRow, restarts.coefficient(candidate));
            }
        }
        quotas.rows(candidates.job(j).tenant(), candidate.configuration().acceleratorType())
                .forEach(row -> entries.add(row, candidate.slots()));
        quotas.rowsOfNonPreemptible(candidates.job(j), candidate.configuration().acceleratorType())
                .forEach(row -> entries.add(row, candidate.slots()));
        caps.addEntries(candidate, entries);
    }

    private void addRetainedPieces(int j, HostDemand demand, SparseMatrixBuilder entries) {
        Allocation held = candidates.job(j).allocation();
        Map<Integer, List<Integer>> byAtom = new HashMap<>();
        for (NodeShare piece : held == null ? List.<NodeShare>of() : held.placement()) {
            byAtom.computeIfAbsent(hardware.atomOf(hardware.indexOf(piece.node())), a -> new ArrayList<>())
                    .add(piece.slots());
        }
        byAtom.forEach((a, pieces) -> {
            if (a >= 0) {
                NodeAtom atom = hardware.atoms().get(a);
                NodeAccess access = hardware.accessOf(atom.nodes().get(0));
                nodeRows.addPieces(atom.nodeClass(), pieces, demand, access, entries);
            }
        });
    }
}
