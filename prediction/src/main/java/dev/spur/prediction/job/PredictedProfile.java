package dev.spur.prediction.job;

import dev.spur.model.performance.ProfilePoint;
import dev.spur.model.performance.ThroughputProfile;
import java.util.List;

/**
 * Predictions for all configurations that a planner may want to know of.
 *
 * @param predictions each configuration once
 */
public record PredictedProfile(List<Prediction> predictions) {
    public PredictedProfile {
        predictions = List.copyOf(predictions);
    }

    /** What a planner is told. */
    public ThroughputProfile profile(Prediction.RiskAttitude stance) {
        List<ProfilePoint> points =
                predictions.stream().map(prediction -> prediction.as(stance)).toList();
        return new ThroughputProfile(points, List.of());
    }
}
