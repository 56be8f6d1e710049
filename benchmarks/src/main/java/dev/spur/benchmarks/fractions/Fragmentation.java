package dev.spur.benchmarks.fractions;

import dev.spur.model.job.Elasticity;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Score by fragmentation gradient descent (FGD): the growth of the expected fragmentation of the node. For a typical
 * pod, all free parts of the node are fragments if the pod does not fit. Otherwise its fragments are the free parts of
 * the GPUs with too few of them for it. Source: Weng et al., USENIX ATC '23, section 4.
 *
 * <p>As in the published program, points are whole numbers: 100 times the logistic function of the decrease in GPUs,
 * rounded down. Places of almost equal growth are thus equal, which allocates more of the trace than exact points.
 */
final class Fragmentation implements PodScore {
    private static final double POINTS = 100;

    private final Map<PodRequest, Double> typicalPods = new HashMap<>();

    /**
     * @param pods pods whose distribution is the typical one; those without GPUs change no comparison and are left out
     */
    Fragmentation(List<PodRequest> pods) {
        pods.stream().filter(pod -> pod.slots() > 0).forEach(pod -> typicalPods.merge(pod, 1.0, Double::sum));
        double count = typicalPods.values().stream().mapToDouble(own -> own).sum();
        typicalPods.replaceAll((pod, own) -> own / count);
    }

    @Override
    public double of(FreeNode node, PodRequest pod, List<Integer> gpus) {
        double growth = (expectation(node.after(pod, gpus)) - expectation(node)) / Elasticity.PARTS;
        return -Math.floor(POINTS / (1 + Math.exp(growth)));
    }

    /** Returns the expected fragments of {@code node}, in parts. */
    double expectation(FreeNode node) {
        double sum = 0;
        for (Map.Entry<PodRequest, Double> typical : typicalPods.entrySet()) {
            sum += typical.getValue() * fragments(node, typical.getKey());
        }
        return sum;
    }

    private static int fragments(FreeNode node, PodRequest pod) {
        if (!node.fits(pod)) {
            return node.parts();
        }
        int sum = 0;
        for (int gpu = 0; gpu < node.gpus(); gpu++) {
            sum += node.parts(gpu) < pod.partsPerSlot() ? node.parts(gpu) : 0;
        }
        return sum;
    }
}
