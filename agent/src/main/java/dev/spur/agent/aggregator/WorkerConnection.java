package dev.spur.agent.aggregator;

/** A worker that is connected. */
interface WorkerConnection {
    /** Sends it a frame, some time soon: whoever calls does not wait for a slow worker. */
    void send(byte[] frame);
}
