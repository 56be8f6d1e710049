package dev.spur.service.executor;

import dev.spur.model.dataprep.PreparationAllocation;
import dev.spur.service.dataprep.StoredPreparation;
import dev.spur.service.executor.AssignmentReader.DesiredStateSnapshot;
import dev.spur.service.job.Command;
import java.util.List;
import java.util.Objects;

/** A preparation that an executor must run. Members as in the contract. */
record PreparationOrder(
        String preparationId,
        long generation,
        Command command,
        double cpus,
        int localGiB,
        List<BorrowedMemory> loans,
        double graceSeconds) {
    /** Memory of another node. */
    record BorrowedMemory(String lender, String address, int gib) {}

    /** Preparations of a node that have an allocation to start. */
    static List<PreparationOrder> on(String node, DesiredStateSnapshot news) {
        return news.preparations().stream()
                .filter(preparation -> preparation.command() != null
                        && Objects.requireNonNull(preparation.grant()).node().equals(node))
                .map(preparation -> of(preparation, news))
                .toList();
    }

    private static PreparationOrder of(StoredPreparation preparation, DesiredStateSnapshot news) {
        Command command = Command.read(Objects.requireNonNull(preparation.command()));
        PreparationAllocation grant = Objects.requireNonNull(preparation.grant());
        return new PreparationOrder(
                preparation.id(),
                preparation.generation(),
                command,
                grant.cpus(),
                grant.localGiB(),
                grant.loans().stream()
                        .map(loan -> new BorrowedMemory(
                                loan.lender(), news.addresses().getOrDefault(loan.lender(), loan.lender()), loan.gib()))
                        .toList(),
                command.graceSeconds());
    }
}
