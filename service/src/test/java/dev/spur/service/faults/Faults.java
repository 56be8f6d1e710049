package dev.spur.service.faults;

import static org.assertj.core.api.Assertions.assertThat;

import dev.spur.service.web.contract.ContractedClient;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** What tests of faults share. */
final class Faults {
    private static final int LIMIT_SECONDS = 60;

    private static final JsonNode EXAMPLE =
            ContractedClient.contract().document().at("/components/examples/jobSubmissionShort/value");

    private Faults() {}

    /** A submission that fits whatever hardware there is. */
    static String submission(String externalId) {
        return submission(externalId, job -> {});
    }

    /** The same, changed. */
    static String submission(String externalId, Consumer<ObjectNode> change) {
        ObjectNode job = (ObjectNode) EXAMPLE.deepCopy();
        job.put("externalId", externalId).put("waitForHardware", true).remove(List.of("tenant", "deadline"));
        change.accept(job);
        return job.toString();
    }

    /**
     * Waits until something is true, for as long as a busy machine may take. Errors meanwhile are part of the fault.
     */
    static void await(String what, Callable<Boolean> condition) throws InterruptedException {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(LIMIT_SECONDS);
        while (!isTrue(condition)) {
            assertThat(System.nanoTime()).as("waited too long for %s", what).isLessThan(end);
            TimeUnit.MILLISECONDS.sleep(20);
        }
    }

    private static boolean isTrue(Callable<Boolean> condition) {
        try {
            return condition.call();
        } catch (Exception notYet) {
            return false;
        }
    }

    /** Waits for a latch, and for nothing else: who is dead hears no interrupt. */
    static void awaitStubbornly(CountDownLatch latch) {
        boolean interrupted = false;
        while (latch.getCount() > 0) {
            try {
                latch.await();
            } catch (InterruptedException unheard) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** Times depend on the machine, so they are told and not judged. */
    static void tell(String fault, long sinceNanos) {
        System.out.printf(Locale.ROOT, "%s: recovered after %.1f s%n", fault, (System.nanoTime() - sinceNanos) / 1e9);
    }
}
