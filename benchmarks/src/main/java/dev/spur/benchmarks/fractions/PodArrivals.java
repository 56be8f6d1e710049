package dev.spur.benchmarks.fractions;

import dev.spur.model.cluster.Node;
import dev.spur.model.job.Elasticity;
import dev.spur.model.round.RoundSettings;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Random;

/** Pods that arrive one after the other until they request a multiple of all GPUs, and never leave. */
public final class PodArrivals {
    /** Requested GPUs of all arrivals, relative to all GPUs. */
    private static final double LAST_LOAD = 1.3;

    private final List<Node> nodes;
    private final List<PodRequest> trace;
    private final long seed;
    private final List<PodRequest> pods;
    private final int capacity;

    /**
     * Result of a method.
     *
     * @param allocationAtFull allocated share of all GPUs when the arrived pods request all GPUs
     * @param allocationAtEnd allocated share of all GPUs at the end
     * @param waiting pods without a place at the end
     * @param medianSeconds median time of a batch
     * @param maxSeconds longest time of a batch
     */
    public record Result(
            double allocationAtFull, double allocationAtEnd, int waiting, double medianSeconds, double maxSeconds) {}

    /**
     * Draws the arrivals: all pods of {@code trace}, and random ones again until the load is 1.3, in random order.
     *
     * @param nodes nodes of the cluster, each with GPUs
     * @param trace pods, at least one with a GPU
     */
    public PodArrivals(List<Node> nodes, List<PodRequest> trace, long seed) {
        this.nodes = List.copyOf(nodes);
        this.trace = List.copyOf(trace);
        this.seed = seed;
        capacity = nodes.stream().mapToInt(Node::slots).sum() * Elasticity.PARTS;
        Random random = new Random(seed);
        List<PodRequest> drawn = new ArrayList<>(trace);
        int load = trace.stream().mapToInt(PodRequest::parts).sum();
        while (load < LAST_LOAD * capacity) {
            PodRequest pod = trace.get(random.nextInt(trace.size()));
            drawn.add(pod);
            load += pod.parts();
        }
        Collections.shuffle(drawn, random);
        pods = List.copyOf(drawn);
    }

    /**
     * Returns the result of {@code method}.
     *
     * @param batch number of pods that arrive together, at least 1; a batch ends early when the load reaches 1
     * @param settings settings of Spur's rounds
     */
    public Result run(PodMethod method, int batch, RoundSettings settings) {
        PodPlacement placement = method.placement(nodes, trace, seed, settings);
        List<FreeNode> free = nodes.stream().map(FreeNode::new).toList();
        double allocationAtFull = 0;
        List<Double> seconds = new ArrayList<>();
        int load = 0;
        int waiting = 0;
        List<PodRequest> next = new ArrayList<>();
        for (int i = 0; i < pods.size(); i++) {
            next.add(pods.get(i));
            boolean wasBelow = load < capacity;
            load += pods.get(i).parts();
            boolean becomesFull = wasBelow && load >= capacity;
            if (next.size() == batch || becomesFull || i == pods.size() - 1) {
                long start = System.nanoTime();
                List<Optional<Binding>> bindings = placement.place(List.copyOf(next), free);
                seconds.add((System.nanoTime() - start) / 1e9);
                waiting += (int) bindings.stream().filter(Optional::isEmpty).count();
                next.clear();
            }
            if (becomesFull) {
                allocationAtFull = allocation(free);
            }
        }
        Collections.sort(seconds);
        return new Result(
                allocationAtFull,
                allocation(free),
                waiting,
                seconds.get(seconds.size() / 2),
                seconds.get(seconds.size() - 1));
    }

    private double allocation(List<FreeNode> free) {
        return 1 - (double) free.stream().mapToInt(FreeNode::parts).sum() / capacity;
    }
}
