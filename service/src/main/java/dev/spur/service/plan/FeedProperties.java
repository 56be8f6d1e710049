package dev.spur.service.plan;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Settings of the plan feed.
 *
 * @param maxWaiters maximum concurrent waiting callers; further ones are rejected
 * @param maxWaitSeconds maximum wait
 * @param refreshSeconds period after which the database is read without a notification
 * @param wakers threads that respond
 */
@ConfigurationProperties("spur.feed")
public record FeedProperties(
        @DefaultValue("6000") int maxWaiters,
        @DefaultValue("30") double maxWaitSeconds,
        @DefaultValue("5") double refreshSeconds,
        @DefaultValue("2") int wakers) {}
