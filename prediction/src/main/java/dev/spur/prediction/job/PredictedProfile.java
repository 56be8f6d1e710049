package dev.spur.prediction.job;

import dev.spur.model.performance.ProfilePoint;
import dev.spur.model.performance.ThroughputProfile;
import java.util.List;

/**
 * Predictions for all configurations that a planner may use.
 *
 * @param predictions each configuration once
 */
public record PredictedProfile(List<Prediction> predictions) {
    public PredictedProfile {
        predictions = List.copyOf(predictions);
    }

    /** Returns the throughput profile for a planner with the given risk attitude. */
    public ThroughputProfile profile(Prediction.RiskAttitude attitude) {
        List<ProfilePoint> points =
                predictions.stream().map(prediction -> prediction.as(attitude)).toList();
        return new ThroughputProfile(points, List.of());
    }
}
