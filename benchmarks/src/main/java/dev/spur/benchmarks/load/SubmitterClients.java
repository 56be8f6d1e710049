package dev.spur.benchmarks.load;

import java.util.Random;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;

/** People that submit short jobs: so many a second, as long as not too many are waiting or running. */
@SuppressWarnings("FutureReturnValueIgnored") // what fails is counted where it is sent
final class SubmitterClients {
    /** Samples that a job makes in a second on one slot. */
    private static final double SPEED = 100;

    /** How far from the mean the seconds of jobs lie, at most, as a part of it. */
    private static final double SPREAD = 1.0 / 3;

    private final SiteJobs site;
    private final RecordingClient calls;
    private final int most;
    private final double meanSeconds;
    private final Random random;
    private final AtomicInteger pending = new AtomicInteger();
    private long number;

    /**
     * People of a site.
     *
     * @param most jobs that are not over at a time
     * @param meanSeconds how long a job runs, on average
     */
    SubmitterClients(SiteJobs site, RecordingClient calls, int most, double meanSeconds, long seed) {
        this.site = site;
        this.calls = calls;
        this.most = most;
        this.meanSeconds = meanSeconds;
        this.random = new Random(seed);
    }

    /** What a job has made that has run for so long; however many slots it has, it is told as on one. */
    static double samples(double seconds) {
        return SPEED * seconds;
    }

    /** One more job if there is room for one. */
    synchronized void submit() {
        if (site.active() + pending.get() >= most) {
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
            if (answer.isFine()) {
                site.accepted(answer.json().path("id").asString(), seconds);
            }
            pending.decrementAndGet();
        });
    }

    /** Most jobs are small: 1.7 slots on average. */
    private int slots() {
        double draw = random.nextDouble();
        if (draw < 0.6) {
            return 1;
        }
        return draw < 0.85 ? 2 : 4;
    }
}
