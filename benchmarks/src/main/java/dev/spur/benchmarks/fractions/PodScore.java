package dev.spur.benchmarks.fractions;

import dev.spur.model.job.Elasticity;
import java.util.List;

/**
 * Score of a place, of which a method takes the lowest. The baselines follow the descriptions in Weng et al., USENIX
 * ATC '23, section 6, written independently.
 */
@FunctionalInterface
interface PodScore {
    /** CPUs of the largest node, for the scale of CPUs. */
    double MAX_CPUS = 128;
    /** Parts of the GPUs of the largest node. */
    double MAX_PARTS = 8.0 * Elasticity.PARTS;

    /**
     * Product of the free resources of the node and the request, CPUs and GPUs relative to the largest node. Source:
     * Tetris, SIGCOMM '14.
     */
    PodScore DOT_PRODUCT = (node, pod, gpus) -> node.cpus() / MAX_CPUS * pod.cpus() / MAX_CPUS
            + node.parts() / MAX_PARTS * pod.parts() / MAX_PARTS
            + tightest(node, pod, gpus);

    /** Free CPUs and GPUs that remain on the node, relative to the largest node, with equal weights. */
    PodScore BEST_FIT = (node, pod, gpus) -> (node.cpus() - pod.cpus()) / MAX_CPUS
            + (node.parts() - pod.parts()) / MAX_PARTS
            + tightest(node, pod, gpus);

    /**
     * Nodes with pods of the same size come first, of these the ones with no other size. Then come nodes without pods,
     * then the others. Within a class, the fullest node is the best. Source: Gandiva, OSDI '18.
     */
    PodScore CLUSTERING = (node, pod, gpus) -> {
        if (pod.slots() == 0) {
            return 0;
        }
        int rank = node.sizes().contains(FreeNode.sizeOf(pod))
                ? Math.min(node.sizes().size(), 2)
                : node.sizes().isEmpty() ? 3 : 4;
        return rank + node.parts() / (2 * MAX_PARTS) + tightest(node, pod, gpus);
    };

    /**
     * Shares on GPUs in use come first, then GPUs without pods on nodes in use, then nodes without pods. Source: MLaaS
     * in the wild, NSDI '22.
     */
    PodScore PACKING = (node, pod, gpus) -> {
        if (pod.slots() == 0) {
            return 0;
        }
        if (node.wholeGpus() == node.gpus()) {
            return 2 + node.gpus() / MAX_PARTS;
        }
        int free = gpus.stream().mapToInt(node::parts).sum();
        return free == pod.slots() * Elasticity.PARTS ? 1 + free / (2 * MAX_PARTS) : free / (2 * MAX_PARTS);
    };

    /** Returns the score of {@code gpus} for a pod that fits on {@code node}. */
    double of(FreeNode node, PodRequest pod, List<Integer> gpus);

    /** Returns a term that decides only between the GPUs of equal nodes: the least free part is the best. */
    private static double tightest(FreeNode node, PodRequest pod, List<Integer> gpus) {
        return pod.isShare() ? 1e-9 * node.parts(gpus.get(0)) : 0;
    }
}
