package dev.spur.service.explain;

import dev.spur.service.aggregation.JobAggregationStore;
import dev.spur.service.job.JobKind;
import dev.spur.service.job.JobStore;
import dev.spur.service.performance.ChangeCost;
import dev.spur.service.performance.DriftMessages;
import dev.spur.service.performance.LearningStore;
import dev.spur.service.performance.StallLearning;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/** Measurements of a job that deviate from its stated values, as messages. */
@Component
class DeviationMessages {
    private final LearningStore learning;
    private final JobAggregationStore aggregation;
    private final StallLearning stalls;
    private final JobStore jobs;

    DeviationMessages(LearningStore learning, JobAggregationStore aggregation, StallLearning stalls, JobStore jobs) {
        this.learning = learning;
        this.aggregation = aggregation;
        this.stalls = stalls;
        this.jobs = jobs;
    }

    /** Returns the last lasting change of the speed of a job in a sentence; null if there is none. */
    @Nullable
    String drift(String job) {
        return learning.drift(job).map(DriftMessages::message).orElse(null);
    }

    /** Returns the stall of each change that the job supports; empty for a data preparation. */
    List<ChangeCost> stalls(String job) {
        return jobs.find(job)
                .filter(found -> found.kind() == JobKind.TRAINING)
                .map(found -> stalls.of(job, found.readSpec()))
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
