package dev.spur.service.executor;

import dev.spur.model.dataprep.PreparationAllocation;
import dev.spur.service.dataprep.StoredPreparation;
import dev.spur.service.executor.AssignmentReader.DesiredStateSnapshot;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Memory that a node lends. Members as in the contract. */
record LoanView(
        String preparationId,
        long generation,
        String borrower,
        int gib,
        @Nullable Double activity) {
    /** All loans of {@code node}. */
    static List<LoanView> of(String node, DesiredStateSnapshot news) {
        return news.preparations().stream()
                .filter(preparation -> preparation.lenders().contains(node))
                .map(preparation -> of(node, preparation))
                .toList();
    }

    private static LoanView of(String node, StoredPreparation preparation) {
        PreparationAllocation grant = Objects.requireNonNull(preparation.grant());
        return new LoanView(
                preparation.id(),
                preparation.generation(),
                grant.node(),
                grant.borrowedFrom(node),
                preparation.activity().get(node));
    }
}
