package dev.spur.benchmarks.noise;

import dev.spur.model.allocation.Configuration;
import dev.spur.model.performance.ThroughputProfile;
import dev.spur.prediction.job.PredictedProfile;
import dev.spur.prediction.online.SpeedReport;
import dev.spur.prediction.speed.TypedObservation;
import java.util.List;

/** A rule that learns from the reports of one job. */
interface LearningRule {
    /** Learns from a report of allocation number {@code generation}. Returns true if it detects a change. */
    boolean learn(long generation, Configuration held, SpeedReport report, int batch);

    /** Returns the measurements for a prediction. */
    List<TypedObservation> observations();

    /** Accepts new predictions and returns the profile of the next round. */
    ThroughputProfile plan(PredictedProfile predicted);
}
