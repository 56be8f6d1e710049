package dev.spur.solver.program;

import com.google.ortools.sat.IntVar;
import com.google.ortools.sat.LinearExpr;
import dev.spur.solver.resource.NodeShareKind;
import java.util.List;
import java.util.Map;
import java.util.function.ObjIntConsumer;
import java.util.function.ToLongFunction;

/** Nodes of one class from which a program cuts pieces: one node, or several equal ones. */
interface NodeCapacity {
    /** Returns the kinds of pieces of which each node holds at least one. */
    List<NodeShareKind> kinds();

    /** Returns the number of pieces of {@code kind} that are cut. */
    LinearExpr pieces(NodeShareKind kind);

    /** Returns the number of nodes from which a piece of {@code kind} is cut. */
    LinearExpr nodesWith(NodeShareKind kind);

    /** Passes the present pieces to the solver as a hint; {@code now} is by node and kind. */
    void hint(Map<Integer, Map<NodeShareKind, Integer>> now, ObjIntConsumer<IntVar> hint);

    /** Returns the pieces cut in a solution, by node and kind. */
    Map<Integer, Map<NodeShareKind, Long>> cut(ToLongFunction<IntVar> value);
}
