package dev.spur.benchmarks.load;

import java.util.Random;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;

/** Submitters of short jobs, at a fixed rate up to a maximum number of active jobs. */
@SuppressWarnings("FutureReturnValueIgnored") // RecordingClient counts the failures
final class SubmitterClients {
    /** Samples per second of a job on one slot. */
    private static final double SPEED = 100;

    /** Maximum relative deviation of a job's run time from the mean. */
    private static final double SPREAD = 1.0 / 3;

    private final SiteJobs site;
    private final RecordingClient calls;
    private final int max;
    private final double meanSeconds;
    private final Random random;
    private final AtomicInteger pending = new AtomicInteger();
    private long number;

    /**
     * Creates the submitters of a site.
     *
     * @param max maximum number of active jobs
     * @param meanSeconds mean run time of a job
     */
    SubmitterClients(SiteJobs site, RecordingClient calls, int max, double meanSeconds, long seed) {
        this.site = site;
        this.calls = calls;
        this.max = max;
        this.meanSeconds = meanSeconds;
        this.random = new Random(seed);
    }

    /** Returns the reported samples of a job after a run time, as on one slot, regardless of its number of slots. */
    static double samples(double seconds) {
        return SPEED * seconds;
    }

    /** Submits one job unless the maximum number of active jobs is reached. */
    synchronized void submit() {
        if (site.active() + pending.get() >= max) {
            return;
        }
        pending.incrementAndGet();
        double seconds = meanSeconds * (1 + SPREAD * (2 * random.nextDouble() - 1));
        int slots = slots();
        String body = """
                {"owner": "load", "name": "job %1$d", "externalId": "load-%1$d",
                 "command": {"program": "train", "checkpointDir": "/shared/load-%1$d"},
                 "spec": {"work": {"unit": "SAMPLES", "amount": %2$.1f},
                  "elasticity": {"minSlots": %3$d, "maxSlots": %3$d},
                  "batch": {"initial": 64, "min": 64, "max": 64, "maxPerDevice": 64},
                  "profile": {"points": [{"acceleratorType": "A100", "slots": %3$d, "nodes": 1, "batchSize": 64,
                    "samplesPerSecond": %4$.1f}]}, "restartPenaltySeconds": 5}}
                """.formatted(++number, samples(seconds), slots, SPEED);
        calls.send("POST /jobs", "POST", "jobs", body, Set.of(201)).thenAccept(answer -> {
            if (answer.isSuccessful()) {
                site.add(answer.json().path("id").asString(), seconds);
            }
            pending.decrementAndGet();
        });
    }

    /** Returns a random number of slots for a job: 1.7 on average. */
    private int slots() {
        double draw = random.nextDouble();
        if (draw < 0.6) {
            return 1;
        }
        return draw < 0.85 ? 2 : 4;
    }
}
