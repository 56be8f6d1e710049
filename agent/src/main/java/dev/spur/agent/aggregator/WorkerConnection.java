package dev.spur.agent.aggregator;

/** Connection to a worker. */
interface WorkerConnection {
    /** Sends a frame asynchronously; the caller never waits for a slow worker. */
    void send(byte[] frame);
}
