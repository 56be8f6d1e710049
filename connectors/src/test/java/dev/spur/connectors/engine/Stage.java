package dev.spur.connectors.engine;

import dev.spur.connectors.Platform;
import java.time.Clock;

/** A platform under test, with two nodes (gpu1, gpu2) of eight slots and one (cpu1) without, and the people who use it. */
interface Stage extends AutoCloseable {
    Platform platform();

    Clock clock();

    /** Submits a job that runs until it is ended. Returns its id. */
    String submit(int nodes, int slotsOnEach, boolean held, String words);

    /** Its owner lets a held job start. */
    void release(String job);

    /** Its owner holds a job that waits. */
    void hold(String job);

    /** Lets a moment pass. */
    void pass();

    @Override
    void close();
}
