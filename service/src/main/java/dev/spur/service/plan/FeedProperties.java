package dev.spur.service.plan;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * How executors wait for plans.
 *
 * @param maxWaiters most callers that may wait at a time; further ones are sent away
 * @param maxWaitSeconds longest wait
 * @param refreshSeconds time after which the database is asked even if nothing was told
 * @param wakers threads that answer
 */
@ConfigurationProperties("spur.feed")
public record FeedProperties(
        @DefaultValue("6000") int maxWaiters,
        @DefaultValue("30") double maxWaitSeconds,
        @DefaultValue("5") double refreshSeconds,
        @DefaultValue("2") int wakers) {}
