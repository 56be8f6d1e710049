package dev.spur.solver.program;

import com.google.ortools.sat.IntVar;
import com.google.ortools.sat.LinearExpr;
import java.util.List;
import java.util.Map;
import java.util.function.ObjIntConsumer;
import java.util.function.ToLongFunction;

/** Nodes of one class from which a program cuts pieces: one node, or several that are alike. */
interface NodeCapacity {
    /** Kinds of pieces that the nodes hold at least one of. */
    List<NodeShareKind> kinds();

    /** Pieces of {@code kind} that are cut. */
    LinearExpr pieces(NodeShareKind kind);

    /** Nodes from which a piece of {@code kind} is cut. */
    LinearExpr nodesWith(NodeShareKind kind);

    /** Tells the solver what lies on the nodes now: {@code now} by node and kind. */
    void hint(Map<Integer, Map<NodeShareKind, Integer>> now, ObjIntConsumer<IntVar> hint);

    /** By node and kind the pieces that are cut in a solution. */
    Map<Integer, Map<NodeShareKind, Long>> cut(ToLongFunction<IntVar> value);
}
