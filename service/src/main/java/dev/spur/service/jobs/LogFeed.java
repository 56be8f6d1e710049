package dev.spur.service.jobs;

import dev.spur.service.database.NotificationChannel;
import dev.spur.service.database.NotificationListener;
import dev.spur.service.jobs.JobLog.RankLog;
import dev.spur.service.jobs.JobLogStore.LogQuery;
import dev.spur.service.jobs.JobLogStore.LogState;
import dev.spur.service.web.LongPoll;
import dev.spur.service.web.LongPollProperties;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.context.event.ContextClosedEvent;
import org.springframework.context.event.EventListener;
import org.springframework.scheduling.TaskScheduler;
import org.springframework.stereotype.Component;

/** Long-poll feed of the output of jobs. A read of the log of a running job requests new output from its executors. */
@Component
class LogFeed implements NotificationListener {
    private final JobLogStore store;
    private final JobStore jobs;
    private final LongPoll<String, LogState> polls;

    LogFeed(JobLogStore store, JobStore jobs, LongPollProperties limits, TaskScheduler scheduler) {
        this.store = store;
        this.jobs = jobs;
        this.polls = new LongPoll<>(store::states, limits, scheduler);
    }

    /**
     * A poll for output after upload {@code known}.
     *
     * @param known number of the upload that the caller has
     */
    private record LogPoll(LogFeed feed, String job, LogQuery query, long known) implements LongPoll.Poll<LogState> {
        @Override
        public boolean isNews(LogState state) {
            return state.seq() > known || state.complete();
        }

        @Override
        public Object response(LogState state) {
            return feed.read(job, query);
        }

        @Override
        public Object notModified() {
            return feed.read(job, query);
        }
    }

    /**
     * Returns the selected output, at once or when there is some after the cursor. The first request for the output of
     * a running job waits for the first upload.
     */
    Object poll(StoredJob job, LogQuery query, Duration wait) {
        long before = query.after() == null ? state(job.id()).seq() : query.after();
        boolean begins = store.follow(job.id());
        if (query.after() == null && !begins) {
            return read(job.id(), query);
        }
        return polls.poll(job.id(), wait, new LogPoll(this, job.id(), query, before));
    }

    private LogState state(String id) {
        return store.states(Set.of(id)).getOrDefault(id, LogState.MISSING);
    }

    private JobLog read(String id, LogQuery query) {
        LogState state = state(id);
        List<RankLog> ranks = store.read(id, query, state.seq());
        String message = query.after() == null
                ? jobs.find(id).map(job -> missing(job, query, ranks)).orElse(null)
                : null;
        return new JobLog(id, state.seq(), state.complete(), message, ranks);
    }

    /** Returns why output of the job or of its running generation is missing; null if none is. */
    private @Nullable String missing(StoredJob job, LogQuery query, List<RankLog> ranks) {
        boolean current =
                query.rank() == null && (query.generation() == null || query.generation() == job.generation());
        if (current && job.hasCommand() && job.holdsResources()) {
            return ranks.stream().anyMatch(rank -> rank.generation() == job.generation() && rank.hasOutput())
                    ? null
                    : "Generation %d runs since %s. It has written nothing yet, or its executors have not uploaded it yet."
                            .formatted(job.generation(), job.since().truncatedTo(ChronoUnit.SECONDS));
        }
        if (!ranks.isEmpty()) {
            return null;
        }
        if (!job.hasCommand()) {
            return "The job has no command, so no executor of Spur runs it. Its output is on the platform, or where its program was started.";
        }
        if (!store.hasStarted(job.id())) {
            return "The job has not started yet. `spur why` explains why it is pending.";
        }
        if (query.generation() != null || query.rank() != null) {
            return "No output is stored for this generation and rank. A job keeps its last %d generations."
                    .formatted(JobLogStore.GENERATIONS);
        }
        return "No executor has uploaded output of the job. Output is stored for a limited time; older logs are on the nodes.";
    }

    @Override
    public String channel() {
        return NotificationChannel.LOGS;
    }

    @Override
    public void onNotification(String payload) {
        polls.notifyChange(payload);
    }

    @Override
    public void onReconnect() {
        polls.notifyChange();
    }

    @EventListener(ContextClosedEvent.class)
    void close() {
        polls.close();
    }
}
