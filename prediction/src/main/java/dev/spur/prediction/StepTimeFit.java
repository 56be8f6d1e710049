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
 * Fits a step-time model to observations by bounded least squares. Source: Qiao et al., Pollux, OSDI '21. The loss is
 * {@link StepTimeLoss}, minimized here by the Levenberg-Marquardt method with weights that are updated until the loss
 * no longer decreases.
 *
 * <p>Unobserved costs are assumed to be small, so that a policy explores them. Without a run across nodes,
 * synchronization across nodes costs 1.1 times that within a node. Without a run on several slots, it is free. With a
 * single batch size, half of a pass is assumed to be constant.
 */
public final class StepTimeFit {
    /** Start values of gamma: the loss may have one minimum for little and one for much overlap. */
    private static final double[] STARTS = {1.1, 3};

    private static final int MAX_UPDATES = 30;
    private static final int STEPS = 100;
    /** Relative decrease of the loss below which the weights are no longer updated. */
    private static final double CONVERGED = 1e-7;
    /** Synchronization across nodes relative to that within a node, if only the latter was observed. */
    private static final double ACROSS_NODES = 1.1;

    private final List<StepTimeObservation> observations;
    private final ParameterTransform transform;

    private StepTimeFit(Collection<StepTimeObservation> observations) {
        this.observations = List.copyOf(observations);
        transform = new ParameterTransform(observations);
    }

    /**
     * Returns the model with the smallest loss that was found. The same observations in the same order give the same
     * model.
     *
     * @throws IllegalArgumentException if there is no observation
     */
    public static StepTimeModel of(Collection<StepTimeObservation> observations) {
        Checks.require(!observations.isEmpty(), "a fit requires at least one observation");
        return new StepTimeFit(observations).best();
    }

    private StepTimeModel best() {
        double[] best = search(STARTS[0]);
        if (transform.free()[transform.free().length - 1] == ParameterTransform.GAMMA) {
            double[] other = search(STARTS[1]);
            best = loss(other) < loss(best) ? other : best;
        }
        return withPriors(best);
    }

    private double[] search(double gamma) {
        RealVector point = transform.start(gamma);
        double loss = loss(transform.at(point));
        for (int renewal = 0; renewal < MAX_UPDATES; renewal++) {
            RealVector next = nearby(point);
            double nextLoss = loss(transform.at(next));
            if (!(nextLoss < loss)) {
                break;
            }
            boolean enough = loss - nextLoss < CONVERGED * loss;
            point = next;
            loss = nextLoss;
            if (enough) {
                break;
            }
        }
        return transform.at(point);
    }

    /**
     * Returns the least-squares solution with the weights of {@code point}, or {@code point} if the method does not
     * converge.
     */
    private RealVector nearby(RealVector point) {
        StepTimeModel model = model(transform.at(point));
        StepTimeResiduals residuals = new StepTimeResiduals(
                observations,
                transform,
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
                transform::clamp);
        try {
            return new LevenbergMarquardtOptimizer()
                    .withCostRelativeTolerance(1e-9)
                    .withParameterRelativeTolerance(1e-9)
                    .optimize(problem)
                    .getPoint();
        } catch (MathIllegalStateException exception) {
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
