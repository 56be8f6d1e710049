package dev.spur.model.job;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonProperty;
import dev.spur.model.Checks;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The service that a job has received so far. Times are seconds on the clock of the problem.
 *
 * @param attainedService slot-seconds held
 * @param runSeconds seconds with slots
 * @param restarts starts after the first one
 * @param firstStart first time it got slots; null if never
 * @param waitingSince start of the latest wait: its arrival, or the time it lost its slots. Undefined while it holds
 *     slots
 * @param unservedSince its arrival, or the end of its last allocation of at least a stint ({@link Job#stintSeconds()})
 * @param unsavedSeconds seconds of work that a stop loses, because no checkpoint contains them; 0 if it saves one when
 *     it is stopped
 */
public record ServiceHistory(
        double attainedService,
        double runSeconds,
        int restarts,
        @Nullable Double firstStart,
        double waitingSince,
        double unservedSince,
        double unsavedSeconds) {
    public ServiceHistory {
        Checks.atLeast("attainedService", attainedService, 0);
        Checks.atLeast("runSeconds", runSeconds, 0);
        Checks.atLeast("restarts", restarts, 0);
        Checks.atLeast("unsavedSeconds", unsavedSeconds, 0);
    }

    /** Reads a history; older files have no values for the last two components. */
    @JsonCreator
    static ServiceHistory read(
            @JsonProperty("attainedService") double attainedService,
            @JsonProperty("runSeconds") double runSeconds,
            @JsonProperty("restarts") int restarts,
            @JsonProperty("firstStart") @Nullable Double firstStart,
            @JsonProperty("waitingSince") double waitingSince,
            @JsonProperty("unservedSince") @Nullable Double unservedSince,
            @JsonProperty("unsavedSeconds") @Nullable Double unsavedSeconds) {
        return new ServiceHistory(
                attainedService,
                runSeconds,
                restarts,
                firstStart,
                waitingSince,
                Objects.requireNonNullElse(unservedSince, waitingSince),
                Objects.requireNonNullElse(unsavedSeconds, 0.0));
    }

    /** Creates the history of a job whose last allocation was a stint, and that loses no work by a stop. */
    public ServiceHistory(
            double attainedService, double runSeconds, int restarts, @Nullable Double firstStart, double waitingSince) {
        this(attainedService, runSeconds, restarts, firstStart, waitingSince, waitingSince, 0);
    }

    /** Returns the history of a job that has just arrived. */
    public static ServiceHistory ofArrival(double arrival) {
        return new ServiceHistory(0, 0, 0, null, arrival);
    }
}
