package dev.spur.service.jobs.learning;

import dev.spur.service.jobs.JobStore;
import java.util.concurrent.TimeUnit;
import org.springframework.stereotype.Component;

/**
 * Refreshes outdated predictions: those of jobs that have reported measurements, or whose family or cluster has
 * changed, since their last prediction.
 *
 * <p>Each round is preceded by a limited number of refreshes. The remaining jobs come first before the next round and
 * are planned with their older predictions until then.
 */
@Component
public class PredictionRefresher {
    private static final int MAX = 200;
    private static final long MAX_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

    private final LearningStore store;
    private final JobStore jobs;
    private final SpeedLearning learning;

    PredictionRefresher(LearningStore store, JobStore jobs, SpeedLearning learning) {
        this.store = store;
        this.jobs = jobs;
        this.learning = learning;
    }

    /** Refreshes some of the outdated predictions. Returns their number. */
    public int refresh() {
        long end = System.nanoTime() + MAX_NANOS;
        int done = 0;
        for (String job : store.outdatedJobs(MAX)) {
            if (System.nanoTime() > end) {
                break;
            }
            boolean fresh = jobs.find(job)
                    .map(found -> learning.refresh(job, found.trainingSpec()))
                    .orElse(false);
            done += fresh ? 1 : 0;
        }
        return done;
    }
}
