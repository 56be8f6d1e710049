package dev.spur.policies.monolithic;

import com.sun.jna.FunctionMapper;
import com.sun.jna.Library;
import com.sun.jna.Native;
import com.sun.jna.Pointer;
import dev.spur.solver.nativelib.NativeSolver;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * C interface of HiGHS, of which OR-Tools contains the library; the names of its functions have the prefix
 * {@code Highs_}. An {@code int} that is not described is a status: 0 success, 1 warning, -1 error. HiGHS documents the
 * parameters.
 */
interface HighsLibrary extends Library {
    /**
     * Returns the library of this machine.
     *
     * @throws IllegalStateException if OR-Tools contains none for this machine
     * @throws UnsatisfiedLinkError if this machine cannot load it
     */
    static HighsLibrary load() {
        FunctionMapper names = (library, method) -> "Highs_" + method.getName();
        return Native.load(
                NativeSolver.library("highs").toString(),
                HighsLibrary.class,
                Map.of(Library.OPTION_FUNCTION_MAPPER, names));
    }

    Pointer create();

    void destroy(Pointer solver);

    int passMip(
            Pointer solver,
            int variables,
            int rows,
            int entries,
            int format,
            int sense,
            double offset,
            double[] costs,
            double[] lower,
            double[] upper,
            double[] rowLower,
            double[] rowUpper,
            int[] starts,
            int[] indices,
            double[] coefficients,
            int[] integrality);

    int setSparseSolution(Pointer solver, int count, int[] indices, double[] values);

    int setBoolOptionValue(Pointer solver, String option, int value);

    int setIntOptionValue(Pointer solver, String option, int value);

    int setDoubleOptionValue(Pointer solver, String option, double value);

    int run(Pointer solver);

    /** Writes the model to {@code file} in the format of its suffix, such as {@code .mps}. */
    int writeModel(Pointer solver, String file);

    /** Returns why the solve ended: 7 at the gap target, 8 or 9 if the model is infeasible. */
    int getModelStatus(Pointer solver);

    int getIntInfoValue(Pointer solver, String info, int[] value);

    int getDoubleInfoValue(Pointer solver, String info, double[] value);

    int getSolution(
            Pointer solver,
            double[] values,
            double @Nullable [] reducedCosts,
            double @Nullable [] rowValues,
            double @Nullable [] prices);

    /** Returns the seconds that {@code solver} ran. */
    double getRunTime(Pointer solver);
}
