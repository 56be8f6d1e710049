package dev.spur.benchmarks.noise;

import dev.spur.model.allocation.Configuration;
import dev.spur.model.performance.ThroughputProfile;
import dev.spur.prediction.job.PredictedProfile;
import dev.spur.prediction.job.Prediction.RiskAttitude;
import dev.spur.prediction.online.SpeedReport;
import dev.spur.prediction.online.UpdateResult;
import dev.spur.prediction.speed.TypedObservation;
import dev.spur.service.jobs.learning.JobLearning;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The rule of this build: lasting changes relative to the noise, and medians. */
final class PresentRule implements LearningRule {
    private JobLearning state = JobLearning.nothing(new PredictedProfile(List.of()));

    @Override
    public boolean learn(long generation, Configuration held, SpeedReport report, int batch) {
        JobLearning.@Nullable ExpectedStepTime expected = state.expectedIn(generation, held, report, batch);
        UpdateResult update = state.learned().observe(report, expected == null ? null : expected.seconds());
        state = new JobLearning(
                update.learned(),
                state.predicted(),
                state.noise(),
                update.drift().orElse(state.drift()),
                update.drift().isPresent() ? null : expected,
                state.basis());
        return update.drift().isPresent();
    }

    @Override
    public List<TypedObservation> observations() {
        return state.learned().observations();
    }

    @Override
    public ThroughputProfile plan(PredictedProfile predicted) {
        state = state.withPredictions(predicted, state.basis());
        return predicted.profile(RiskAttitude.EVEN);
    }
}
