package dev.spur.prediction;

import dev.spur.model.Checks;
import java.util.Collection;
import java.util.List;
import org.hipparchus.exception.MathIllegalStateException;
import org.hipparchus.linear.ArrayRealVector;
import org.hipparchus.linear.RealVector;
import org.hipparchus.optim.nonlinear.vector.leastsquares.LeastSquaresFactory;
import org.hipparchus.optim.nonlinear.vector.leastsquares.LeastSquaresProblem;
import org.hipparchus.optim.nonlinear.vector.leastsquares.LevenbergMarquardtOptimizer;

/**
 * Fits a step-time model to observations by bounded least squares. Source: Qiao et al., Pollux, OSDI '21; the loss is
 * {@link StepTimeLoss}, minimised here by Levenberg and Marquardt's method under weights that are renewed until it
 * falls no more.
 *
 * <p>What was not observed is assumed to cost nothing, so that a policy tries it: without a run across nodes,
 * synchronisation there costs 1.1 times what it costs within a node; without a run on several slots it is free; with
 * one batch size alone, half of a pass is taken for constant.
 */
public final class StepTimeFit {
    /** Where searches begin; the loss may have a valley for little and one for much overlap. */
    private static final double[] STARTS = {1.1, 3};

    private static final int RENEWALS = 30;
    private static final int STEPS = 100;
    /** Relative fall of the loss below which weights are no longer renewed. */
    private static final double ENOUGH = 1e-7;
    /** Synchronisation across nodes over that within a node, where only the latter was seen. */
    private static final double ACROSS_NODES = 1.1;

    private final List<StepTimeObservation> observations;
    private final ParameterTransform unknowns;

    private StepTimeFit(Collection<StepTimeObservation> observations) {
        this.observations = List.copyOf(observations);
        unknowns = new ParameterTransform(observations);
    }

    /**
     * The model with the smallest loss that was found. The same observations in the same order give the same model.
     *
     * @throws IllegalArgumentException if there is no observation
     */
    public static StepTimeModel of(Collection<StepTimeObservation> observations) {
        Checks.require(!observations.isEmpty(), "a fit needs at least one observation");
        return new StepTimeFit(observations).best();
    }

    private StepTimeModel best() {
        double[] best = search(STARTS[0]);
        if (unknowns.free()[unknowns.free().length - 1] == ParameterTransform.GAMMA) {
            double[] other = search(STARTS[1]);
            best = loss(other) < loss(best) ? other : best;
        }
        return withPriors(best);
    }

    private double[] search(double gamma) {
        RealVector point = unknowns.start(gamma);
        double loss = loss(unknowns.at(point));
        for (int renewal = 0; renewal < RENEWALS; renewal++) {
            RealVector next = nearby(point);
            double nextLoss = loss(unknowns.at(next));
            if (!(nextLoss < loss)) {
                break;
            }
            boolean enough = loss - nextLoss < ENOUGH * loss;
            point = next;
            loss = nextLoss;
            if (enough) {
                break;
            }
        }
        return unknowns.at(point);
    }

    /** The least squares of the residuals weighted for {@code point}; {@code point} itself if the method gives up. */
    private RealVector nearby(RealVector point) {
        StepTimeModel model = model(unknowns.at(point));
        StepTimeResiduals residuals = new StepTimeResiduals(
                observations,
                unknowns,
                StepTimeLoss.gradientError(model, observations),
                StepTimeLoss.stepError(model, observations));
        LeastSquaresProblem problem = LeastSquaresFactory.create(
                residuals,
                new ArrayRealVector(residuals.size()),
                point,
                null,
                null,
                2 * STEPS,
                STEPS,
                false,
                unknowns::inside);
        try {
            return new LevenbergMarquardtOptimizer()
                    .withCostRelativeTolerance(1e-9)
                    .withParameterRelativeTolerance(1e-9)
                    .optimize(problem)
                    .getPoint();
        } catch (MathIllegalStateException tooManySteps) {
            return point;
        }
    }

    private double loss(double[] parameters) {
        return StepTimeLoss.of(model(parameters), observations);
    }

    private StepTimeModel withPriors(double[] p) {
        boolean acrossNodes = observations.stream().anyMatch(o -> o.nodes() > 1);
        if (!acrossNodes) {
            p[2] = Math.max(p[2], ACROSS_NODES * p[4]);
            p[3] = Math.max(p[3], ACROSS_NODES * p[5]);
        }
        return model(p);
    }

    private static StepTimeModel model(double[] p) {
        return new StepTimeModel(p[0], p[1], p[2], p[3], p[4], p[5], p[ParameterTransform.GAMMA]);
    }
}
