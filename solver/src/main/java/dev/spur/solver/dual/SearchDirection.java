package dev.spur.solver.dual;

/** Direction of all variables of a {@link PrimalDualPoint}, with its longest primal and dual steps. */
final class SearchDirection {
    /** Direction of the share of each member, and the use of the direction of prices by the member. */
    final double[] x;

    final double[] use;
    /** Direction of the dual variable of each set. */
    final double[] theta;
    /** Direction of price, slack and excess, by row. */
    final double[] p;

    final double[] s;
    final double[] e;
    private double primalStep;
    private double dualStep;

    SearchDirection(GubProgram program) {
        x = new double[program.members()];
        use = new double[program.members()];
        theta = new double[program.sets];
        p = new double[program.rows];
        s = new double[program.rows];
        e = new double[program.rows];
    }

    /** Sets the steps after which the first variable is 0. */
    void limitTo(double primal, double dual) {
        primalStep = primal;
        dualStep = dual;
    }

    /** Returns the step after which the first primal variable is 0. */
    double primalStep() {
        return primalStep;
    }

    /** Returns the step after which the first dual variable is 0. */
    double dualStep() {
        return dualStep;
    }

    /** Returns the primal step, at most 1. */
    double boundedPrimalStep() {
        return Math.min(1, primalStep);
    }

    /** Returns the dual step, at most 1. */
    double boundedDualStep() {
        return Math.min(1, dualStep);
    }
}
