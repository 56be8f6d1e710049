package dev.spur.connectors.reconcile;

import dev.spur.connectors.DesiredAggregator;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Which aggregators Spur means to have on a platform. What a method has written when it returns is on disk. */
public interface AggregatorLedger {
    /** All lines, oldest first. */
    List<Line> lines();

    /** Opens a line, with a mark and a key that are not to be guessed. */
    Line enter(DesiredAggregator want);

    /** Writes a line in place of the one with its mark. */
    void write(Line line);

    /** Deletes the line of an aggregator that has ended. */
    void strike(Line line);

    /**
     * An aggregator that Spur means to have, or to end.
     *
     * @param mark what it is known by on the platform
     * @param want what it is
     * @param key by which it asks what it is to sum
     * @param closing true if it is to end
     * @param askedUntil by when what was asked for last is to be seen; null if nothing was
     * @param promised true if the platform has said that it does what was asked for last
     * @param place where it was seen; empty while it is not
     * @param failures how often in a row it was not to be had
     * @param detail the last that is known of it, for people
     */
    record Line(
            String mark,
            DesiredAggregator want,
            String key,
            boolean closing,
            @Nullable Instant askedUntil,
            boolean promised,
            Optional<Place> place,
            int failures,
            String detail) {
        /** A line that was just opened. */
        public static Line entered(String mark, DesiredAggregator want, String key) {
            return new Line(mark, want, key, false, null, false, Optional.empty(), 0, "it is about to be started");
        }

        Line asked(Instant until, int failed, String what) {
            return new Line(mark, want, key, closing, until, false, Optional.empty(), failed, what);
        }

        Line seen(Place where, int failed, String what) {
            return new Line(mark, want, key, closing, askedUntil, promised, Optional.of(where), failed, what);
        }

        Line ending() {
            return new Line(mark, want, key, true, null, false, Optional.empty(), 0, "it is to end");
        }

        Line answered(String what) {
            return new Line(mark, want, key, closing, askedUntil, true, place, failures, what);
        }

        boolean isPending(Instant now) {
            return askedUntil != null && now.isBefore(askedUntil);
        }
    }

    /**
     * Where an aggregator runs.
     *
     * @param host where others reach it
     * @param port where it listens, seen from others
     * @param since when it was first seen there
     */
    record Place(String host, int port, Instant since) {
        boolean isAt(String otherHost, int otherPort) {
            return host.equals(otherHost) && port == otherPort;
        }
    }
}
