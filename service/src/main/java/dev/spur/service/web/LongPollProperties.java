package dev.spur.service.web;

import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Settings of long polls.
 *
 * @param maxWaiters maximum waiting callers of plans, of assignments and of rendezvous each; further ones are rejected
 * @param refreshInterval period after which the database is read without a notification
 */
@ConfigurationProperties("spur.long-polls")
public record LongPollProperties(
        @DefaultValue("6000") int maxWaiters,
        @DefaultValue("5s") Duration refreshInterval) {}
