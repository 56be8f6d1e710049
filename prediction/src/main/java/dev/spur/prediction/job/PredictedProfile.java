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

    /** Returns true if nothing is known about the speed of the job in any configuration. */
    public boolean hasNoData() {
        return !predictions.isEmpty()
                && predictions.stream().allMatch(prediction -> prediction.origin() == Origin.ASSUMED);
    }

    /** Returns the throughput profile for a planner with the given risk attitude. */
    public ThroughputProfile profile(Prediction.RiskAttitude attitude) {
        List<ProfilePoint> points = predictions.stream()
                .map(prediction -> switch (attitude) {
                    case CAUTIOUS -> Prediction.at(prediction.point(), cautious(prediction));
                    case EVEN -> prediction.point();
                })
                .toList();
        return new ThroughputProfile(points, List.of(), hasNoData());
    }

    /**
     * Returns the highest lower limit among the configurations on at most as many slots of the type whose median is not
     * higher. So more slots are never planned to be slower only because their interval is wider.
     */
    private double cautious(Prediction prediction) {
        ProfilePoint point = prediction.point();
        return predictions.stream()
                .filter(other -> isNoLarger(other.point(), point)
                        && other.point().samplesPerSecond() <= point.samplesPerSecond())
                .mapToDouble(Prediction::low)
                .reduce(prediction.low(), Math::max);
    }

    private static boolean isNoLarger(ProfilePoint other, ProfilePoint point) {
        return other.slots() <= point.slots()
                && other.acceleratorType().equals(point.acceleratorType())
                && other.strategy() == point.strategy();
    }
}
