package dev.spur.service.outcomes;

import dev.spur.model.history.CapacityChange;
import dev.spur.model.history.PastJob;
import dev.spur.model.history.PastRange;
import dev.spur.model.json.RoundJson;
import dev.spur.model.round.RoundMemory;
import dev.spur.model.round.RoundProblem;
import dev.spur.service.plans.SnapshotReader;
import dev.spur.service.plans.StateSnapshot;
import dev.spur.service.web.contract.FieldError;
import dev.spur.service.web.contract.ProblemException;
import dev.spur.service.web.contract.ProblemType;
import java.io.OutputStream;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.stereotype.Component;
import tools.jackson.core.StreamWriteFeature;
import tools.jackson.databind.ObjectWriter;
import tools.jackson.databind.SerializationFeature;

/**
 * Exports past time ranges, from which self-audits replay the jobs outside the service. One export runs at a time. It
 * reads and writes the jobs in pages, so that its memory does not depend on the number of jobs.
 */
@Component
class PastRangeExport {
    private static final Duration LONGEST = Duration.ofDays(31);
    private static final int MAX_JOBS = 5000;
    private static final int PAGE = 100;
    private static final String RETRY_SECONDS = "5";
    /**
     * Failures of the database keep their type. After a failure the writer neither ends nor sends the response, so that
     * it is a problem if no part of it was sent, and otherwise recognizably incomplete.
     */
    private static final ObjectWriter JSON = RoundJson.mapper()
            .writer()
            .without(SerializationFeature.WRAP_EXCEPTIONS)
            .without(StreamWriteFeature.AUTO_CLOSE_TARGET)
            .without(StreamWriteFeature.FLUSH_PASSED_TO_STREAM);

    private final PastJobStore jobs;
    private final CapacityStore capacities;
    private final SnapshotReader snapshots;
    private final int maxJobs;
    private final Semaphore permit = new Semaphore(1);

    @Autowired
    PastRangeExport(PastJobStore jobs, CapacityStore capacities, SnapshotReader snapshots) {
        this(jobs, capacities, snapshots, MAX_JOBS);
    }

    /** An export of at most {@code maxJobs} jobs. */
    PastRangeExport(PastJobStore jobs, CapacityStore capacities, SnapshotReader snapshots, int maxJobs) {
        this.jobs = jobs;
        this.capacities = capacities;
        this.snapshots = snapshots;
        this.maxJobs = maxJobs;
    }

    /** A {@link PastRange} whose jobs are read while they are written. */
    private record StreamedRange(
            String format,
            Instant since,
            Instant until,
            double roundSeconds,
            RoundProblem state,
            List<CapacityChange> capacities,
            Iterable<PastJob> jobs) {}

    /**
     * Writes the range as JSON.
     *
     * @throws ProblemException 400 if the range is longer than 31 days or has more than 5,000 jobs; 429 while another
     *     export runs
     */
    void write(TimeRange range, OutputStream output) {
        if (Duration.between(range.since(), range.until()).compareTo(LONGEST) > 0) {
            throw invalidRange("must be at most %d days before until".formatted(LONGEST.toDays()));
        }
        if (!permit.tryAcquire()) {
            throw ProblemException.of(
                            ProblemType.TOO_MANY_REQUESTS, "Another export of outcomes runs; the limit is one.")
                    .withHeader("Retry-After", RETRY_SECONDS);
        }
        try {
            JSON.writeValue(output, read(range));
        } finally {
            permit.release();
        }
    }

    private StreamedRange read(TimeRange range) {
        List<String> ids = jobs.ids(range, maxJobs + 1);
        if (ids.size() > maxJobs) {
            throw invalidRange(
                    "must be later than %s, because more than %d jobs were active from then to %s; export shorter ranges"
                            .formatted(range.since(), maxJobs, range.until()));
        }
        StateSnapshot now = snapshots.readCluster();
        return new StreamedRange(
                PastRange.FORMAT,
                range.since(),
                range.until(),
                now.settings().roundSeconds(),
                withoutJobs(now.problem()),
                capacities.between(range.since(), range.until()),
                () -> pages(range, ids).iterator());
    }

    private Stream<PastJob> pages(TimeRange range, List<String> ids) {
        return IntStream.iterate(0, from -> from < ids.size(), from -> from + PAGE)
                .mapToObj(from -> ids.subList(from, Math.min(ids.size(), from + PAGE)))
                .flatMap(page -> jobs.jobs(range, page).stream());
    }

    private static ProblemException invalidRange(String message) {
        return ProblemException.of(ProblemType.INVALID_REQUEST, FieldError.inParameter("since", message));
    }

    private static RoundProblem withoutJobs(RoundProblem problem) {
        return problem.withJobs(List.of()).withPreparations(List.of()).withMemory(RoundMemory.EMPTY);
    }
}
