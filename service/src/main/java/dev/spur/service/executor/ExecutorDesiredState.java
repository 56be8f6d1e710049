package dev.spur.service.executor;

import com.fasterxml.jackson.annotation.JsonRawValue;
import dev.spur.model.json.RoundJson;
import dev.spur.service.security.Sha256;
import java.nio.ByteBuffer;
import java.util.List;

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

    String etag() {
        return "\"" + revision + "\"";
    }

    private static long revision(String content) {
        return Math.max(1, ByteBuffer.wrap(Sha256.of(content)).getLong() & EXACT);
    }
}
