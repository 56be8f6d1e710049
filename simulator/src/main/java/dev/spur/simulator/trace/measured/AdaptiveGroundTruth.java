package dev.spur.simulator.trace.measured;

import dev.spur.model.allocation.Configuration;
import dev.spur.simulator.trace.GroundTruth;
import dev.spur.simulator.trace.ProgressRate;

/** Ground truth of a job that tunes its batch size. */
record AdaptiveGroundTruth(AdaptiveModel model) implements GroundTruth {
    @Override
    public ProgressRate progressRate(Configuration configuration, double doneSamples) {
        int epoch = model.epochAt(doneSamples);
        double speed = model.samplesPerSecond(configuration.acceleratorType(), configuration.shape(), epoch);
        return new ProgressRate(speed, model.endOf(epoch), epoch == model.epochs() - 1);
    }

    @Override
    public double startSeconds(boolean first) {
        return model.conventions().startSeconds(model.model().name());
    }

    @Override
    public boolean tunesBatch() {
        return true;
    }
}
