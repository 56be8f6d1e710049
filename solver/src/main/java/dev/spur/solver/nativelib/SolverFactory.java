package dev.spur.solver.nativelib;

import com.google.ortools.linearsolver.MPSolver;
import com.google.ortools.sat.CpSolver;

/**
 * The only factory of OR-Tools solvers. Every solver has its native library loaded and leaves SIGINT to the JVM.
 *
 * <p>By default CP-SAT installs a SIGINT handler of its own for the time of a solve and does not restore the handler of
 * the JVM. A later Ctrl-C then ends the process without running its shutdown hooks.
 */
public final class SolverFactory {
    static {
        NativeSolver.load();
    }

    private SolverFactory() {}

    /** Returns a CP-SAT solver for its own model class. */
    public static CpSolver cpSat() {
        CpSolver solver = new CpSolver();
        solver.getParameters().setCatchSigintSignal(false);
        return solver;
    }

    /**
     * Returns CP-SAT behind the interface for linear programs, for programs with integer variables. The caller deletes
     * it.
     *
     * @param parameters further SatParameters as text; they cannot be set later, because each call replaces all of them
     */
    public static MPSolver cpSatForLinearPrograms(String parameters) {
        MPSolver solver = MPSolver.createSolver("SAT");
        if (!solver.setSolverSpecificParametersAsString("catch_sigint_signal: false, " + parameters)) {
            throw new IllegalArgumentException("CP-SAT rejects the parameters %s".formatted(parameters));
        }
        return solver;
    }

    /** Returns SCIP, for programs with integer variables. The caller deletes it. */
    public static MPSolver scip() {
        return MPSolver.createSolver("SCIP");
    }

    /** Returns GLOP, for programs without integer variables. The caller deletes it. */
    public static MPSolver glop() {
        return MPSolver.createSolver("GLOP");
    }
}
