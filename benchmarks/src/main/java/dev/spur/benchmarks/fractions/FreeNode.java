package dev.spur.benchmarks.fractions;

import dev.spur.model.cluster.Node;
import dev.spur.model.job.Elasticity;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.IntStream;

/** Free resources of a node. */
final class FreeNode {
    private static final double TOLERANCE = 1e-9;

    private final String type;
    private final int[] parts;
    private final Set<Integer> sizes = new HashSet<>();
    private int version;
    private double cpus;
    private double memoryGiB;

    FreeNode(Node node) {
        type = Objects.requireNonNull(node.acceleratorType());
        parts = new int[node.slots()];
        Arrays.fill(parts, Elasticity.PARTS);
        cpus = node.cpus();
        memoryGiB = node.memoryGiB();
    }

    private FreeNode(FreeNode other) {
        type = other.type;
        parts = other.parts.clone();
        sizes.addAll(other.sizes);
        cpus = other.cpus;
        memoryGiB = other.memoryGiB;
    }

    /** Returns a number that grows with each pod. */
    int version() {
        return version;
    }

    double cpus() {
        return cpus;
    }

    double memoryGiB() {
        return memoryGiB;
    }

    int gpus() {
        return parts.length;
    }

    /** Returns the free parts of a GPU. */
    int parts(int gpu) {
        return parts[gpu];
    }

    /** Returns the free parts of all GPUs. */
    int parts() {
        return IntStream.of(parts).sum();
    }

    boolean isWhole(int gpu) {
        return parts[gpu] == Elasticity.PARTS;
    }

    /** Returns the number of GPUs without pods. */
    int wholeGpus() {
        return (int) IntStream.range(0, parts.length).filter(this::isWhole).count();
    }

    /** Returns the {@link PodRequest#parts} of the pods on its GPUs, each size once; 0 stands for all shares. */
    Set<Integer> sizes() {
        return Set.copyOf(sizes);
    }

    /** Returns what {@link #sizes} contains for {@code pod}. */
    static int sizeOf(PodRequest pod) {
        return pod.isShare() ? 0 : pod.parts();
    }

    /** Returns true if the pod can run here. */
    boolean fits(PodRequest pod) {
        return fitsHost(pod)
                && (pod.slots() == 0 || pod.allowsType(type))
                && IntStream.of(parts)
                                .filter(free -> free >= pod.partsPerSlot())
                                .count()
                        >= pod.slots();
    }

    private boolean fitsHost(PodRequest pod) {
        return pod.cpus() <= cpus + TOLERANCE && pod.memoryGiB() <= memoryGiB + TOLERANCE;
    }

    /**
     * Returns the sets of GPUs that a pod can take, given that it fits: each GPU for a share, otherwise the first GPUs
     * without pods, which are all equal.
     */
    List<List<Integer>> choices(PodRequest pod) {
        List<Integer> possible = IntStream.range(0, parts.length)
                .filter(gpu -> parts[gpu] >= pod.partsPerSlot())
                .boxed()
                .toList();
        return pod.isShare() ? possible.stream().map(List::of).toList() : List.of(possible.subList(0, pod.slots()));
    }

    /** Returns a copy after {@code pod} has taken {@code gpus}. */
    FreeNode after(PodRequest pod, List<Integer> gpus) {
        FreeNode next = new FreeNode(this);
        next.take(pod, gpus);
        return next;
    }

    /**
     * Gives the resources of {@code pod} to it.
     *
     * @throws IllegalStateException if they are not free, or not those that it requests
     */
    void take(PodRequest pod, List<Integer> gpus) {
        boolean areFree = gpus.stream().allMatch(gpu -> parts[gpu] >= pod.partsPerSlot());
        if (!areFree || !fits(pod) || Set.copyOf(gpus).size() != pod.slots()) {
            throw new IllegalStateException(
                    "%s does not fit on GPUs %s with the free parts %s, %s CPUs and %s GiB of a node with %s"
                            .formatted(pod, gpus, Arrays.toString(parts), cpus, memoryGiB, type));
        }
        gpus.forEach(gpu -> parts[gpu] -= pod.partsPerSlot());
        version++;
        cpus -= pod.cpus();
        memoryGiB -= pod.memoryGiB();
        if (pod.slots() > 0) {
            sizes.add(sizeOf(pod));
        }
    }
}
