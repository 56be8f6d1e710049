package dev.spur.agent;

import dev.spur.agent.protocol.Messages.Assignments;
import dev.spur.agent.protocol.ServiceClient;
import dev.spur.agent.protocol.ServiceClient.Answer;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;

/** Long-polls the desired state on its own thread. */
final class DesiredStatePoller implements Runnable {
    private static final Duration SOON = Duration.ofMillis(500);
    private static final Duration BEYOND_THE_HOLD = Duration.ofSeconds(15);

    private final ServiceClient service;
    private final String node;
    private final ServiceSession link;
    private final Runnable wake;
    private final AtomicReference<@Nullable DesiredState> newest = new AtomicReference<>();

    DesiredStatePoller(ServiceClient service, String node, ServiceSession link, Runnable wake) {
        this.service = service;
        this.node = node;
        this.link = link;
        this.wake = wake;
    }

    /** A desired state and the registration epoch in which it was read. */
    record DesiredState(long registrationEpoch, Assignments assignments) {}

    /** Returns the latest desired state of this registration epoch; null if there is none. */
    @Nullable
    Assignments desiredState(long registrationEpoch) {
        DesiredState known = newest.get();
        return known == null || known.registrationEpoch() != registrationEpoch ? null : known.assignments();
    }

    @Override
    public void run() {
        while (!Thread.currentThread().isInterrupted()) {
            try {
                ServiceSession.Terms terms = link.terms();
                if (terms == null || !poll(terms)) {
                    Thread.sleep(SOON.toMillis());
                }
            } catch (IOException | JacksonException failure) {
                // the session thread logs the failure, because it retries more often
                pause();
            } catch (InterruptedException end) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** Polls once. Returns true if the service sent a valid response. */
    private boolean poll(ServiceSession.Terms terms) throws IOException, InterruptedException {
        Assignments known = desiredState(terms.registrationEpoch());
        String after = known == null
                ? ""
                : "?after=%d&wait=%d".formatted(known.revision(), (long) Math.floor(terms.pollHoldSeconds()));
        Duration timeout = Duration.ofSeconds((long) terms.pollHoldSeconds()).plus(BEYOND_THE_HOLD);
        Answer answer = service.get("/api/v1/executors/%s/assignments%s".formatted(node, after), timeout);
        if (answer.status() == 404) {
            link.registerAgain(terms.registrationEpoch());
        }
        if (answer.status() == 200) {
            Assignments read = answer.as(Assignments.class);
            newest.set(new DesiredState(terms.registrationEpoch(), read));
            link.setObservedRevision(read.revision());
            wake.run();
        }
        return answer.status() == 200 || answer.status() == 304;
    }

    private static void pause() {
        try {
            Thread.sleep((long) (Math.random() * 2 * SOON.toMillis()));
        } catch (InterruptedException end) {
            Thread.currentThread().interrupt();
        }
    }
}
