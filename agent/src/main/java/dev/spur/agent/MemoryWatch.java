package dev.spur.agent;

import dev.spur.agent.inventory.Host;
import dev.spur.agent.protocol.Messages.NodeMemory;
import dev.spur.agent.protocol.ServiceClient;
import java.io.IOException;
import java.time.Duration;
import java.util.function.DoubleSupplier;

/**
 * Tells the service how much memory of the node is in use beyond that of jobs, on a thread of its own: so much cannot be lent. What has
 * hardly changed is not told again.
 */
final class MemoryWatch implements Runnable {
    private static final Duration LOOK = Duration.ofSeconds(5);
    private static final Duration PATIENCE = Duration.ofSeconds(10);
    private static final double NOTABLE_GIB = 0.25;

    private final ServiceClient service;
    private final String node;
    private final Link link;
    private final DoubleSupplier ofJobs;
    private double toldGiB = Double.NEGATIVE_INFINITY;
    private long toldEpoch;

    /** @param ofJobs memory that jobs use, GiB */
    MemoryWatch(ServiceClient service, String node, Link link, DoubleSupplier ofJobs) {
        this.service = service;
        this.node = node;
        this.link = link;
        this.ofJobs = ofJobs;
    }

    @Override
    public void run() {
        while (!Thread.currentThread().isInterrupted()) {
            try {
                look();
                Thread.sleep(LOOK.toMillis());
            } catch (InterruptedException end) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private void look() throws InterruptedException {
        Link.Terms terms = link.terms();
        double used = Math.max(0, Host.usedGiB() - ofJobs.getAsDouble());
        if (terms == null || (terms.epoch() == toldEpoch && Math.abs(used - toldGiB) < NOTABLE_GIB)) {
            return;
        }
        try {
            if (service.put("/api/v1/nodes/%s/memory".formatted(node), new NodeMemory(used), PATIENCE)
                    .isFine()) {
                toldGiB = used;
                toldEpoch = terms.epoch();
            }
        } catch (IOException unreachable) {
            // the link tells of it
            toldEpoch = 0;
        }
    }
}
