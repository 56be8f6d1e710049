package dev.spur.service.executors;

import com.fasterxml.jackson.annotation.JsonRawValue;
import dev.spur.model.dataprep.Loan;
import dev.spur.model.dataprep.PreparationAllocation;
import dev.spur.model.json.RoundJson;
import dev.spur.service.cluster.NodeMemoryStore.MemoryExport;
import dev.spur.service.executors.AssignmentReader.DesiredStateSnapshot;
import dev.spur.service.jobs.Command;
import dev.spur.service.jobs.StoredPreparation;
import dev.spur.service.jobs.learning.StoredAggregator;
import dev.spur.service.jobs.learning.StoredAggregator.JobShards;
import dev.spur.service.security.Sha256;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Desired state of an executor, ready to be sent.
 *
 * @param revision identifies the content: equal contents have equal revisions, on every replica and after every restart
 * @param planRevision revision of the plan that was current when the state was read
 * @param json the body for the executor; must not be modified
 * @param jsonWithoutKeys the body for other callers: loans have no keys; must not be modified
 */
@SuppressWarnings("ArrayRecordComponent") // instances are never compared
record ExecutorDesiredState(long revision, long planRevision, byte[] json, byte[] jsonWithoutKeys) {
    /** Number of digest bits that every JSON parser represents exactly as an integer. */
    private static final long EXACT = (1L << 53) - 1;

    private record Body(
            String executorId,
            long revision,
            long planRevision,
            @JsonRawValue String assignments,
            @JsonRawValue String aggregators,
            @JsonRawValue String preparations,
            @JsonRawValue String lends) {
        Body withPreparations(String other) {
            return new Body(executorId, revision, planRevision, assignments, aggregators, other, lends);
        }
    }

    /** The desired state of the executor of a node. */
    static ExecutorDesiredState of(String executor, AssignmentReader.DesiredStateSnapshot news) {
        List<AssignmentView> views = news.byNode().getOrDefault(executor, List.of()).stream()
                .filter(AssignmentView::isVisible)
                .map(desired -> AssignmentView.of(desired, news))
                .toList();
        String assignments = RoundJson.mapper().writeValueAsString(views);
        String aggregators = RoundJson.mapper().writeValueAsString(AggregatorView.on(executor, news));
        List<PreparationOrder> orders = PreparationOrder.on(executor, news);
        String preparations = RoundJson.mapper().writeValueAsString(orders);
        String lends = RoundJson.mapper().writeValueAsString(LoanView.of(executor, news));
        long revision = revision(assignments + aggregators + preparations + lends);
        var body = new Body(executor, revision, news.planRevision(), assignments, aggregators, preparations, lends);
        byte[] json = RoundJson.mapper().writeValueAsBytes(body);
        List<PreparationOrder> known =
                orders.stream().map(PreparationOrder::withoutKeys).toList();
        byte[] jsonWithoutKeys = known.equals(orders)
                ? json
                : RoundJson.mapper()
                        .writeValueAsBytes(
                                body.withPreparations(RoundJson.mapper().writeValueAsString(known)));
        return new ExecutorDesiredState(revision, news.planRevision(), json, jsonWithoutKeys);
    }

    private static long revision(String content) {
        return Math.max(1, ByteBuffer.wrap(Sha256.of(content)).getLong() & EXACT);
    }

    /** An aggregator that an executor must run. Members as in the contract. */
    record AggregatorView(int number, int port, double cpus, List<JobShards> shardsByJob) {
        /** The aggregators of a node. */
        static List<AggregatorView> on(String node, DesiredStateSnapshot news) {
            return news.aggregators().stream()
                    .filter(stored -> stored.node().equals(node))
                    .map(AggregatorView::of)
                    .toList();
        }

        private static AggregatorView of(StoredAggregator stored) {
            return new AggregatorView(
                    stored.number(), stored.port(), stored.cpus(), stored.all().toList());
        }
    }

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

    /** A preparation that an executor must run. Members as in the contract. */
    record PreparationOrder(
            String preparationId,
            String tenant,
            long generation,
            Command command,
            double cpus,
            int localGiB,
            List<BorrowedMemory> loans,
            double graceSeconds) {
        /** Memory of another node. Port and key are null while the lender does not serve it. */
        record BorrowedMemory(
                String lender,
                String address,
                int gib,
                @Nullable Integer port,
                @Nullable String key) {
            private static BorrowedMemory of(StoredPreparation preparation, Loan loan, DesiredStateSnapshot news) {
                Optional<MemoryExport> export = news.exports().getOrDefault(loan.lender(), List.of()).stream()
                        .filter(one -> one.preparationId().equals(preparation.id())
                                && one.generation() == preparation.generation())
                        .findFirst();
                return new BorrowedMemory(
                        loan.lender(),
                        news.addresses().getOrDefault(loan.lender(), loan.lender()),
                        loan.gib(),
                        export.map(MemoryExport::port).orElse(null),
                        export.map(MemoryExport::key).orElse(null));
            }

            private BorrowedMemory withoutKey() {
                return new BorrowedMemory(lender, address, gib, port, null);
            }

            @Override
            public String toString() {
                return "%d GiB of %s".formatted(gib, lender);
            }
        }

        private PreparationOrder withoutKeys() {
            return new PreparationOrder(
                    preparationId,
                    tenant,
                    generation,
                    command,
                    cpus,
                    localGiB,
                    loans.stream().map(BorrowedMemory::withoutKey).toList(),
                    graceSeconds);
        }

        /** Preparations of a node that have an allocation to start. */
        static List<PreparationOrder> on(String node, DesiredStateSnapshot news) {
            return news.preparations().stream()
                    .filter(preparation -> preparation.command() != null
                            && Objects.requireNonNull(preparation.grant())
                                    .node()
                                    .equals(node))
                    .map(preparation -> of(preparation, news))
                    .toList();
        }

        private static PreparationOrder of(StoredPreparation preparation, DesiredStateSnapshot news) {
            Command command = Command.read(Objects.requireNonNull(preparation.command()));
            PreparationAllocation grant = Objects.requireNonNull(preparation.grant());
            return new PreparationOrder(
                    preparation.id(),
                    preparation.tenant(),
                    preparation.generation(),
                    command,
                    grant.cpus(),
                    grant.localGiB(),
                    grant.loans().stream()
                            .map(loan -> BorrowedMemory.of(preparation, loan, news))
                            .toList(),
                    command.graceSeconds());
        }
    }
}
