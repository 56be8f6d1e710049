package dev.spur.prediction.speed;

import dev.spur.model.performance.SyncStrategy;
import java.util.List;
import org.hipparchus.linear.CholeskyDecomposition;
import org.hipparchus.linear.MatrixUtils;
import org.hipparchus.linear.RealMatrix;
import org.hipparchus.linear.RealVector;

/**
 * A formula with its most likely parameters, and with what the measured steps say beyond it: near a measured shape the formula's
 * error there is taken to recur. The spread follows from what the parameters may still be, from the formula's usual error, and
 * from noise.
 */
public final class FittedSpeed implements SpeedForecast {
    private final Formula formula;
    private final double[] parameters;
    private final Gaussian believed;
    private final Evidence evidence;
    /** What makes errors of the formula at the observations those elsewhere. */
    private final RealVector lessons;

    private final RealMatrix slopes;
    private final CholeskyDecomposition whole;

    FittedSpeed(Formula formula, double[] parameters, Gaussian believed, Evidence evidence) {
        this.formula = formula;
        this.parameters = parameters.clone();
        this.believed = believed;
        this.evidence = evidence;
        lessons = evidence.solve(evidence.logs().subtract(ModeSearch.logs(formula, parameters, evidence)));
        slopes = MatrixUtils.createRealMatrix(evidence.size(), parameters.length);
        for (int i = 0; i < evidence.size(); i++) {
            slopes.setRow(i, ModeSearch.gradient(formula, parameters, evidence.shape(i)));
        }
        whole = new CholeskyDecomposition(slopes.multiply(believed.covariance())
                .multiply(slopes.transpose())
                .add(evidence.covariance()));
    }

    @Override
    public String formula() {
        return formula.name();
    }

    /** The strategy under which the steps ran. */
    public SyncStrategy strategy() {
        return evidence.shape(0).strategy();
    }

    /** What was measured. */
    public List<Observation> observations() {
        return evidence.observations();
    }

    @Override
    public double stepSeconds(StepShape shape) {
        double seconds = Math.exp(logSeconds(shape));
        return shape.slots() == 1 ? seconds : Math.max(seconds, Math.exp(logSeconds(shape.onOneSlot())));
    }

    private double logSeconds(StepShape shape) {
        return formula.logSeconds(parameters, shape) + evidence.kinshipTo(shape).dotProduct(lessons);
    }

    @Override
    public double covariance(StepShape a, StepShape b) {
        RealVector slopeA = MatrixUtils.createRealVector(ModeSearch.gradient(formula, parameters, a));
        RealVector slopeB = MatrixUtils.createRealVector(ModeSearch.gradient(formula, parameters, b));
        RealVector spreadB = believed.covariance().operate(slopeB);
        RealVector toA = slopes.operate(believed.covariance().operate(slopeA)).add(evidence.kinshipTo(a));
        RealVector toB = slopes.operate(spreadB).add(evidence.kinshipTo(b));
        return slopeA.dotProduct(spreadB)
                + evidence.kinship().between(a, b)
                - toA.dotProduct(whole.getSolver().solve(toB));
    }

    /** What is known of the parameters now. */
    Gaussian parameters() {
        RealMatrix back = believed.covariance().multiply(slopes.transpose());
        RealMatrix explained = back.multiply(whole.getSolver().solve(back.transpose()));
        RealMatrix left = believed.covariance().subtract(explained);
        return new Gaussian(
                MatrixUtils.createRealVector(parameters),
                left.add(left.transpose()).scalarMultiply(0.5));
    }
}
