package dev.spur.service.performance;

import dev.spur.service.retention.RetentionTask;
import dev.spur.service.store.JobAggregationStore;
import dev.spur.service.store.LearningStore;
import dev.spur.service.store.LossStore;
import dev.spur.service.store.ProfilingStore;
import org.springframework.stereotype.Component;

/** Deletes the measurements of jobs that ended long ago; their families keep them. */
@Component
class LearningRetention implements RetentionTask {
    private final LearningStore learning;
    private final LossStore losses;
    private final ProfilingStore profiling;
    private final JobAggregationStore aggregation;

    LearningRetention(
            LearningStore learning, LossStore losses, ProfilingStore profiling, JobAggregationStore aggregation) {
        this.learning = learning;
        this.losses = losses;
        this.profiling = profiling;
        this.aggregation = aggregation;
    }

    @Override
    public String what() {
        return "measurements of ended jobs";
    }

    @Override
    public void forget() {
        learning.forget();
        losses.forget();
        profiling.forget();
        aggregation.forget();
    }
}
