package dev.spur.simulator.trace.measured;

import dev.spur.model.allocation.Configuration;
import dev.spur.simulator.trace.Pace;
import dev.spur.simulator.trace.Truth;

/** The truth of a job that tunes its batch size. */
record AdaptiveTruth(AdaptiveModel model) implements Truth {
    @Override
    public Pace pace(Configuration configuration, double doneSamples) {
        int epoch = model.epochAt(doneSamples);
        double speed = model.samplesPerSecond(configuration.acceleratorType(), configuration.shape(), epoch);
        return new Pace(speed, model.endOf(epoch), epoch == model.epochs() - 1);
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
