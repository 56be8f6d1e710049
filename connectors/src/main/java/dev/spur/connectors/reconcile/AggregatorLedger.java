package dev.spur.connectors.reconcile;

import dev.spur.connectors.DesiredAggregator;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Durable record of the aggregators that Spur requires on a platform. Each write is durable when its method returns.
 */
public interface AggregatorLedger {
    /** Returns all lines, oldest first. */
    List<Line> lines();

    /** Adds a line with a random mark and a random key. */
    Line add(DesiredAggregator want);

    /** Replaces the line with the same mark. */
    void write(Line line);

    /** Deletes the line of an ended aggregator. */
    void delete(Line line);

    /**
     * An aggregator that Spur starts, runs or stops.
     *
     * @param mark identifier on the platform
     * @param want the required aggregator
     * @param key secret by which the aggregator fetches its assignment
     * @param closing true if it is to stop
     * @param requestDeadline deadline for the effect of the last request; null without a request
     * @param accepted true if the platform accepted the last request
     * @param place observed address; empty until it runs
     * @param failures consecutive failures
     * @param detail latest outcome, as text
     */
    record Line(
            String mark,
            DesiredAggregator want,
            String key,
            boolean closing,
            @Nullable Instant requestDeadline,
            boolean accepted,
            Optional<Place> place,
            int failures,
            String detail) {
        /** Creates a new line. */
        public static Line create(String mark, DesiredAggregator want, String key) {
            return new Line(mark, want, key, false, null, false, Optional.empty(), 0, "start pending");
        }

        Line withRequest(Instant until, int failed, String what) {
            return new Line(mark, want, key, closing, until, false, Optional.empty(), failed, what);
        }

        Line withPlace(Place where, int failed, String what) {
            return new Line(mark, want, key, closing, requestDeadline, accepted, Optional.of(where), failed, what);
        }

        Line ending() {
            return new Line(mark, want, key, true, null, false, Optional.empty(), 0, "stop requested");
        }

        Line accept(String what) {
            return new Line(mark, want, key, closing, requestDeadline, true, place, failures, what);
        }

        boolean isPending(Instant now) {
            return requestDeadline != null && now.isBefore(requestDeadline);
        }
    }

    /**
     * Address of a running aggregator.
     *
     * @param host host address for clients
     * @param port port for clients
     * @param since time of the first observation at this address
     */
    record Place(String host, int port, Instant since) {
        boolean isAt(String otherHost, int otherPort) {
            return host.equals(otherHost) && port == otherPort;
        }
    }
}
