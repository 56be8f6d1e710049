package dev.spur.solver.heuristic;

import dev.spur.solver.candidate.CandidateSet;
import dev.spur.solver.candidate.ClusterIndex;
import dev.spur.solver.candidate.NodeAccess;
import dev.spur.solver.candidate.NodeClass;
import dev.spur.solver.placement.ResourceDemand;
import dev.spur.solver.relaxation.CouplingConstraints;
import dev.spur.solver.relaxation.DualDecisions;
import dev.spur.solver.relaxation.DualSolution;
import java.util.Arrays;

/**
 * Decomposition of the gap between the dual bound and a plan into losses. A job loses against its maximum reduced cost,
 * jobs with common quotas against their best joint choice, and a node against its best packing pattern.
 *
 * <p>Losses are cached until the job, or a job on the node, changes. Not thread-safe.
 */
final class GapDecomposition {
    private final CandidateSet candidates;
    private final ClusterIndex clusterIndex;
    private final CouplingConstraints constraints;
    private final DualSolution dualSolution;
    private final PlanState plan;
    private final boolean[] together;
    private final double[] worthOfNode;
    /** Cached loss by job; NaN if it is not computed. */
    private final double[] lossOfJob;

    private final double[] marginOfJob;
    private final double[] lossOfNode;

    GapDecomposition(
            CandidateSet candidates, CouplingConstraints constraints, DualSolution dualSolution, PlanState plan) {
        this.candidates = candidates;
        this.clusterIndex = candidates.clusterIndex();
        this.constraints = constraints;
        this.dualSolution = dualSolution;
        this.plan = plan;
        this.together = new boolean[candidates.jobs()];
        dualSolution
                .decisions()
                .jointSubproblems()
                .forEach(subproblem ->
                        Arrays.stream(subproblem.subproblem().jobs()).forEach(j -> together[j] = true));
        this.worthOfNode = new double[clusterIndex.nodes().size()];
        this.lossOfJob = new double[candidates.jobs()];
        this.marginOfJob = new double[candidates.jobs()];
        this.lossOfNode = new double[worthOfNode.length];
        Arrays.fill(lossOfNode, Double.NaN);
        for (NodeClass nodeClass : clusterIndex.classes()) {
            for (int v : nodeClass.nodes()) {
                worthOfNode[v] = constraints.patternCapacity().worthOfNode(nodeClass.index(), v, dualSolution.byRow());
            }
        }
        Arrays.fill(lossOfJob, Double.NaN);
        Arrays.fill(marginOfJob, Double.NaN);
    }

    /** Invalidates the losses of job {@code j} and of its nodes: before it leaves them, and when it is on new ones. */
    void invalidate(int j) {
        for (int v : plan.nodesOf(j)) {
            lossOfNode[v] = Double.NaN;
        }
        lossOfJob[j] = Double.NaN;
        marginOfJob[j] = Double.NaN;
    }

    int nodes() {
        return worthOfNode.length;
    }

    /** Returns the reduced cost of candidate {@code c}; 0 for waiting. */
    double reducedCost(int c) {
        return dualSolution.reducedCosts().reducedCost(c);
    }

    /**
     * Returns the loss of job {@code j} against its maximum reduced cost; 0 for a job of a joint subproblem, or a
     * pinned job.
     */
    double ofJob(int j) {
        if (Double.isNaN(lossOfJob[j])) {
            lossOfJob[j] = together[j] || candidates.isPinned(j)
                    ? 0
                    : dualSolution.reducedCosts().of(j, plan.choiceOf(j));
        }
        return lossOfJob[j];
    }

    /** Returns the loss of the jobs of {@code subproblem} against their best joint choice. */
    double of(DualDecisions.JointSubproblem subproblem) {
        return subproblem.bound() - subproblem.subproblem().gain(dualSolution.sharedPrices(), plan::choiceOf);
    }

    /**
     * Returns the difference in reduced cost between the best candidate of job {@code j} and the next best one other
     * than its present one.
     */
    double margin(int j) {
        if (Double.isNaN(marginOfJob[j])) {
            marginOfJob[j] = dualSolution.reducedCosts().best(j) - nextBest(j);
        }
        return marginOfJob[j];
    }

    private double nextBest(int j) {
        int now = plan.choiceOf(j);
        double waiting = constraints.mayWait(j) && now >= 0 ? 0 : Double.NEGATIVE_INFINITY;
        return Math.max(
                waiting,
                constraints
                        .candidatesOf(j)
                        .filter(c -> c != now)
                        .mapToDouble(this::reducedCost)
                        .max()
                        .orElse(Double.NEGATIVE_INFINITY));
    }

    /** Returns the loss of node {@code v}: value of its best packing pattern minus value of its pieces. */
    double ofNode(int v) {
        if (Double.isNaN(lossOfNode[v])) {
            lossOfNode[v] = lossOn(v);
        }
        return lossOfNode[v];
    }

    private double lossOn(int v) {
        if (clusterIndex.classOf(v) < 0) {
            return 0;
        }
        double pricesPaid = 0;
        for (int i = 0; i < plan.jobsByNode().size(v); i++) {
            int j = plan.jobsByNode().get(v, i);
            if (!candidates.isPinned(j)) {
                pricesPaid += pricePaid(j, plan.jobsByNode().rank(v, i), v);
            }
        }
        return worthOfNode[v] - pricesPaid;
    }

    /** Returns the price of piece {@code i} of job {@code j} on node {@code v}, which accepts jobs. */
    private double pricePaid(int j, int i, int v) {
        ResourceDemand demand = plan.demand(plan.choiceOf(j));
        NodeAccess access = demand.isFixed() ? clusterIndex.accessOf(v) : demand.access();
        return constraints
                .patternCapacity()
                .price(
                        clusterIndex.classOf(v),
                        demand.pieces()[i],
                        demand.parts(),
                        demand.host(),
                        access,
                        dualSolution.byRow());
    }
}
