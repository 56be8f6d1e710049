package dev.spur.service.executors;

import com.fasterxml.jackson.annotation.JsonRawValue;
import dev.spur.model.dataprep.PreparationAllocation;
import dev.spur.model.json.RoundJson;
import dev.spur.service.executors.AssignmentReader.DesiredStateSnapshot;
import dev.spur.service.jobs.Command;
import dev.spur.service.jobs.StoredPreparation;
import dev.spur.service.jobs.learning.StoredAggregator;
import dev.spur.service.jobs.learning.StoredAggregator.JobShards;
import dev.spur.service.security.Sha256;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Desired state of an executor, ready to be sent.
 *
 * @param revision identifies the content: equal contents have equal revisions, on every replica and after every restart
 * @param planRevision revision of the plan that was current when the state was read
 * @param json the body; must not be modified
 */
@SuppressWarnings("ArrayRecordComponent") // instances are never compared
record ExecutorDesiredState(long revision, long planRevision, byte[] json) {
    /** Number of digest bits that every JSON parser represents exactly as an integer. */
    private static final long EXACT = (1L << 53) - 1;

    private record Body(
            String executorId,
            long revision,
            long planRevision,
            @JsonRawValue String assignments,
            @JsonRawValue String aggregators,
            @JsonRawValue String preparations,
            @JsonRawValue String lends) {}

    /** The desired state of the executor of a node. */
    static ExecutorDesiredState of(String executor, AssignmentReader.DesiredStateSnapshot news) {
        List<AssignmentView> views = news.byNode().getOrDefault(executor, List.of()).stream()
                .filter(AssignmentView::isVisible)
                .map(desired -> AssignmentView.of(desired, news))
                .toList();
        String assignments = RoundJson.mapper().writeValueAsString(views);
        String aggregators = RoundJson.mapper().writeValueAsString(AggregatorView.on(executor, news));
        String preparations = RoundJson.mapper().writeValueAsString(PreparationOrder.on(executor, news));
        String lends = RoundJson.mapper().writeValueAsString(LoanView.of(executor, news));
        long revision = revision(assignments + aggregators + preparations + lends);
        byte[] json = RoundJson.mapper()
                .writeValueAsBytes(new Body(
                        executor, revision, news.planRevision(), assignments, aggregators, preparations, lends));
        return new ExecutorDesiredState(revision, news.planRevision(), json);
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
        /** Memory of another node. */
        record BorrowedMemory(String lender, String address, int gib) {}

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
                            .map(loan -> new BorrowedMemory(
                                    loan.lender(),
                                    news.addresses().getOrDefault(loan.lender(), loan.lender()),
                                    loan.gib()))
                            .toList(),
                    command.graceSeconds());
        }
    }
}
