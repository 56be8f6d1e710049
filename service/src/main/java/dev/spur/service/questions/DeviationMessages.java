package dev.spur.service.questions;

import dev.spur.service.jobs.JobKind;
import dev.spur.service.jobs.JobStore;
import dev.spur.service.jobs.learning.ChangeCost;
import dev.spur.service.jobs.learning.JobAggregationStore;
import dev.spur.service.jobs.learning.StallLearning;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/** Measurements of a job that deviate from its stated values, as messages. */
@Component
class DeviationMessages {
    private final JobAggregationStore aggregation;
    private final StallLearning stalls;
    private final JobStore jobs;

    DeviationMessages(JobAggregationStore aggregation, StallLearning stalls, JobStore jobs) {
        this.aggregation = aggregation;
        this.stalls = stalls;
        this.jobs = jobs;
    }

    /** Returns the stall of each change that the job supports; empty for a data preparation. */
    List<ChangeCost> stalls(String job) {
        return jobs.find(job)
                .filter(found -> found.kind() == JobKind.TRAINING)
                .map(found -> stalls.of(job, found.trainingSpec()))
                .orElse(List.of());
    }

    /** Returns the measured aggregation load of a job in a sentence; null if there is none. */
    @Nullable
    String aggregationLoad(String job) {
        return aggregation
                .find(job)
                .map(JobAggregationStore.LearnedAggregation::message)
                .orElse(null);
    }
}
