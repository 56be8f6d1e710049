package dev.spur.service.executors;

import dev.spur.service.database.NotificationChannel;
import dev.spur.service.database.NotificationListener;
import dev.spur.service.web.LongPoll;
import dev.spur.service.web.LongPollProperties;
import dev.spur.service.web.contract.ProblemException;
import dev.spur.service.web.contract.ProblemType;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.springframework.context.event.ContextClosedEvent;
import org.springframework.context.event.EventListener;
import org.springframework.scheduling.TaskScheduler;
import org.springframework.stereotype.Component;

/** Rendezvous of gangs: members wait until all members are registered. */
@Component
class GangRendezvous implements NotificationListener {
    private final LongPoll<Gang, Optional<List<String>>> polls;

    GangRendezvous(AllocationKeys allocations, LongPollProperties limits, TaskScheduler scheduler) {
        this.polls = new LongPoll<>(
                gangs -> gangs.stream()
                        .collect(Collectors.toMap(
                                Function.identity(), gang -> allocations.addresses(gang.job(), gang.generation()))),
                limits,
                scheduler);
    }

    /** A gang. */
    private record Gang(String job, long generation) {}

    /** A poll for the addresses of a complete gang. */
    private static final class RendezvousPoll implements LongPoll.Poll<Optional<List<String>>> {
        @Override
        public boolean isNews(Optional<List<String>> addresses) {
            return addresses.isPresent();
        }

        @Override
        public List<String> response(Optional<List<String>> addresses) {
            return addresses.orElseThrow();
        }

        @Override
        public Object notModified() {
            throw ProblemException.of(
                    ProblemType.REQUEST_TIMEOUT, "A member of the gang has not started within the timeout.");
        }
    }

    /**
     * Returns the addresses of the members of a generation by rank, once all are started; a problem 408 after
     * {@code timeout}.
     *
     * @throws ProblemException 503 if too many members wait
     */
    Object await(String job, long generation, Duration timeout) {
        return polls.poll(new Gang(job, generation), timeout, new RendezvousPoll());
    }

    @Override
    public String channel() {
        return NotificationChannel.EXECUTORS;
    }

    @Override
    public void onNotification(String payload) {
        polls.notifyChange();
    }

    @EventListener(ContextClosedEvent.class)
    void close() {
        polls.close();
    }
}
