package dev.spur.service.connectors;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import dev.spur.connectors.reconcile.ActionRecord;
import dev.spur.connectors.reconcile.AggregatorLedger;
import dev.spur.model.json.RoundJson;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.zip.CRC32;
import org.jspecify.annotations.Nullable;

/** A connector as clients see it. Members as in the contract. */
record ConnectorView(
        @JsonUnwrapped ConnectorStore.Row connector,
        CircuitBreaker circuitBreaker,
        @Nullable Actions actions,
        @Nullable List<AggregatorLine> aggregators,
        @Nullable List<RejectedJob> rejected) {
    private static final int MAX_REJECTED = 100;

    /** State of the circuit breaker: open after it has reset the control level to OBSERVE. */
    enum CircuitBreaker {
        CLOSED,
        OPEN
    }

    /** Open actions, oldest first, and failed or rejected ones, newest first. */
    record Actions(List<ActionView> open, List<ActionView> failed) {}

    /** One action. */
    record ActionView(
            String id,
            long revision,
            String job,
            String kind,
            Map<String, Integer> placement,
            String state,
            @Nullable String step,
            int failures,
            String detail) {
        static ActionView of(ActionRecord entry) {
            return new ActionView(
                    entry.action().id(),
                    entry.action().revision(),
                    entry.action().job(),
                    entry.action().kind().name(),
                    entry.action().placement().slots(),
                    entry.state().name(),
                    entry.step() == null ? null : entry.step().name(),
                    entry.failures(),
                    entry.detail());
        }
    }

    /** An aggregator. */
    record AggregatorLine(
            String node,
            int number,
            int port,
            String state,
            @Nullable String address,
            int failures,
            String detail) {
        static AggregatorLine of(PlatformAggregatorStore.Row row) {
            AggregatorLedger.Line line = row.line();
            String shown = line.place().isEmpty() ? "PENDING" : row.isReady() ? "READY" : "RUNNING";
            return new AggregatorLine(
                    line.want().node(),
                    line.want().number(),
                    line.want().port(),
                    line.closing() ? "CLOSING" : shown,
                    line.place().map(place -> place.host() + ":" + place.port()).orElse(null),
                    line.failures(),
                    line.detail());
        }
    }

    /** A job that could not be imported. */
    record RejectedJob(String job, String reason) {}

    static ConnectorView summary(ConnectorStore.Row row) {
        return new ConnectorView(row, breaker(row), null, null, null);
    }

    static ConnectorView whole(
            ConnectorStore.Row row,
            List<ActionRecord> open,
            List<ActionRecord> failed,
            List<PlatformAggregatorStore.Row> aggregators,
            Collection<ConnectorJobStore.Row> jobs) {
        List<RejectedJob> rejected = jobs.stream()
                .filter(job -> job.reason() != null)
                .sorted(Comparator.comparing(ConnectorJobStore.Row::platformId))
                .limit(MAX_REJECTED)
                .map(job -> new RejectedJob(job.platformId(), String.valueOf(job.reason())))
                .toList();
        return new ConnectorView(
                row,
                breaker(row),
                new Actions(views(open), views(failed)),
                aggregators.stream().map(AggregatorLine::of).toList(),
                rejected);
    }

    private static CircuitBreaker breaker(ConnectorStore.Row row) {
        return row.circuitOpenReason() == null ? CircuitBreaker.CLOSED : CircuitBreaker.OPEN;
    }

    /** Returns a checksum of all members, for the entity tag. */
    long checksum() {
        CRC32 checksum = new CRC32();
        checksum.update(RoundJson.mapper().writeValueAsBytes(this));
        return checksum.getValue();
    }

    private static List<ActionView> views(List<ActionRecord> entries) {
        return entries.stream().map(ActionView::of).toList();
    }
}
