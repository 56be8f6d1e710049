package dev.spur.prediction;

import java.util.Collection;
import java.util.function.ToDoubleFunction;

/**
 * The loss of a model over observations, at least 0. Source: Qiao et al., Pollux, OSDI '21. It is the root mean squared
 * error of the logarithms of pass and step times, plus small penalties on overlap and on synchronization that grows
 * with slots. The penalties make unmeasured shapes look cheap until they are measured.
 */
public final class StepTimeLoss {
    /** Weight of {@code (gamma - 1)^2}. */
    static final double GAMMA_PENALTY = 1e-3;
    /** Weight of {@code (beta / alpha)^2} within a node and across nodes. */
    static final double GROWTH_PENALTY = 1e-2;

    private StepTimeLoss() {}

    /** Returns the loss that a fit minimizes. */
    public static double of(StepTimeModel model, Collection<StepTimeObservation> observations) {
        return gradientError(model, observations)
                + stepError(model, observations)
                + GAMMA_PENALTY * square(model.gamma() - 1)
                + GROWTH_PENALTY * (square(model.betaN() / model.alphaN()) + square(model.betaR() / model.alphaR()));
    }

    /** Returns the root mean squared error of the logarithm of the seconds of a pass. */
    public static double gradientError(StepTimeModel model, Collection<StepTimeObservation> observations) {
        return rootMeanSquare(
                observations, o -> Math.log(model.gradientSeconds(o.perDeviceBatch()) / o.gradientSeconds()));
    }

    /** Returns the root mean squared error of the logarithm of the seconds of a step. */
    public static double stepError(StepTimeModel model, Collection<StepTimeObservation> observations) {
        return rootMeanSquare(
                observations,
                o -> Math.log(model.stepSeconds(o.nodes(), o.slots(), o.perDeviceBatch(), 0) / o.stepSeconds()));
    }

    private static double rootMeanSquare(
            Collection<StepTimeObservation> observations, ToDoubleFunction<StepTimeObservation> error) {
        return Math.sqrt(observations.stream()
                .mapToDouble(o -> square(error.applyAsDouble(o)))
                .average()
                .orElse(0));
    }

    private static double square(double x) {
        return x * x;
    }
}
