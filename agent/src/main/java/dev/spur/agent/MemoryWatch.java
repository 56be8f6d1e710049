package dev.spur.agent;

import dev.spur.agent.inventory.Host;
import dev.spur.agent.protocol.Messages.MemoryExport;
import dev.spur.agent.protocol.Messages.NodeMemory;
import dev.spur.agent.protocol.Messages.RevokedLoan;
import dev.spur.agent.protocol.ServiceClient;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.function.DoubleSupplier;

/**
 * Monitors the memory of the node on its own thread. Loans that no longer fit next to the local usage are revoked at
 * once, with or without the service. The revocations, the exports and the usage beyond that of jobs, which cannot be
 * lent, are reported to the service. Small changes of the usage are not reported.
 */
final class MemoryWatch implements Runnable {
    private static final Duration LOOK = Duration.ofSeconds(1);
    private static final Duration TIMEOUT = Duration.ofSeconds(10);
    private static final double NOTABLE_GIB = 0.25;

    private final ServiceClient service;
    private final String node;
    private final ServiceSession link;
    private final MemoryExports exports;
    private final Memory memory;
    private double reportedGiB = Double.NEGATIVE_INFINITY;
    private long reportedEpoch;
    private List<MemoryExport> reportedExports = List.of();

    /**
     * The monitored memory.
     *
     * @param info file in the format of {@code /proc/meminfo}
     * @param floorGiB memory that must stay free in addition to the loans, at least 0
     * @param offeredGiB memory of the machine that this node offers
     * @param ofJobs memory used by jobs and exports, GiB
     */
    record Memory(Path info, double floorGiB, double offeredGiB, DoubleSupplier ofJobs) {
        /**
         * Returns the lent memory that is no longer available, in whole GiB, at least 0.
         *
         * @param heldGiB the part of the lent memory that exports use already
         */
        int missingGiB(int lentGiB, double heldGiB) {
            double available = Host.freeGiB(info) - floorGiB + heldGiB;
            return (int) Math.ceil(Math.max(0, Math.min(lentGiB, lentGiB - available)));
        }

        /**
         * Returns the memory used by other processes: the offered memory less that of the node's jobs and the free
         * memory. Several nodes may share the machine.
         */
        double usedByOthersGiB() {
            return Math.max(0, offeredGiB - ofJobs.getAsDouble() - Host.freeGiB(info));
        }
    }

    MemoryWatch(ServiceClient service, String node, ServiceSession link, MemoryExports exports, Memory memory) {
        this.service = service;
        this.node = node;
        this.link = link;
        this.exports = exports;
        this.memory = memory;
    }

    @Override
    public void run() {
        // a separate thread reports, so that an unreachable service does not delay revocations
        Thread reporter = new Thread(() -> repeat(this::report), "memory-reporter");
        reporter.setDaemon(true);
        reporter.start();
        repeat(this::observe);
    }

    /** A periodic action. */
    private interface Step {
        void run() throws InterruptedException;
    }

    private static void repeat(Step step) {
        while (!Thread.currentThread().isInterrupted()) {
            try {
                step.run();
                Thread.sleep(LOOK.toMillis());
            } catch (InterruptedException end) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private void observe() {
        int missingGiB = memory.missingGiB(exports.loans().gib(), exports.usedGiB());
        if (missingGiB > 0) {
            try {
                exports.loans().takeBack(missingGiB);
            } catch (UncheckedIOException full) {
                // the revocation is effective; the file follows when it can be written again
            }
        }
    }

    private void report() throws InterruptedException {
        ServiceSession.Terms terms = link.terms();
        List<RevokedLoan> revoked = exports.loans().unreportedRevocations();
        List<MemoryExport> ready = exports.ready();
        double used = memory.usedByOthersGiB();
        boolean known = terms != null
                && terms.registrationEpoch() == reportedEpoch
                && ready.equals(reportedExports)
                && Math.abs(used - reportedGiB) < NOTABLE_GIB;
        if (terms == null || (known && revoked.isEmpty())) {
            return;
        }
        try {
            var report = new NodeMemory(used, exports.refusal().orElse(null), revoked, ready);
            if (service.put("/api/v1/nodes/%s/memory".formatted(node), report, TIMEOUT)
                    .isFine()) {
                exports.loans().markReported(revoked);
                reportedGiB = used;
                reportedExports = ready;
                reportedEpoch = terms.registrationEpoch();
            }
        } catch (IOException unreachable) {
            // the session thread logs the failure
            reportedEpoch = 0;
        }
    }
}
