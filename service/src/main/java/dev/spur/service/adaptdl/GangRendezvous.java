package dev.spur.service.adaptdl;

import dev.spur.service.contract.ProblemException;
import dev.spur.service.contract.ProblemType;
import dev.spur.service.retention.DaemonThreads;
import dev.spur.service.store.AllocationKeys;
import dev.spur.service.store.NotificationChannel;
import dev.spur.service.store.NotificationListener;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;
import org.springframework.stereotype.Component;
import org.springframework.web.context.request.async.DeferredResult;

/** Rendezvous of gangs: members wait, without a thread, until all members are registered. */
@Component
@SuppressWarnings("FutureReturnValueIgnored") // Tasks log their exceptions.
class GangRendezvous implements SmartLifecycle, NotificationListener {
    private static final Logger LOG = LoggerFactory.getLogger(GangRendezvous.class);
    private static final int MOST_WAITING = 10_000;
    private static final long COLLECT_MILLIS = 20;

    private final AllocationKeys allocations;
    private final Set<Member> waiting = ConcurrentHashMap.newKeySet();
    private final AtomicBoolean lookDue = new AtomicBoolean();
    private final ScheduledThreadPoolExecutor clock =
            new ScheduledThreadPoolExecutor(1, DaemonThreads.named("spur-gatherings"));
    private volatile boolean running;

    GangRendezvous(AllocationKeys allocations) {
        this.allocations = allocations;
    }

    /** A gang. */
    private record Gang(String job, long generation) {}

    /** A waiting member. Instances are compared by identity. */
    private static final class Member {
        private final Gang gang;
        private final DeferredResult<List<String>> answer;

        private Member(Gang gang, DeferredResult<List<String>> answer) {
            this.gang = gang;
            this.answer = answer;
        }
    }

    /**
     * Returns the addresses of the members of a generation by rank, once all are started; a problem 408 after
     * {@code seconds}.
     *
     * @throws ProblemException 503 if too many members wait
     */
    DeferredResult<List<String>> await(String job, long generation, long seconds) {
        var answer = new DeferredResult<List<String>>(Math.max(1, seconds * 1000));
        answer.onTimeout(() -> answer.setErrorResult(late()));
        if (waiting.size() >= MOST_WAITING) {
            throw ProblemException.of(ProblemType.UNAVAILABLE, "Too many wait already.")
                    .withHeader("Retry-After", "5");
        }
        Optional<List<String>> there = allocations.addresses(job, generation);
        if (there.isPresent()) {
            answer.setResult(there.get());
        } else if (seconds == 0 || !running) {
            answer.setErrorResult(late());
        } else {
            var member = new Member(new Gang(job, generation), answer);
            answer.onCompletion(() -> waiting.remove(member));
            waiting.add(member);
            // A member that registers between the query and the wait sends no notification to this waiter.
            lookSoon();
        }
        return answer;
    }

    private static ProblemException late() {
        return ProblemException.of(
                ProblemType.REQUEST_TIMEOUT, "A member of the gang has not started within the timeout.");
    }

    private void lookSoon() {
        if (running && !waiting.isEmpty() && lookDue.compareAndSet(false, true)) {
            clock.schedule(this::look, COLLECT_MILLIS, TimeUnit.MILLISECONDS);
        }
    }

    private void look() {
        lookDue.set(false);
        try {
            waiting.stream()
                    .map(member -> member.gang)
                    .distinct()
                    .forEach(gang -> allocations
                            .addresses(gang.job(), gang.generation())
                            .ifPresent(there -> waiting.stream()
                                    .filter(member -> member.gang.equals(gang))
                                    .forEach(member -> member.answer.setResult(there))));
        } catch (RuntimeException away) {
            LOG.warn("gang rendezvous check failed; waiting requests stay pending: {}", away.getMessage());
        }
    }

    @Override
    public String channel() {
        return NotificationChannel.EXECUTORS;
    }

    @Override
    public void heard(String payload) {
        lookSoon();
    }

    @Override
    public void reconnected() {
        lookSoon();
    }

    @Override
    public void start() {
        running = true;
    }

    /** Completes all waiters; runs before the web server stops, which waits for requests. */
    @Override
    public void stop() {
        running = false;
        waiting.forEach(member -> member.answer.setErrorResult(late()));
        clock.shutdownNow();
    }

    @Override
    public boolean isRunning() {
        return running;
    }
}
