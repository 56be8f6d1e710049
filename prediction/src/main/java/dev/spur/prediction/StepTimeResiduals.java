package dev.spur.prediction;

import java.util.List;
import org.hipparchus.linear.Array2DRowRealMatrix;
import org.hipparchus.linear.ArrayRealVector;
import org.hipparchus.linear.RealMatrix;
import org.hipparchus.linear.RealVector;
import org.hipparchus.optim.nonlinear.vector.leastsquares.MultivariateJacobianFunction;
import org.hipparchus.util.Pair;

/**
 * Residuals and their derivatives. Near the point for which the weights were chosen, the sum of their squares is the
 * loss of a fit up to a constant.
 *
 * <p>The loss is a sum of two root mean squares, and a root is not a sum of squares. But {@code sqrt(S) <= S / (2 s) +
 * s / 2}, with equality at {@code s = sqrt(S)}. With the current errors as s, each minimum of the right-hand side
 * lowers the loss.
 */
final class StepTimeResiduals implements MultivariateJacobianFunction {
    /** Lower limit of the errors, which keeps the weight of an exact fit finite. */
    private static final double MIN_ERROR = 1e-9;

    private final List<StepTimeObservation> observations;
    private final ParameterTransform transform;
    private final double gradientWeight;
    private final double stepWeight;

    StepTimeResiduals(
            List<StepTimeObservation> observations,
            ParameterTransform transform,
            double gradientError,
            double stepError) {
        this.observations = observations;
        this.transform = transform;
        gradientWeight = weight(gradientError);
        stepWeight = weight(stepError);
    }

    private double weight(double error) {
        return 1 / Math.sqrt(2 * observations.size() * Math.max(MIN_ERROR, error));
    }

    /** Returns the number of residuals: two for each observation, and three penalties. */
    int size() {
        return 2 * observations.size() + 3;
    }

    @Override
    public Pair<RealVector, RealMatrix> value(RealVector point) {
        double[] p = transform.at(point);
        double[] residuals = new double[size()];
        double[][] rows = new double[size()][ParameterTransform.COUNT];
        int row = 0;
        for (StepTimeObservation observation : observations) {
            double gradient = p[0] + p[1] * observation.perDeviceBatch();
            residuals[row] = gradientWeight * Math.log(gradient / observation.gradientSeconds());
            gradientRow(rows[row++], gradientWeight / gradient, observation);
            residuals[row] = stepRow(rows[row], p, gradient, observation);
            row++;
        }
        penalties(p, residuals, rows, row);
        return new Pair<>(new ArrayRealVector(residuals, false), new Array2DRowRealMatrix(freeColumns(rows, p), false));
    }

    private static void gradientRow(double[] row, double factor, StepTimeObservation observation) {
        row[0] += factor;
        row[1] += factor * observation.perDeviceBatch();
    }

    /** Fills in the derivatives of the residual of one step time and returns the residual. */
    private double stepRow(double[] row, double[] p, double gradient, StepTimeObservation observation) {
        int slots = observation.slots();
        if (slots == 1) {
            gradientRow(row, stepWeight / gradient, observation);
            return stepWeight * Math.log(gradient / observation.stepSeconds());
        }
        int alpha = observation.nodes() == 1 ? 4 : 2;
        double sync = p[alpha] + p[alpha + 1] * (slots - 2);
        double gamma = p[ParameterTransform.GAMMA];
        double larger = Math.max(gradient, sync);
        double logGradient = Math.log(gradient / larger);
        double logSync = Math.log(sync / larger);
        double a = Math.exp(gamma * logGradient);
        double b = Math.exp(gamma * logSync);
        gradientRow(row, stepWeight * a / (a + b) / gradient, observation);
        double bySync = stepWeight * b / (a + b) / sync;
        row[alpha] += bySync;
        row[alpha + 1] += bySync * (slots - 2);
        row[ParameterTransform.GAMMA] +=
                stepWeight * ((a * logGradient + b * logSync) / (a + b) / gamma - Math.log(a + b) / (gamma * gamma));
        return stepWeight * (Math.log(larger / observation.stepSeconds()) + Math.log(a + b) / gamma);
    }

    private static void penalties(double[] p, double[] residuals, double[][] rows, int first) {
        double byGamma = Math.sqrt(StepTimeLoss.GAMMA_PENALTY);
        residuals[first] = byGamma * (p[ParameterTransform.GAMMA] - 1);
        rows[first][ParameterTransform.GAMMA] = byGamma;
        double byGrowth = Math.sqrt(StepTimeLoss.GROWTH_PENALTY);
        for (int i = 0; i < 2; i++) {
            int alpha = 2 + 2 * i;
            int row = first + 1 + i;
            residuals[row] = byGrowth * p[alpha + 1] / p[alpha];
            rows[row][alpha] = -residuals[row] / p[alpha];
            rows[row][alpha + 1] = byGrowth / p[alpha];
        }
    }

    /** Returns the derivatives by the coordinates of the free parameters. */
    private double[][] freeColumns(double[][] rows, double[] p) {
        int[] free = transform.free();
        double[][] narrow = new double[rows.length][free.length];
        for (int r = 0; r < rows.length; r++) {
            for (int c = 0; c < free.length; c++) {
                narrow[r][c] = rows[r][free[c]] * ParameterTransform.slope(free[c], p[free[c]]);
            }
        }
        return narrow;
    }
}
