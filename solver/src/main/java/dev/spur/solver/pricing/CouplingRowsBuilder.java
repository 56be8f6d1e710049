package dev.spur.solver.pricing;

import dev.spur.model.allocation.Allocation;
import dev.spur.model.allocation.Piece;
import dev.spur.model.job.HostDemand;
import dev.spur.solver.candidate.Candidate;
import dev.spur.solver.candidate.CandidateSet;
import dev.spur.solver.candidate.Hardware;
import dev.spur.solver.placement.GreedyFill;
import dev.spur.solver.program.Obligation;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** States the rows that couple jobs, for a candidate set and the obligations of the round. */
final class CouplingRowsBuilder {
    private final CandidateSet candidates;
    private final Hardware hardware;
    private final RowList rows = new RowList();
    private final Map<String, Integer> aggregationRow = new HashMap<>();
    private final NodeRows nodeRows;
    private final QuotaAccounts quotas;
    private final CapRows caps;

    private int restartRow = -1;
    private int restartLimit = Integer.MAX_VALUE;

    private CouplingRowsBuilder(CandidateSet candidates, Detail detail) {
        this.candidates = candidates;
        this.hardware = candidates.hardware();
        this.nodeRows = detail == Detail.SUMS ? new CapacityRows(candidates, rows) : new PatternRows(candidates, rows);
        addAggregationRows();
        this.quotas = new QuotaAccounts(candidates, detail == Detail.TENANTS, rows);
        this.caps = new CapRows(candidates, tenant -> detail == Detail.TENANTS && decidesWithinCaps(tenant), rows);
        addRestartRow();
    }

    /** A job with an obligation may only be offered what meets it, and may not wait. */
    static CouplingRows of(CandidateSet candidates, List<Obligation> owed, Detail detail) {
        return new CouplingRowsBuilder(candidates, detail).finish(owed);
    }

    /** In large rounds knapsacks with quotas and caps take more time than they prove. */
    private boolean decidesWithinCaps(String tenant) {
        return candidates.size() < CouplingRows.MANY
                || quotas.privateQuotas(tenant).isEmpty();
    }

    private void addAggregationRows() {
        for (int c = 0; c < candidates.size(); c++) {
            String pool = candidates.get(c).configuration().pool();
            if (candidates.get(c).configuration().aggregationThousandths() > 0 && !aggregationRow.containsKey(pool)) {
                aggregationRow.put(
                        pool, rows.add("aggregation:" + pool, candidates.aggregationThousandths(pool) / 1000.0));
            }
        }
    }

    private void addRestartRow() {
        Integer limit = candidates.problem().settings().maxRestarts();
        if (limit == null) {
            return;
        }
        int[] repaired = GreedyFill.repaired(candidates);
        int keepable = 0;
        for (int j = 0; j < candidates.jobs(); j++) {
            if (candidates.kept(j) >= 0) {
                if (repaired[j] < 0) {
                    return;
                }
                keepable += candidates.mustStay(j) ? 0 : 1;
            }
        }
        restartLimit = limit;
        restartRow = rows.add("restarts", limit - keepable);
    }

    private CouplingRows finish(List<Obligation> owed) {
        Entries entries = new Entries(candidates.size());
        boolean[] offered = new boolean[candidates.size()];
        boolean[] mayWait = new boolean[candidates.jobs()];
        int[] privateRow = new int[candidates.size()];
        Arrays.fill(offered, true);
        for (int j = 0; j < candidates.jobs(); j++) {
            mayWait[j] = !candidates.mustStay(j);
        }
        for (Obligation obligation : owed) {
            int j = obligation.job();
            mayWait[j] = false;
            Arrays.fill(offered, candidates.first(j), candidates.end(j), false);
            obligation.candidates().forEach(c -> offered[c] = true);
        }
        for (int c = 0; c < candidates.size(); c++) {
            Candidate candidate = candidates.get(c);
            addEntries(candidate, entries);
            entries.endCandidate();
            PrivateQuota own = quotas.privateQuotas(
                            candidates.job(candidate.job()).tenant())
                    .get(candidate.configuration().acceleratorType());
            privateRow[c] = own == null ? -1 : own.row();
        }
        return new CouplingRows(
                candidates,
                rows.all(),
                quotas.claims(),
                entries,
                offered,
                mayWait,
                restartLimit,
                privateRow,
                nodeRows,
                quotas,
                caps);
    }

    private void addEntries(Candidate candidate, Entries entries) {
        int j = candidate.job();
        if (!candidates.mustStay(j)) {
            HostDemand demand = candidates.host(candidate);
            if (candidate.kept()) {
                addKeptPieces(j, demand, entries);
            } else {
                nodeRows.addPieces(
                        candidate.nodeClass(), candidate.configuration().shape(), demand, entries);
            }
            Integer aggregation = aggregationRow.get(candidate.configuration().pool());
            if (aggregation != null) {
                entries.add(aggregation, candidate.configuration().aggregationThousandths() / 1000.0);
            }
            if (candidate.kept() && restartRow >= 0) {
                entries.add(restartRow, -1);
            }
        }
        quotas.rows(candidates.job(j).tenant(), candidate.configuration().acceleratorType())
                .forEach(row -> entries.add(row, candidate.slots()));
        caps.addEntries(candidate, entries);
    }

    private void addKeptPieces(int j, HostDemand demand, Entries entries) {
        Allocation held = candidates.job(j).allocation();
        Map<Integer, List<Integer>> byClass = new HashMap<>();
        for (Piece piece : held == null ? List.<Piece>of() : held.placement()) {
            byClass.computeIfAbsent(hardware.classOf(hardware.indexOf(piece.node())), k -> new ArrayList<>())
                    .add(piece.slots());
        }
        byClass.forEach((k, pieces) -> {
            if (k >= 0) {
                nodeRows.addPieces(k, pieces, demand, entries);
            }
        });
    }
}
