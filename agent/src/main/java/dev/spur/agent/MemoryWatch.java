package dev.spur.agent;

import dev.spur.agent.inventory.Host;
import dev.spur.agent.protocol.Messages.NodeMemory;
import dev.spur.agent.protocol.Messages.RevokedLoan;
import dev.spur.agent.protocol.ServiceClient;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.function.DoubleSupplier;

/**
 * Watches the memory of the node, on a thread of its own. When what is lent does not fit beside what the node uses any
 * more, it is taken back at once, whether the service answers or not. The service is told of that, and how much is in
 * use beyond that of jobs: so much cannot be lent. What has hardly changed is not told again.
 */
final class MemoryWatch implements Runnable {
    private static final Duration LOOK = Duration.ofSeconds(1);
    private static final Duration PATIENCE = Duration.ofSeconds(10);
    private static final double NOTABLE_GIB = 0.25;

    private final ServiceClient service;
    private final String node;
    private final ServiceSession link;
    private final MemoryLoans lending;
    private final Memory memory;
    private double toldGiB = Double.NEGATIVE_INFINITY;
    private long reportedEpoch;

    /**
     * The memory to watch.
     *
     * @param info what the system says of it, in the format of {@code /proc/meminfo}
     * @param floorGiB what is to stay free beside what is lent, at least 0
     * @param offeredGiB memory of the machine that this node offers
     * @param ofJobs memory that jobs use, GiB
     */
    record Memory(Path info, double floorGiB, double offeredGiB, DoubleSupplier ofJobs) {
        /** Whole GiB that are lent and not there any more, at least 0. */
        int lacking(int lentGiB) {
            double there = Host.freeGiB(info) - floorGiB;
            return (int) Math.ceil(Math.max(0, Math.min(lentGiB, lentGiB - there)));
        }

        /**
         * What is missing of the memory that the node's own jobs leave of what it offers: several nodes may share the
         * machine.
         */
        double usedByOthersGiB() {
            return Math.max(0, offeredGiB - ofJobs.getAsDouble() - Host.freeGiB(info));
        }
    }

    MemoryWatch(ServiceClient service, String node, ServiceSession link, MemoryLoans lending, Memory memory) {
        this.service = service;
        this.node = node;
        this.link = link;
        this.lending = lending;
        this.memory = memory;
    }

    @Override
    public void run() {
        // a thread of its own tells: a service that does not answer holds up no revocation
        Thread teller = new Thread(() -> again(this::tell), "memory-teller");
        teller.setDaemon(true);
        teller.start();
        again(this::look);
    }

    /** Something that is done again and again. */
    private interface Step {
        void run() throws InterruptedException;
    }

    private static void again(Step step) {
        while (!Thread.currentThread().isInterrupted()) {
            try {
                step.run();
                Thread.sleep(LOOK.toMillis());
            } catch (InterruptedException end) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private void look() {
        int lacking = memory.lacking(lending.gib());
        if (lacking > 0) {
            lending.takeBack(lacking);
        }
    }

    private void tell() throws InterruptedException {
        ServiceSession.Terms terms = link.terms();
        List<RevokedLoan> revoked = lending.untold();
        double used = memory.usedByOthersGiB();
        boolean known =
                terms != null && terms.registrationEpoch() == reportedEpoch && Math.abs(used - toldGiB) < NOTABLE_GIB;
        if (terms == null || (known && revoked.isEmpty())) {
            return;
        }
        try {
            if (service.put("/api/v1/nodes/%s/memory".formatted(node), new NodeMemory(used, revoked), PATIENCE)
                    .isFine()) {
                lending.told(revoked);
                toldGiB = used;
                reportedEpoch = terms.registrationEpoch();
            }
        } catch (IOException unreachable) {
            // the link tells of it
            reportedEpoch = 0;
        }
    }
}
