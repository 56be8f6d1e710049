package dev.spur.service.outcomes;

import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.context.event.ApplicationStartedEvent;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.context.event.EventListener;
import org.springframework.dao.DataAccessException;
import org.springframework.scheduling.TaskScheduler;
import org.springframework.stereotype.Component;

/** Periodic recording of what the database would not keep otherwise. It runs on every replica. */
@Component
class HistoryRecorder {
    private static final Logger LOG = LoggerFactory.getLogger(HistoryRecorder.class);

    private final CapacityStore capacities;
    private final GpuUsageStore gpus;
    private final JobOutcomeStore jobs;
    private final OutcomeProperties properties;
    private final TaskScheduler scheduler;

    HistoryRecorder(
            CapacityStore capacities,
            GpuUsageStore gpus,
            JobOutcomeStore jobs,
            OutcomeProperties properties,
            TaskScheduler scheduler) {
        this.capacities = capacities;
        this.gpus = gpus;
        this.jobs = jobs;
        this.properties = properties;
        this.scheduler = scheduler;
    }

    /**
     * Settings of the recording of outcomes.
     *
     * @param interval interval between two recordings of capacity, use of GPUs and ended jobs; 0 to record nothing
     * @param metricsInterval interval between two updates of the metrics of the last 24 hours; 0 for no values
     */
    @ConfigurationProperties("spur.outcomes")
    record OutcomeProperties(
            @DefaultValue("30s") Duration interval,
            @DefaultValue("5m") Duration metricsInterval) {}

    @SuppressWarnings("FutureReturnValueIgnored") // a recording logs its own exceptions
    @EventListener(ApplicationStartedEvent.class)
    void start() {
        if (!properties.interval().isZero()) {
            scheduler.scheduleWithFixedDelay(this::record, properties.interval());
        }
    }

    /** Records once. */
    void record() {
        try {
            capacities.record();
            gpus.record();
            boolean more = true;
            while (more) {
                more = jobs.record();
            }
        } catch (DataAccessException failure) {
            LOG.warn("cannot record outcomes, next attempt follows: {}", failure.getMessage());
        }
    }
}
