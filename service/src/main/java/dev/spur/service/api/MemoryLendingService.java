package dev.spur.service.api;

import dev.spur.model.dataprep.Loan;
import dev.spur.model.dataprep.MemoryUse;
import dev.spur.model.dataprep.PreparationAllocation;
import dev.spur.service.cluster.NodeMemoryStore;
import dev.spur.service.cluster.NodeMemoryStore.MemoryExport;
import dev.spur.service.database.RoundTrigger;
import dev.spur.service.jobs.JobEventDetail;
import dev.spur.service.jobs.JobEventKind;
import dev.spur.service.jobs.JobTransitionStore;
import dev.spur.service.jobs.PreparationStore;
import dev.spur.service.jobs.StoredPreparation;
import dev.spur.service.web.contract.ProblemException;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;
import org.springframework.transaction.annotation.Transactional;

/**
 * Applies memory reports of nodes. Borrowers are notified at once of revoked loans, and the next plan takes them into
 * account.
 */
@Component
class MemoryLendingService {
    /** Change in GiB from which an early round is justified. */
    private static final double NOTABLE_GIB = 1;

    private final NodeMemoryStore memory;
    private final PreparationStore preparations;
    private final JobTransitionStore transitions;
    private final RoundTrigger trigger;
    private final Counter revoked;

    MemoryLendingService(
            NodeMemoryStore memory,
            PreparationStore preparations,
            JobTransitionStore transitions,
            RoundTrigger trigger,
            MeterRegistry registry) {
        this.memory = memory;
        this.preparations = preparations;
        this.transitions = transitions;
        this.trigger = trigger;
        this.revoked = Counter.builder("spur.memory.revoked.gib")
                .description("Memory that lenders have revoked, GiB, as reported to this replica")
                .register(registry);
    }

    /**
     * Memory report of a node. Members as in the contract.
     *
     * @param usedGiB memory in use beyond the grants of jobs
     * @param risk probability that it grows into the memory that the node could lend
     * @param lendingRefusal why the node lends no memory; null if it lends
     * @param revoked loans that the node has revoked
     * @param exports loans that borrowers can reach
     */
    record Report(
            double usedGiB,
            double risk,
            @Nullable String lendingRefusal,
            List<RevokedLoan> revoked,
            List<MemoryExport> exports) {
        Report {
            revoked = List.copyOf(revoked);
            exports = List.copyOf(exports);
        }
    }

    /**
     * A revoked loan.
     *
     * @param preparationId the borrower
     * @param generation number of its start
     * @param leftGiB remaining size of the loan
     */
    record RevokedLoan(String preparationId, long generation, int leftGiB) {}

    /**
     * Applies a report. A loan that is already no larger than its reported remainder stays unchanged.
     *
     * @throws ProblemException 404 if there is no such node
     */
    @Transactional
    void take(String node, Report report) {
        MemoryUse before = memory.find(node).orElseGet(() -> new MemoryUse(node, 0, 0, null));
        var use = new MemoryUse(node, report.usedGiB(), report.risk(), report.lendingRefusal());
        if (!memory.put(use, report.exports())) {
            throw ProblemException.notFound("node", node);
        }
        if (Math.abs(use.usedGiB() - before.usedGiB()) >= NOTABLE_GIB
                || (use.lendingRefusal() == null) != (before.lendingRefusal() == null)) {
            trigger.requestRound("memory use of a node changed");
        }
        List<String> ids =
                report.revoked().stream().map(RevokedLoan::preparationId).toList();
        Map<String, StoredPreparation> borrowers =
                preparations.lock(ids).stream().collect(Collectors.toMap(StoredPreparation::id, Function.identity()));
        report.revoked().forEach(one -> shrink(node, one, borrowers.get(one.preparationId())));
    }

    private void shrink(String node, RevokedLoan one, @Nullable StoredPreparation row) {
        PreparationAllocation grant = row == null || row.generation() != one.generation() ? null : row.grant();
        int lent = grant == null ? 0 : grant.borrowedFrom(node);
        if (row == null || grant == null || lent <= one.leftGiB()) {
            return;
        }
        List<Loan> loans = new ArrayList<>();
        for (Loan loan : grant.loans()) {
            int gib = loan.lender().equals(node) ? one.leftGiB() : loan.gib();
            if (gib > 0) {
                loans.add(new Loan(loan.lender(), gib));
            }
        }
        preparations.grant(row.id(), row.generation(), grant.withLoans(loans));
        transitions.addEvent(
                row.id(),
                JobEventKind.REVOKED,
                new JobEventDetail.Revocation(node, lent - one.leftGiB(), one.leftGiB()));
        revoked.increment(lent - one.leftGiB());
        trigger.requestRound("a lender revoked memory");
    }
}
