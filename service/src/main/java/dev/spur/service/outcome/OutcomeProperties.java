package dev.spur.service.outcome;

import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

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
