package dev.spur.connectors;

import java.io.IOException;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

/**
 * Something that starts and stops jobs. An implementation translates and takes one step at a time; it remembers
 * nothing, so that it may be replaced between any two calls. Calls come from one thread at a time.
 */
public interface Platform {
    /** The most that it can be asked for. */
    ControlLevel most();

    /**
     * How exactly it can be told where a job is to run. With {@link PlacementGranularity#POOLS} the placements of
     * actions, of marks and of {@link PlatformJob#pinned} name a pool in place of nodes; what a job holds is by node
     * always.
     */
    default PlacementGranularity pinning() {
        return PlacementGranularity.NODES;
    }

    /**
     * False if it has no queue whose order could be changed: {@link ControlLevel#PRIORITIZE} lets a connector do no
     * more there than {@link ControlLevel#OBSERVE}.
     */
    default boolean hasQueue() {
        return true;
    }

    /** Runs processes that sum gradients; empty if it does not. */
    default Optional<AggregatorHost> aggregatorHost() {
        return Optional.empty();
    }

    /**
     * Its nodes.
     *
     * @throws IOException if it does not answer, or not to the point
     */
    List<PlatformNode> inventory() throws IOException, InterruptedException;

    /**
     * Its jobs: all that hold something or wait, and those that ended not long ago.
     *
     * @throws IOException if it does not answer, or not to the point
     */
    List<PlatformJob> workload() throws IOException, InterruptedException;

    /**
     * Takes the next step of {@code action}, which depends on what {@code job} shows. A step that was taken already
     * does no harm. The mark is written before whatever it tells.
     */
    StepOutcome apply(JobAction action, PlatformJob job) throws InterruptedException;

    /**
     * Does what the marks of {@code jobs} say and the platform does not do without Spur, such as letting pods go that
     * were made anew. What is so already stays, and what was not answered is done at the next look.
     *
     * @param jobs jobs as they were seen, none of which a person has taken over
     * @return what was answered well and is not so, one sentence each
     */
    default List<String> uphold(Collection<PlatformJob> jobs) throws InterruptedException {
        return List.of();
    }
}
