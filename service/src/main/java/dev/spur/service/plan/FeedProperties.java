package dev.spur.service.plan;

import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Settings of the plan feed.
 *
 * @param maxWaiters maximum concurrent waiting callers; further ones are rejected
 * @param maxWait maximum wait
 * @param refreshInterval period after which the database is read without a notification
 * @param wakers threads that respond
 */
@ConfigurationProperties("spur.feed")
public record FeedProperties(
        @DefaultValue("6000") int maxWaiters,
        @DefaultValue("30s") Duration maxWait,
        @DefaultValue("5s") Duration refreshInterval,
        @DefaultValue("2") int wakers) {}
