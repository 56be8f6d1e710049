package dev.spur.connectors.reconcile;

import dev.spur.connectors.HostResources;
import dev.spur.connectors.Platform;
import dev.spur.connectors.PlatformJob.Size;
import java.time.Clock;
import org.jspecify.annotations.Nullable;

/**
 * A platform under test, with two nodes (gpu1, gpu2) of eight slots and one (cpu1) without, and the people who use it.
 */
interface PlatformFixture extends AutoCloseable {
    Platform platform();

    Clock clock();

    /** Submits a job that runs until it is ended. Returns its id. */
    String submit(int nodes, int slotsOnEach, boolean held, String words);

    /** The size that the platform shows of a job that was submitted so. */
    default Size requested(int nodes, int slotsOnEach) {
        return new Size(nodes * slotsOnEach, nodes);
    }

    /** CPUs of each node; 0 if the platform does not tell. */
    default double cpus() {
        return 16;
    }

    /** Memory of each node, GiB; 0 if the platform does not tell. */
    default double memoryGiB() {
        return 64;
    }

    /** The batch size that a running job has read at its start; empty if it has read none. */
    String batch(String job);

    /**
     * The host resources of each slot with which a running job of {@code slots} slots on one node has started; null if
     * the platform grants none.
     */
    @Nullable
    HostResources host(String job, int slots);

    /** Its owner lets a held job start. */
    void release(String job);

    /** Its owner holds a job that waits. */
    void hold(String job);

    /** Lets a moment pass. */
    void pass();

    @Override
    void close();
}
