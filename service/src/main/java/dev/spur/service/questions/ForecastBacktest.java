package dev.spur.service.questions;

import dev.spur.model.job.Job;
import dev.spur.model.json.RoundJson;
import dev.spur.service.plans.StateSnapshot;
import dev.spur.simulator.eta.Forecast;
import dev.spur.simulator.eta.ForecastAccuracy;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;
import tools.jackson.core.JacksonException;

/**
 * Compares earlier ETAs with actual outcomes. The record is in the database, so that a replica continues it after a
 * failover. An unreadable record is restarted.
 */
@Component
class ForecastBacktest {
    private static final Logger LOG = LoggerFactory.getLogger(ForecastBacktest.class);

    private final EtaStore store;
    private final PastJobs jobs;

    ForecastBacktest(EtaStore store, PastJobs jobs) {
        this.store = store;
        this.jobs = jobs;
    }

    /** Accuracy of the ETAs before {@code snapshot}. */
    ForecastAccuracy before(StateSnapshot snapshot) {
        ForecastAccuracy record = store.accuracy().map(ForecastBacktest::record).orElse(ForecastAccuracy.NONE);
        Set<String> live = Stream.concat(
                        snapshot.problem().jobs().stream().map(Job::id), snapshot.blockedJobs().keySet().stream())
                .collect(Collectors.toSet());
        List<String> gone =
                record.open().keySet().stream().filter(id -> !live.contains(id)).toList();
        return record.after(snapshot.problem().now(), jobs.completionTimes(gone), live);
    }

    /** Adds {@code forecast} to the record and stores it. */
    void keep(ForecastAccuracy before, long revision, Forecast forecast) {
        String body = RoundJson.mapper().writeValueAsString(before.with(forecast));
        store.keepAccuracy(revision, body);
    }

    private static ForecastAccuracy record(String json) {
        try {
            return RoundJson.mapper().readValue(json, ForecastAccuracy.class);
        } catch (JacksonException unreadable) {
            LOG.warn("the record of earlier ETAs cannot be read and is restarted: {}", unreadable.getMessage());
            return ForecastAccuracy.NONE;
        }
    }
}
