package dev.spur.service.explain;

import dev.spur.service.aggregation.AggregationLoadMessages;
import dev.spur.service.aggregation.JobAggregationStore;
import dev.spur.service.performance.DriftMessages;
import dev.spur.service.performance.LearningStore;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/** Messages about measurements of a job that deviate from its stated values. */
@Component
class DeviationMessages {
    private final LearningStore learning;
    private final JobAggregationStore aggregation;

    DeviationMessages(LearningStore learning, JobAggregationStore aggregation) {
        this.learning = learning;
        this.aggregation = aggregation;
    }

    /** Returns the last lasting change of the speed of a job in a sentence; null if there is none. */
    @Nullable
    String drift(String job) {
        return learning.drift(job).map(DriftMessages::sentence).orElse(null);
    }

    /** Returns the measured aggregation load of a job in a sentence; null if there is none. */
    @Nullable
    String aggregationLoad(String job) {
        return aggregation
                .find(job)
                .map(known -> AggregationLoadMessages.sentence(known.learned()))
                .orElse(null);
    }
}
