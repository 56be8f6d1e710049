package dev.spur.service.access;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * How often callers may ask. Callers in local mode may ask as often as they like.
 *
 * @param requestsPerSecond of one caller, in the long run; 0 for no limit
 * @param burst requests of one caller at once
 * @param failuresPerMinute tokens from one address that count for nothing; 0 for no limit
 */
@ConfigurationProperties("spur.security.rate")
public record RateProperties(
        @DefaultValue("200") int requestsPerSecond,
        @DefaultValue("2000") int burst,
        @DefaultValue("60") int failuresPerMinute) {}
