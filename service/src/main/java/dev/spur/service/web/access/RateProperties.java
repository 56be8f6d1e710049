package dev.spur.service.web.access;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Rate limits of callers. Local mode has no limits.
 *
 * @param requestsPerSecond sustained rate of one caller; 0 for no limit
 * @param burst burst size of one caller, in requests
 * @param failuresPerMinute failed authentications per client address; 0 for no limit
 */
@ConfigurationProperties("spur.security.rate")
record RateProperties(
        @DefaultValue("200") int requestsPerSecond,
        @DefaultValue("2000") int burst,
        @DefaultValue("60") int failuresPerMinute) {}
