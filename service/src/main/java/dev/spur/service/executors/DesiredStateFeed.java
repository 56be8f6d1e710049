package dev.spur.service.executors;

import dev.spur.service.database.NotificationChannel;
import dev.spur.service.database.NotificationListener;
import dev.spur.service.web.LongPoll;
import dev.spur.service.web.LongPollProperties;
import dev.spur.service.web.contract.PollRequest;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.context.event.ContextClosedEvent;
import org.springframework.context.event.EventListener;
import org.springframework.http.CacheControl;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.scheduling.TaskScheduler;
import org.springframework.stereotype.Component;

/**
 * Long-poll feed of the desired states of executors. When the database notifies a change, the new states of all
 * affected executors are read together. Changes without a notification, such as those of addresses, are detected by the
 * periodic refresh.
 */
@Component
class DesiredStateFeed implements NotificationListener {
    private final AssignmentReader reader;
    private final LongPoll<String, ExecutorDesiredState> polls;

    DesiredStateFeed(AssignmentReader reader, LongPollProperties limits, TaskScheduler scheduler) {
        this.reader = reader;
        this.polls = new LongPoll<>(this::read, limits, scheduler);
    }

    /**
     * A poll for the desired state of an executor.
     *
     * @param known revision of the state that the executor has; null if none
     * @param withKeys whether the caller may read the keys of loans
     */
    private record DesiredStatePoll(@Nullable Long known, boolean withKeys)
            implements LongPoll.Poll<ExecutorDesiredState> {
        @Override
        public boolean isNews(ExecutorDesiredState state) {
            return known == null || known != state.revision();
        }

        @Override
        public ResponseEntity<byte[]> response(ExecutorDesiredState state) {
            return ResponseEntity.ok()
                    .eTag(Long.toString(state.revision()))
                    .cacheControl(CacheControl.noCache())
                    .header("Plan-Revision", Long.toString(state.planRevision()))
                    .contentType(MediaType.APPLICATION_JSON)
                    .body(withKeys ? state.json() : state.jsonWithoutKeys());
        }

        @Override
        public ResponseEntity<byte[]> notModified() {
            return ResponseEntity.status(HttpStatus.NOT_MODIFIED)
                    .eTag(String.valueOf(known))
                    .build();
        }
    }

    /** Number of waiting executors. */
    int waiting() {
        return polls.waiting();
    }

    /**
     * The response to a poll: at once, or when the content changes or the wait ends.
     *
     * @param withKeys whether the caller may read the keys of loans
     */
    Object poll(String executor, PollRequest request, boolean withKeys) {
        return polls.poll(executor, request.maxWait(), new DesiredStatePoll(request.known(), withKeys));
    }

    private Map<String, ExecutorDesiredState> read(Set<String> executors) {
        AssignmentReader.DesiredStateSnapshot snapshot = reader.read(executors);
        return executors.stream()
                .collect(
                        Collectors.toMap(Function.identity(), executor -> ExecutorDesiredState.of(executor, snapshot)));
    }

    @Override
    public String channel() {
        return NotificationChannel.EXECUTORS;
    }

    @Override
    public void onNotification(String payload) {
        if (payload.isEmpty()) {
            polls.notifyChange();
        } else {
            polls.notifyChange(payload);
        }
    }

    @EventListener(ContextClosedEvent.class)
    void close() {
        polls.close();
    }
}
